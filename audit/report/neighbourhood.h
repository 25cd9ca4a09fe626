// SPDX-License-Identifier: Apache-2.0
//
// What lies around a finding in the graph of a rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "audit/analysis/event_graph.h"
#include "audit/analysis/families.h"
#include "graph_coverage/finding.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// Tasks of one type and variant that trigger and wait for the same events and
// name the same tensors in the same slots.
struct TaskGroup {
  std::vector<TaskId> tasks;  // ascending
  std::uint32_t trigger = EventGraph::kNone;
  std::uint32_t dependent = EventGraph::kNone;
  std::vector<TensorId> inputs;   // by slot
  std::vector<TensorId> outputs;  // by slot
};

struct Neighbourhood {
  // Each list without what an earlier one has.
  std::vector<TensorId> own_tensors;  // the finding's
  std::vector<TaskGroup> own_tasks;   // the finding's, else those that name
                                      // its tensors
  std::vector<std::uint32_t> events;  // its own, then those of its tasks
  std::vector<TensorId> siblings;     // for own tensors that no task names
  std::vector<TaskGroup> tasks;       // of the siblings, then of the events
  std::vector<TensorId> tensors;      // of its tasks, then of the siblings'
};

Neighbourhood NeighbourhoodOf(const View& view, const EventGraph& events,
                              const Finding& finding);

}  // namespace graph_coverage
