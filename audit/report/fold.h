// SPDX-License-Identifier: Apache-2.0
//
// Folding: findings that differ only by layer or rank become one.
#pragma once

#include <vector>

#include "audit/analysis/families.h"
#include "graph_coverage/finding.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// Folds one rank's findings over layers: members, layers, places and tasks
// unite, counts add up, and `tensor` becomes a pattern. Findings of a rule that
// is one line in the catalogue fold over all names. Keeps the order of first
// sight.
std::vector<Finding> FoldLayers(const std::vector<Finding>& findings,
                                const View& view, const Families& families);

// Folds the findings of several ranks: those that are equal but for the rank
// become one, with the places of the first. Keeps the order of first sight.
std::vector<Finding> FoldRanks(const std::vector<std::vector<Finding>>& ranks);

}  // namespace graph_coverage
