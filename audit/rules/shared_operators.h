// SPDX-License-Identifier: Apache-2.0
//
// Operators that layers of several kinds have in common: a part of layer-gap.
// A layer of a kind of its own has no peers to be compared with as a whole, but
// its attention is that of the other layers.
#pragma once

#include <vector>

#include "audit/rules/rule.h"
#include "graph_coverage/finding.h"

namespace graph_coverage {

// What is unlike all other layers in operators of layers that have fewer than
// two peers: their number of tasks, or that they read a result which is older
// than the layer before. A finding an operator, without rule and severity.
std::vector<Finding> OddSharedOperators(const RankContext& rank);

}  // namespace graph_coverage
