// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/joint_order.h"

#include <utility>

namespace graph_coverage {

std::uint32_t JointOrder::Trigger(const RankTask& task) const {
  const std::uint32_t event = events_[task.rank]->trigger(task.task);
  if (event == kNone) return kNone;
  std::size_t owner = task.rank;
  if (events_[task.rank]->remote(task.task)) {
    owner = views_[task.rank]->task(task.task).trigger.gpu();
  }
  if (owner >= views_.size() || event >= events_[owner]->event_count()) {
    return kNone;
  }
  return base_[owner] + event;
}

std::uint32_t JointOrder::Dependent(const RankTask& task) const {
  const std::uint32_t event = events_[task.rank]->dependent(task.task);
  return event == kNone ? kNone : base_[task.rank] + event;
}

JointOrder::JointOrder(const std::vector<const View*>& views,
                       const std::vector<const EventGraph*>& events)
    : views_(views), events_(events) {
  for (const EventGraph* graph : events) {
    base_.push_back(static_cast<std::uint32_t>(weak_.size()));
    for (std::uint32_t event = 0; event < graph->event_count(); ++event) {
      weak_.push_back(graph->triggers(event) > graph->demands(event));
    }
  }
  std::vector<EventEdge> edges;
  for (std::size_t rank = 0; rank < views.size(); ++rank) {
    for (std::size_t i = 0; i < events[rank]->task_count(); ++i) {
      const RankTask task{rank, TaskId(i)};
      const std::uint32_t waits = Dependent(task);
      const std::uint32_t triggers = Trigger(task);
      if (waits == kNone || triggers == kNone) continue;
      // Siblings that follow each other mostly make the same edge.
      if (edges.empty() || edges.back() != EventEdge(waits, triggers)) {
        edges.push_back({waits, triggers});
      }
    }
  }
  closure_.emplace(std::move(edges), weak_);
}

bool JointOrder::Before(const RankTask& a, const RankTask& b) const {
  const std::uint32_t trigger = Trigger(a);
  const std::uint32_t waits = Dependent(b);
  if (trigger == kNone || waits == kNone || weak_[waits]) return false;
  return trigger == waits || closure_->Before(trigger, waits);
}

}  // namespace graph_coverage
