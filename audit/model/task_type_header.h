// SPDX-License-Identifier: Apache-2.0
//
// Reads how a runtime_header.h numbers the task types.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace graph_coverage {

// The enumerators of `enum TaskType` by name. Values are literals, sums of
// literals and earlier enumerators, or one more than the last. `file` is the
// name used in errors. Throws InputError where the text has no such enum or an
// enumerator cannot be read.
std::map<std::string, std::uint32_t> ReadTaskTypeHeader(
    std::string_view text, const std::string& file);

}  // namespace graph_coverage
