// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/happens_before.h"

#include <algorithm>
#include <utility>

#include "audit/analysis/event_cycles.h"

namespace graph_coverage {

HappensBefore::HappensBefore(const EventGraph& events, const Mend& mend)
    : events_(events) {
  const std::vector<AddedEdge>& added = mend.edges;
  const std::size_t own = events.event_count();
  weak_.assign(own + added.size(), false);
  for (std::uint32_t event = 0; event < own; ++event) {
    weak_[event] = events.triggers(event) > events.demands(event);
  }
  for (const std::uint32_t event : mend.counts) weak_[event] = false;
  std::vector<EventEdge> edges = EventEdges(events);
  for (std::size_t i = 0; i < added.size(); ++i) {
    const auto event = static_cast<std::uint32_t>(own + i);
    for (const TaskId writer : added[i].writers) {
      more_triggers_[writer].push_back(event);
      const std::uint32_t waits = events.dependent(writer);
      if (waits != EventGraph::kNone) edges.push_back({waits, event});
    }
    for (const TaskId reader : added[i].readers) {
      more_waits_[reader].push_back(event);
    }
  }
  for (const auto& [task, waits] : more_waits_) {
    std::vector<std::uint32_t> triggers;
    if (events.trigger(task) != EventGraph::kNone) {
      triggers.push_back(events.trigger(task));
    }
    const auto more = more_triggers_.find(task);
    if (more != more_triggers_.end()) {
      triggers.insert(triggers.end(), more->second.begin(), more->second.end());
    }
    for (const std::uint32_t wait : waits) {
      for (const std::uint32_t trigger : triggers) {
        edges.push_back({wait, trigger});
      }
    }
  }
  closure_.emplace(std::move(edges), weak_);
  // Edges that leave a weak event are not in the closure.
  acyclic_ = closure_->acyclic() &&
             std::find(weak_.begin(), weak_.end(), true) == weak_.end();
}

void HappensBefore::Include(std::uint32_t event, EventRange* events) const {
  const std::uint32_t number = event == EventGraph::kNone
                                   ? EventClosure::kNone
                                   : closure_->number(event);
  if (number == EventClosure::kNone) {
    *events = {0, EventClosure::kNone};
    return;
  }
  events->first = std::min(events->first, number);
  events->last = std::max(events->last, number);
}

bool HappensBefore::AnyMayComeBefore(const EventRange& events,
                                     TaskId task) const {
  if (!more_waits_.empty()) return true;
  const std::uint32_t waits = events_.dependent(task);
  if (!Orders(waits)) return false;
  const std::uint32_t number = closure_->number(waits);
  return (events.first <= number && number <= events.last) ||
         closure_->AnyBefore(events.first, events.last, waits);
}

bool HappensBefore::Before(TaskId a, TaskId b) const {
  const std::uint32_t trigger = events_.trigger(a);
  const std::uint32_t waits = events_.dependent(b);
  if (EventBefore(trigger, waits)) return true;
  if (more_waits_.empty()) return false;
  const auto more_triggers = more_triggers_.find(a);
  const auto more_waits = more_waits_.find(b);
  const auto covers_any = [&](std::uint32_t wait) {
    if (!Orders(wait)) return false;
    if (trigger != EventGraph::kNone && Covers(wait, trigger)) return true;
    if (more_triggers == more_triggers_.end()) return false;
    for (const std::uint32_t more : more_triggers->second) {
      if (Covers(wait, more)) return true;
    }
    return false;
  };
  if (covers_any(waits)) return true;
  if (more_waits == more_waits_.end()) return false;
  for (const std::uint32_t wait : more_waits->second) {
    if (covers_any(wait)) return true;
  }
  return false;
}

}  // namespace graph_coverage
