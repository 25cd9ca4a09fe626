// SPDX-License-Identifier: Apache-2.0
//
// Rules about the order that events make: event-cycle, queue-order.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "audit/analysis/event_cycles.h"
#include "audit/analysis/order.h"
#include "audit/rules/event_rules.h"

namespace graph_coverage {
namespace {

constexpr std::size_t kMostNamed = 8;

std::string EventsText(const std::vector<std::uint32_t>& events) {
  const std::vector<std::uint32_t> named(
      events.begin(), events.begin() + static_cast<std::ptrdiff_t>(std::min(
                                           events.size(), kMostNamed)));
  std::string text = fmt::format("{}", fmt::join(named, ", "));
  if (named.size() < events.size()) {
    text += fmt::format(" and {} more", events.size() - named.size());
  }
  return text;
}

}  // namespace

void JudgeEventCycle(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  const EventGraph& graph = rank.analyses.order().events();
  judgement.Judged(graph.event_count());
  if (rank.analyses.order().before().acyclic()) return;
  for (const std::vector<std::uint32_t>& cycle : EventCycles(graph)) {
    Finding& finding = judgement.Add();
    finding.event = cycle.front();
    finding.count = cycle.size();
    finding.places.push_back({rank.view.graph_file(), 0, 0, 0});
    for (const std::uint32_t event : cycle) {
      for (const TaskId task : graph.waiting(event)) {
        const std::uint32_t next = graph.trigger(task);
        if (std::binary_search(cycle.begin(), cycle.end(), next)) {
          finding.tasks.push_back({task, task});
        }
      }
    }
    finding.found = cycle.size() == 1
                        ? "is triggered by a task that waits for it"
                        : fmt::format("waits for itself, through events {}",
                                      EventsText(cycle));
    finding.expected = "that no event waits for itself";
    finding.advice =
        "None of these tasks can run: point the one that closes the circle at "
        "another event";
  }
}

void JudgeQueueOrder(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  const EventGraph& graph = rank.analyses.order().events();
  for (std::uint32_t event = 0; event < graph.event_count(); ++event) {
    const Span<TaskId> triggering = graph.triggering(event);
    const Span<TaskId> waiting = graph.waiting(event);
    if (triggering.empty() || waiting.empty()) continue;
    judgement.Judged();
    const TaskId last = triggering[triggering.size() - 1];
    if (Index(last) < Index(waiting[0])) continue;
    Finding& finding = judgement.Add();
    finding.event = event;
    finding.tasks = {{waiting[0], waiting[0]}, {last, last}};
    finding.places.push_back({rank.view.graph_file(), 0, 0, 0});
    finding.found = fmt::format(
        "is triggered by task {} ({}) and waited for by task {} ({})",
        Index(last), rank.view.TypeName(rank.view.task(last).type),
        Index(waiting[0]), rank.view.TypeName(rank.view.task(waiting[0]).type));
    finding.expected = "triggers before waiters in all_tasks";
    finding.advice =
        "Workers take their tasks in this order and wait at the first that is "
        "not ready: put what triggers the event before what waits for it";
  }
}

}  // namespace graph_coverage
