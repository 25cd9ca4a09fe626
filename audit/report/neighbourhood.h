// SPDX-License-Identifier: Apache-2.0
//
// What lies around a finding in the graph of a rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "audit/analysis/analyses.h"
#include "audit/analysis/event_graph.h"
#include "graph_coverage/finding.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// Tasks of one operator: those that the finding is about, or the others.
struct TaskGroup {
  bool own = false;           // the finding is about them
  std::vector<TaskId> tasks;  // ascending
};

// Events that the same groups trigger and wait for.
struct EventGroup {
  bool own = false;                   // the finding's event is among them
  std::vector<std::uint32_t> events;  // ascending
  std::set<std::size_t> from, to;     // positions in Neighbourhood::groups
  bool remote = false;                // triggered on another rank
};

struct Neighbourhood {
  std::vector<TensorId> own_tensors;  // the finding's
  // For those that no task names: the same family's of the nearest layer.
  std::vector<TensorId> siblings;
  // The finding's tasks, or those that name its tensors; then the tasks that
  // name siblings; then those on the other side of the events.
  std::vector<TaskGroup> groups;
  std::size_t own_groups = 0;
  std::size_t sibling_groups = 0;
  std::size_t left_out = 0;  // groups that would be among the first
  // Of the own groups.
  std::vector<EventGroup> events;
};

// At most `most` own groups, with what is around these.
Neighbourhood NeighbourhoodOf(const View& view, Analyses& analyses,
                              const EventGraph& events, const Finding& finding,
                              std::size_t most);

}  // namespace graph_coverage
