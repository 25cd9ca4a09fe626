// SPDX-License-Identifier: Apache-2.0
//
// Ways in which a rank differs from another, and how what it holds is worded.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "graph_coverage/model/ids.h"

namespace graph_coverage {

// One way in which a rank differs from another. Sentences as in Finding.
struct RankDifference {
  std::string tensor;
  std::string task_type;
  std::vector<TaskId> tasks;  // on the odd rank
  std::uint64_t count = 1;
  // In the ranks' sources; 0: in the graph.
  std::uint32_t line = 0;
  std::uint32_t usual_line = 0;
  std::string found;
  std::string expected;
  // What stands there on either rank: "4096 bytes".
  std::string usual_has;
  std::string odd_has;
};

class RankDifferences {
 public:
  RankDifference& Add(std::string found, std::string expected,
                      std::string usual_has, std::string odd_has) {
    RankDifference& difference = list_.emplace_back();
    difference.found = std::move(found);
    difference.expected = std::move(expected);
    difference.usual_has = std::move(usual_has);
    difference.odd_has = std::move(odd_has);
    return difference;
  }
  std::vector<RankDifference> Take() { return std::move(list_); }

 private:
  std::vector<RankDifference> list_;
};

// As GoogleTest prints it.
template <typename T>
std::string Printed(const T& value) {
  std::ostringstream text;
  PrintTo(value, &text);
  return text.str();
}

}  // namespace graph_coverage
