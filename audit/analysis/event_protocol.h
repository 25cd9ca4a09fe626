// SPDX-License-Identifier: Apache-2.0
//
// The runtime's event protocol, simulated for one iteration:
//
//   1. Each event has a counter. A task that has run adds 1 to the counter of
//      the event it triggers. Task 1 (BEGIN_TASK_GRAPH) runs first.
//   2. An event whose counter has come to `num_triggers` has fired. One that
//      demands 0 counts as fired for those that wait for it, but never acts.
//   3. An event of type 901, 902 or 903 acts by launching the tasks [first,
//      last) of its range: they enter the workers' queues.
//   4. A launched task runs when the event it waits for has fired; one that
//      waits for none runs at once.
//   5. The end event (910) acts by closing the iteration.
//
// What has not run when nothing moves any more never runs: there is no
// time-out. How tasks share workers is left out; rule queue-order holds what
// makes that sound.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/analysis/event_graph.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

struct ProtocolOutcome {
  std::vector<bool> ran;    // by task
  std::vector<bool> fired;  // by event
  // Whether an end event acted; true for a graph that has none.
  bool ended = true;
  // Tasks but for task 0 (TERMINATE) that never ran.
  std::uint64_t starved = 0;
  // Events that hold up all the rest: each task that triggers them ran, and
  // they demand more. Ascending.
  std::vector<std::uint32_t> stuck;
};

// Runs the graph with `demands[e]` in place of each event's num_triggers.
ProtocolOutcome RunProtocol(const View& view, const EventGraph& graph,
                            const std::vector<std::uint64_t>& demands);

}  // namespace graph_coverage
