// SPDX-License-Identifier: Apache-2.0
//
// How two ranks differ in what they should have in common.
#pragma once

#include <vector>

#include "audit/rules/rank_difference.h"
#include "audit/rules/rule.h"

namespace graph_coverage {

// Everything in which `odd` differs from `usual`, but for what ranks may differ
// in: the rank in event ids, where a put goes, the residual that only one rank
// adds, and a rank's own number as an argument of a collective.
std::vector<RankDifference> DifferencesOf(const RankContext& usual,
                                          const RankContext& odd);

}  // namespace graph_coverage
