// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/happens_before.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/audit/analysis/random_events.h"

namespace graph_coverage {
namespace {

// Task by task: a comes before b where b waits for what a triggers, or where a
// comes before one that comes before b.
std::vector<std::vector<bool>> NaiveOrder(const EventGraph& graph,
                                          const Mend& mend) {
  const std::size_t n = graph.task_count();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n));
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      const std::uint32_t event = graph.trigger(TaskId(a));
      before[a][b] =
          event != EventGraph::kNone && event == graph.dependent(TaskId(b)) &&
          (graph.triggers(event) <= graph.demands(event) ||
           std::count(mend.counts.begin(), mend.counts.end(), event) != 0);
    }
  }
  for (const AddedEdge& edge : mend.edges) {
    for (const TaskId a : edge.writers) {
      for (const TaskId b : edge.readers) before[Index(a)][Index(b)] = true;
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        if (before[a][k] && before[k][b]) before[a][b] = true;
      }
    }
  }
  return before;
}

// Added edges lead from lower to higher ids; so do the events of the graph.
std::vector<AddedEdge> RandomEdges(std::size_t tasks) {
  std::vector<AddedEdge> added;
  if (tasks < 4) return added;
  const auto count = *rc::gen::inRange(0, 3);
  for (int i = 0; i < count; ++i) {
    const auto middle = *rc::gen::inRange<std::size_t>(3, tasks);
    AddedEdge& edge = added.emplace_back();
    edge.writers = {TaskId(*rc::gen::inRange<std::size_t>(2, middle))};
    edge.readers = {TaskId(*rc::gen::inRange<std::size_t>(middle, tasks))};
  }
  return added;
}

RC_GTEST_PROP(HappensBefore, IsTheClosureOverTasks, ()) {
  WiredRank wired = RandomEvents();
  // Without cycles: an event is triggered by tasks that wait for lower ones.
  for (WiredTask& task : wired.tasks) {
    if (!task.dependent.none() &&
        task.dependent.index() >= task.trigger.index()) {
      task.dependent = EventId();
    }
  }
  wired.Wire();
  const auto wrong = *rc::gen::inRange<std::size_t>(0, wired.events.size());
  wired.events[wrong].num_triggers = *rc::gen::inRange<std::uint64_t>(0, 4);
  const Rank rank = wired.Build();
  const View view(rank);
  const EventGraph graph(view, {});
  const std::vector<AddedEdge> edges = RandomEdges(view.task_count());
  const std::vector<std::uint32_t> counts = {static_cast<std::uint32_t>(wrong)};
  for (const Mend& mend :
       {Mend{}, Mend{edges, {}}, Mend{{}, counts}, Mend{edges, counts}}) {
    // Edges that close a circle with the events mean nothing.
    const auto naive = NaiveOrder(graph, mend);
    bool circle = false;
    for (std::size_t i = 0; i < naive.size(); ++i) circle |= naive[i][i];
    if (circle) continue;
    const HappensBefore order(graph, mend);
    for (std::size_t a = 0; a < naive.size(); ++a) {
      for (std::size_t b = 0; b < naive.size(); ++b) {
        RC_ASSERT(order.Before(TaskId(a), TaskId(b)) == naive[a][b]);
      }
    }
  }
}

}  // namespace
}  // namespace graph_coverage
