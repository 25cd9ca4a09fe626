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

  std::vector<std::vector<std::uint32_t>> found;

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
    std::vector<std::uint32_t>& component = found.emplace_back();
    std::uint32_t event = 0;
    do {
      event = stack_.back();
      stack_.pop_back();
      open_[event] = false;
      component.push_back(event);
    } while (event != root);
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

EventOrder::EventOrder(std::size_t events, std::vector<EventEdge> edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  first_.assign(events + 1, 0);
  for (const auto& [event, next] : edges) {
    ++first_[event + 1];
    after_.push_back(next);
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
}

std::vector<std::vector<std::uint32_t>> EventCycles(const EventGraph& graph) {
  const EventOrder order(graph.event_count(), EventEdges(graph));
  std::vector<std::vector<std::uint32_t>> cycles;
  for (std::vector<std::uint32_t>& component : Components(order).found) {
    const Span<std::uint32_t> after = order.after(component.front());
    const bool own =
        std::find(after.begin(), after.end(), component.front()) != after.end();
    if (component.size() == 1 && !own) continue;
    std::sort(component.begin(), component.end());
    cycles.push_back(std::move(component));
  }
  std::sort(cycles.begin(), cycles.end());
  return cycles;
}

EventsInOrder::EventsInOrder(const EventOrder& order) {
  const auto components = Components(order).found;
  events.reserve(order.event_count());
  ends.reserve(components.size());
  for (auto at = components.rbegin(); at != components.rend(); ++at) {
    events.insert(events.end(), at->rbegin(), at->rend());
    ends.push_back(static_cast<std::uint32_t>(events.size()));
  }
}

}  // namespace graph_coverage
