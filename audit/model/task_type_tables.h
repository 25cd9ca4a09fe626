// SPDX-License-Identifier: Apache-2.0
//
// How versions of the generator number the task types: facts, no rules.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace graph_coverage {

struct TaskTypeTable {
  std::string_view version;
  std::map<std::string_view, std::uint32_t> numbers;  // by name
};

// The built-in tables, the most usual first.
const std::vector<TaskTypeTable>& TaskTypeTables();

}  // namespace graph_coverage
