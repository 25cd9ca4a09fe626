// SPDX-License-Identifier: Apache-2.0
//
// A task graph read by nlohmann/json, the reference for what is valid JSON and
// what it means: plainly, from a DOM, sharing no code with the core.
#pragma once

#include <string>
#include <string_view>

namespace graph_coverage::fuzz {

// What a text says, or why it is no task graph.
struct PlainGraph {
  bool accepted = false;
  std::string why_not;
  // All that the graph says, in one canonical form.
  std::string said;
};

PlainGraph ReadPlainGraph(std::string_view text);

}  // namespace graph_coverage::fuzz
