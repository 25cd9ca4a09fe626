// SPDX-License-Identifier: Apache-2.0
//
// The operators that end a graph: their tasks trigger the end event.
#pragma once

#include <vector>

#include "audit/analysis/event_graph.h"
#include "audit/analysis/families.h"
#include "audit/analysis/type_semantics.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// Why an operator that ends the graph should not.
enum class LeafFault {
  kNone,
  kInputSlotsOnly,  // what it writes has no output slot: no edge could be seen
  kEveryLayer,      // one of its kind ends the graph in every layer
  kSiblingsWaited,  // tasks of its type with the same outputs have waiters
};

// Tasks of one (type, variant) that name the same tensors.
struct LeafOperator {
  std::vector<TaskId> tasks;  // ascending
  LeafFault fault = LeafFault::kNone;
};

// In the order of their first tasks.
std::vector<LeafOperator> LeafOperators(const View& view,
                                        const EventGraph& events,
                                        const Families& families,
                                        const TypeSemantics& semantics);

}  // namespace graph_coverage
