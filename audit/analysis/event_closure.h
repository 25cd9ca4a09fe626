// SPDX-License-Identifier: Apache-2.0
//
// Which events come before which, directly or through others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "audit/analysis/event_cycles.h"

namespace graph_coverage {

// Events are numbered so that each comes after those it waits for. As layers
// follow each other, what comes before an event is then a few ranges of
// numbers, and the whole closure takes little more room than the edges.
class EventClosure {
 public:
  // Edges that leave a weak event order nothing. `weak` has one entry an event.
  EventClosure(std::vector<EventEdge> edges, const std::vector<bool>& weak);

  // Whether `earlier` comes before `event`; members of a cycle come before each
  // other and themselves.
  bool Before(std::uint32_t earlier, std::uint32_t event) const;

  // Whether no event comes before itself.
  bool acyclic() const { return acyclic_; }

  // Where the events are in an order in which each comes after those before it.
  // Events that nothing comes after have no number: kNone.
  static constexpr std::uint32_t kNone = 0xffffffff;
  std::uint32_t number(std::uint32_t event) const { return number_[event]; }
  // Whether an event numbered `first` to `last` comes before `event`.
  bool AnyBefore(std::uint32_t first, std::uint32_t last,
                 std::uint32_t event) const;
  // Whether all events numbered so do.
  bool AllBefore(std::uint32_t first, std::uint32_t last,
                 std::uint32_t event) const;

 private:
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;  // exclusive
  };

  void Append(std::vector<Range>* ranges);
  // The newest range before `event` that begins at `number` or before; null:
  // there is none.
  const Range* RangeUpTo(std::uint32_t number, std::uint32_t event) const;

  bool acyclic_ = true;
  std::vector<std::uint32_t> number_;  // by event; kNone: nothing comes after
  std::vector<std::uint32_t> row_;     // by event: position in first_
  std::vector<std::size_t> first_;
  std::vector<Range> ranges_;
};

}  // namespace graph_coverage
