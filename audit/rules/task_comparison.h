// SPDX-License-Identifier: Apache-2.0
//
// The tasks of two ranks, one beside the other.
#pragma once

#include <cstdint>
#include <optional>

#include "audit/rules/rank_difference.h"
#include "audit/rules/rule.h"

namespace graph_coverage {

// Adds in what tasks of `odd` differ from those of `usual`, but for what ranks
// may differ in: see DifferencesOf.
void CompareTasks(const RankContext& usual, const RankContext& odd,
                  RankDifferences* differences);

// How far rank `b` puts its tiles from where rank `a` puts them, in bytes;
// nothing where no task puts, or where distances differ.
struct PutDistance {
  bool puts = false;
  std::optional<std::int64_t> bytes;
};
PutDistance PutDistanceOf(const RankContext& a, const RankContext& b);

}  // namespace graph_coverage
