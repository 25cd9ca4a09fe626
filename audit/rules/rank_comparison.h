// SPDX-License-Identifier: Apache-2.0
//
// How two ranks differ in what they should have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/rules/rule.h"

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

// Everything in which `odd` differs from `usual`, but for what ranks may differ
// in: the rank in event ids, where a put goes, the residual that only one rank
// adds, and a rank's own number as an argument of a collective.
std::vector<RankDifference> DifferencesOf(const RankContext& usual,
                                          const RankContext& odd);

// How far rank `b` puts its tiles from where rank `a` puts them, in bytes;
// nothing where no task puts, or where distances differ.
struct PutDistance {
  bool puts = false;
  std::optional<std::int64_t> bytes;
};
PutDistance PutDistanceOf(const RankContext& a, const RankContext& b);

}  // namespace graph_coverage
