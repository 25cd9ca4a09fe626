// SPDX-License-Identifier: Apache-2.0
//
// The text of audit/model/task_semantics.json, compiled in.
#pragma once

#include <string_view>

namespace graph_coverage {

extern const std::string_view kBuiltInSemantics;

}  // namespace graph_coverage
