// SPDX-License-Identifier: Apache-2.0
//
// The two halves of the converter: one file each of a rank.
#pragma once

#include <string>

#include "tests/support/convert.h"

namespace graph_coverage::test_support {

// The text of a task graph in the given form.
std::string ConvertGraph(const std::string& json, Form form);

// The text of a kernel source in the given form.
std::string ConvertSource(const std::string& source, Form form);

}  // namespace graph_coverage::test_support
