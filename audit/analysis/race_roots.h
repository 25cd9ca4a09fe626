// SPDX-License-Identifier: Apache-2.0
//
// Races, parted by the fault whose mend would order them: a leaf operation, or
// an event that demands less than what triggers it.
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

// Events that demand too little in one way: the same numbers, of the same
// types. Nothing is ordered by them; the races that are gone when they demand
// enough.
struct CountRoot {
  std::vector<std::uint32_t> events;
  std::vector<const Race*> races;
};

struct RaceRoots {
  std::vector<CountRoot> counts;
  std::vector<LeafRoot> leaves;
};

// Mends one root after the other and walks the graph again each time. Points
// into `order`.
RaceRoots PartRaces(const View& view, Order& order);

}  // namespace graph_coverage
