// SPDX-License-Identifier: Apache-2.0
//
// Races, parted by the leaf operation whose mend would order them.
#pragma once

#include <vector>

#include "audit/analysis/leaves.h"
#include "audit/analysis/memory_walk.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

class Order;

// Leaf operators of one type that should not end the graph for one reason, and
// the races that are gone when their readers wait for them.
struct LeafRoot {
  LeafFault fault = LeafFault::kNone;
  std::vector<const LeafOperator*> operators;
  std::vector<const Race*> races;
};

struct RaceRoots {
  std::vector<LeafRoot> roots;
  std::vector<const Race*> left;  // that no mend of a leaf operation orders
};

// Mends one root after the other and walks the graph again each time. Points
// into `order`.
RaceRoots PartRaces(const View& view, Order& order);

}  // namespace graph_coverage
