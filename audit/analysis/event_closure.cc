// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/event_closure.h"

#include <algorithm>

namespace graph_coverage {

EventClosure::EventClosure(std::vector<EventEdge> edges,
                           const std::vector<bool>& weak)
    : number_(weak.size(), kNone), row_(weak.size()) {
  edges.erase(std::remove_if(
                  edges.begin(), edges.end(),
                  [&weak](const EventEdge& edge) { return weak[edge.first]; }),
              edges.end());
  const EventOrder after(weak.size(), edges);
  const EventOrder before = after.Reversed();
  const EventsInOrder order(after);

  std::uint32_t next_number = 0;
  for (const std::uint32_t event : order.events) {
    if (!after.after(event).empty()) number_[event] = next_number++;
  }
  std::vector<Range> ranges;
  std::size_t first = 0;
  for (std::uint32_t row = 0; row < order.ends.size(); ++row) {
    ranges.clear();
    const std::size_t end = order.ends[row];
    for (std::size_t i = first; i < end; ++i) row_[order.events[i]] = row;
    for (std::size_t i = first; i < end; ++i) {
      for (const std::uint32_t earlier : before.after(order.events[i])) {
        if (row_[earlier] == row) {
          acyclic_ = false;
        } else {
          ranges.insert(ranges.end(),
                        ranges_.begin() +
                            static_cast<std::ptrdiff_t>(first_[row_[earlier]]),
                        ranges_.begin() + static_cast<std::ptrdiff_t>(
                                              first_[row_[earlier] + 1]));
        }
        ranges.push_back({number_[earlier], number_[earlier] + 1});
      }
    }
    if (first_.empty()) first_.push_back(0);
    Append(&ranges);
    first = end;
  }
}

// Adds a row: the union of the ranges.
void EventClosure::Append(std::vector<Range>* ranges) {
  const auto by_first = [](const Range& a, const Range& b) {
    return a.first < b.first;
  };
  // What comes before one event only is in order already.
  if (!std::is_sorted(ranges->begin(), ranges->end(), by_first)) {
    std::sort(ranges->begin(), ranges->end(), by_first);
  }
  const std::size_t start = ranges_.size();
  for (const Range& range : *ranges) {
    if (ranges_.size() > start && range.first <= ranges_.back().last) {
      ranges_.back().last = std::max(ranges_.back().last, range.last);
    } else {
      ranges_.push_back(range);
    }
  }
  first_.push_back(ranges_.size());
}

bool EventClosure::Before(std::uint32_t earlier, std::uint32_t event) const {
  const std::uint32_t number = number_[earlier];
  return number != kNone && AnyBefore(number, number, event);
}

bool EventClosure::AnyBefore(std::uint32_t first, std::uint32_t last,
                             std::uint32_t event) const {
  const Range* range = RangeUpTo(last, event);
  return range != nullptr && first < range->last;
}

bool EventClosure::AllBefore(std::uint32_t first, std::uint32_t last,
                             std::uint32_t event) const {
  const Range* range = RangeUpTo(first, event);
  return range != nullptr && last < range->last;
}

const EventClosure::Range* EventClosure::RangeUpTo(std::uint32_t number,
                                                   std::uint32_t event) const {
  const Range* begin = ranges_.data() + first_[row_[event]];
  const Range* end = ranges_.data() + first_[row_[event] + 1];
  const Range* after = std::upper_bound(
      begin, end, number,
      [](std::uint32_t of, const Range& range) { return of < range.first; });
  return after == begin ? nullptr : after - 1;
}

}  // namespace graph_coverage
