// SPDX-License-Identifier: Apache-2.0
//
// Events that wait for themselves. An event comes before another where a task
// waits for the first and triggers the second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "audit/analysis/event_graph.h"

namespace graph_coverage {

// An event that comes before another.
using EventEdge = std::pair<std::uint32_t, std::uint32_t>;

// The edges that tasks make; some may be there twice.
std::vector<EventEdge> EventEdges(const EventGraph& graph);

// The edges by the event they leave, each once.
class EventOrder {
 public:
  EventOrder(std::size_t events, const std::vector<EventEdge>& edges);

  // The same edges by the event they lead to.
  EventOrder Reversed() const;

  std::size_t event_count() const { return first_.size() - 1; }
  Span<std::uint32_t> after(std::uint32_t event) const {
    return {after_.data() + first_[event], first_[event + 1] - first_[event]};
  }

 private:
  EventOrder() = default;

  std::vector<std::uint32_t> first_;  // by event, and one more: in after_
  std::vector<std::uint32_t> after_;
};

// The sets of events of which each waits for each other, or for itself: each
// ascending, the sets by their first event.
std::vector<std::vector<std::uint32_t>> EventCycles(const EventGraph& graph);

// All events, each after those it waits for; those of which each waits for each
// other stand together, in one component.
struct EventsInOrder {
  explicit EventsInOrder(const EventOrder& order);

  std::vector<std::uint32_t> events;
  std::vector<std::uint32_t> ends;  // of the components, in `events`
};

}  // namespace graph_coverage
