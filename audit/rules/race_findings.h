// SPDX-License-Identifier: Apache-2.0
//
// From races to findings.
#pragma once

#include <string_view>
#include <vector>

#include "audit/analysis/memory_walk.h"
#include "audit/rules/rule.h"

namespace graph_coverage {

// The races that are no consequence of a fault whose rule is on. Point into the
// rank's analyses.
std::vector<const Race*> RacesOfTheirOwn(const RankContext& rank);

// The rule that a race breaks.
std::string_view RuleOf(RaceKind kind);

// A finding for each family of tensors and rule; severity is left alone.
std::vector<Finding> RaceFindings(const RankContext& rank,
                                  const std::vector<const Race*>& races);

// Hangs the findings of races, of rules that are on, under their root.
void AddConsequences(const RankContext& rank,
                     const std::vector<const Race*>& races, Finding* root);

// Notes the tensors that the region rules leave out.
void SayWhatIsLeftOut(const RankContext& rank, Judgement& judgement);

}  // namespace graph_coverage
