// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/joint_order.h"

#include "audit/analysis/event_cycles.h"

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
                       const std::vector<const EventGraph*>& events,
                       const std::vector<RankTask>& earlier)
    : views_(views), events_(events) {
  for (const EventGraph* graph : events) {
    base_.push_back(static_cast<std::uint32_t>(weak_.size()));
    for (std::uint32_t event = 0; event < graph->event_count(); ++event) {
      weak_.push_back(graph->triggers(event) > graph->demands(event));
    }
  }
  column_.assign(weak_.size(), kNone);
  std::uint32_t columns = 0;
  for (const RankTask& task : earlier) {
    const std::uint32_t event = Trigger(task);
    if (event != kNone && column_[event] == kNone) column_[event] = columns++;
  }
  words_ = (columns + 63) / 64;
  rows_.assign(weak_.size() * words_, 0);
  std::vector<EventEdge> edges;
  for (std::size_t rank = 0; rank < views.size(); ++rank) {
    for (std::size_t i = 0; i < events[rank]->task_count(); ++i) {
      const RankTask task{rank, TaskId(i)};
      const std::uint32_t waits = Dependent(task);
      const std::uint32_t triggers = Trigger(task);
      if (waits != kNone && triggers != kNone) {
        edges.push_back({waits, triggers});
      }
    }
  }
  const EventOrder order(weak_.size(), std::move(edges));
  for (const std::uint32_t event : EventsInOrder(order)) {
    if (weak_[event]) continue;
    const std::uint64_t* from = rows_.data() + event * words_;
    for (const std::uint32_t next : order.after(event)) {
      std::uint64_t* to = rows_.data() + next * words_;
      for (std::size_t word = 0; word < words_; ++word) to[word] |= from[word];
      const std::uint32_t column = column_[event];
      if (column != kNone) {
        to[column / 64] |= std::uint64_t{1} << (column % 64);
      }
    }
  }
}

bool JointOrder::Before(const RankTask& a, const RankTask& b) const {
  const std::uint32_t trigger = Trigger(a);
  const std::uint32_t waits = Dependent(b);
  if (trigger == kNone || waits == kNone || weak_[waits]) return false;
  if (trigger == waits) return true;
  const std::uint32_t column = column_[trigger];
  return (rows_[waits * words_ + column / 64] >> (column % 64) & 1) != 0;
}

}  // namespace graph_coverage
