// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/event_cycles.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace graph_coverage {
namespace {

// Tarjan's strongly connected components, without recursion. Components come
// out with those that wait for them first.
class Components {
 public:
  explicit Components(const EventOrder& order)
      : order_(order),
        number_(order.event_count(), kUnseen),
        low_(order.event_count()),
        open_(order.event_count()) {
    for (std::uint32_t event = 0; event < order.event_count(); ++event) {
      if (number_[event] == kUnseen) Visit(event);
    }
  }

  std::vector<std::uint32_t> events;
  std::vector<std::uint32_t> ends;  // of the components, in `events`

 private:
  static constexpr std::uint32_t kUnseen = 0xffffffff;

  void Open(std::uint32_t event) {
    number_[event] = low_[event] = next_number_++;
    open_[event] = true;
    stack_.push_back(event);
    path_.push_back({event, 0});
  }

  void Visit(std::uint32_t start) {
    Open(start);
    while (!path_.empty()) {
      auto& [event, edge] = path_.back();
      const Span<std::uint32_t> after = order_.after(event);
      if (edge < after.size()) {
        const std::uint32_t next = after[edge++];
        if (number_[next] == kUnseen) {
          Open(next);
        } else if (open_[next]) {
          low_[event] = std::min(low_[event], number_[next]);
        }
        continue;
      }
      const std::uint32_t done = event;
      path_.pop_back();
      if (!path_.empty()) {
        std::uint32_t& low = low_[path_.back().first];
        low = std::min(low, low_[done]);
      }
      if (low_[done] == number_[done]) Close(done);
    }
  }

  void Close(std::uint32_t root) {
    std::uint32_t event = 0;
    do {
      event = stack_.back();
      stack_.pop_back();
      open_[event] = false;
      events.push_back(event);
    } while (event != root);
    ends.push_back(static_cast<std::uint32_t>(events.size()));
  }

  const EventOrder& order_;
  std::vector<std::uint32_t> number_, low_, stack_;
  std::vector<bool> open_;
  std::vector<std::pair<std::uint32_t, std::size_t>> path_;
  std::uint32_t next_number_ = 0;
};

}  // namespace

std::vector<EventEdge> EventEdges(const EventGraph& graph) {
  std::vector<EventEdge> edges;
  for (std::uint32_t event = 0; event < graph.event_count(); ++event) {
    std::uint32_t last = EventGraph::kNone;
    for (const TaskId task : graph.waiting(event)) {
      const std::uint32_t next = graph.trigger(task);
      if (next != EventGraph::kNone && next != last) {
        edges.push_back({event, next});
      }
      last = next;
    }
  }
  return edges;
}

EventOrder::EventOrder(std::size_t events, const std::vector<EventEdge>& edges)
    : first_(events + 1), after_(edges.size()) {
  for (const EventEdge& edge : edges) ++first_[edge.first + 1];
  for (std::size_t i = 1; i <= events; ++i) first_[i] += first_[i - 1];
  std::vector<std::uint32_t> end(first_.begin(), first_.end() - 1);
  for (const auto& [event, next] : edges) after_[end[event]++] = next;
  // Each once.
  std::uint32_t kept = 0;
  for (std::size_t event = 0; event < events; ++event) {
    const auto begin = after_.begin() + first_[event];
    const auto last = after_.begin() + end[event];
    if (!std::is_sorted(begin, last)) std::sort(begin, last);
    const auto unique = std::unique(begin, last);
    first_[event] = kept;
    kept = static_cast<std::uint32_t>(
        std::move(begin, unique, after_.begin() + kept) - after_.begin());
  }
  first_[events] = kept;
  after_.resize(kept);
}

EventOrder EventOrder::Reversed() const {
  EventOrder reversed;
  reversed.first_.resize(first_.size());
  reversed.after_.resize(after_.size());
  for (const std::uint32_t event : after_) ++reversed.first_[event + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) {
    reversed.first_[i] += reversed.first_[i - 1];
  }
  std::vector<std::uint32_t> end(reversed.first_.begin(),
                                 reversed.first_.end() - 1);
  for (std::uint32_t event = 0; event < event_count(); ++event) {
    for (const std::uint32_t next : after(event)) {
      reversed.after_[end[next]++] = event;
    }
  }
  return reversed;
}

std::vector<std::vector<std::uint32_t>> EventCycles(const EventGraph& graph) {
  const EventOrder order(graph.event_count(), EventEdges(graph));
  const Components components(order);
  std::vector<std::vector<std::uint32_t>> cycles;
  std::uint32_t first = 0;
  for (const std::uint32_t end : components.ends) {
    std::vector<std::uint32_t> members(components.events.begin() + first,
                                       components.events.begin() + end);
    first = end;
    const Span<std::uint32_t> after = order.after(members.front());
    const bool own =
        std::find(after.begin(), after.end(), members.front()) != after.end();
    if (members.size() == 1 && !own) continue;
    std::sort(members.begin(), members.end());
    cycles.push_back(std::move(members));
  }
  std::sort(cycles.begin(), cycles.end());
  return cycles;
}

EventsInOrder::EventsInOrder(const EventOrder& order) {
  const Components components(order);
  const auto count = static_cast<std::uint32_t>(components.events.size());
  events.assign(components.events.rbegin(), components.events.rend());
  // What was the start of a component is its end, now.
  ends.reserve(components.ends.size());
  for (std::size_t i = components.ends.size(); i-- > 0;) {
    ends.push_back(count - (i == 0 ? 0 : components.ends[i - 1]));
  }
}

}  // namespace graph_coverage
