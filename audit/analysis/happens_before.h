// SPDX-License-Identifier: Apache-2.0
//
// Happens-before between the tasks of a rank: task a comes before task b where
// b cannot start until a has run, whatever the workers do.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "audit/analysis/event_closure.h"
#include "audit/analysis/event_graph.h"

namespace graph_coverage {

// An edge that a mend adds: the readers wait for the writers, too.
struct AddedEdge {
  std::vector<TaskId> writers;
  std::vector<TaskId> readers;
};

// What to take for granted of a graph that has faults.
struct Mend {
  std::vector<AddedEdge> edges;
  std::vector<std::uint32_t> counts;  // events that demand what they should
};

// Events among which some were asked for, by their numbers in the closure.
struct EventRange {
  std::uint32_t first = EventGraph::kNone;
  std::uint32_t last = 0;
};

// The closure over distinct pairs of (event waited for, event triggered). An
// event that more tasks trigger than it demands orders
// nothing: it fires before the last of them. One that demands too many counts
// as firing, for the fault is its own.
class HappensBefore {
 public:
  explicit HappensBefore(const EventGraph& events,
                         const Mend& mend = {});

  bool Before(TaskId a, TaskId b) const;
  // Whether what triggers the one event comes before what waits for the other.
  // kNone: no event.
  bool EventBefore(std::uint32_t triggered, std::uint32_t waited_for) const {
    return triggered != EventGraph::kNone && Orders(waited_for) &&
           Covers(waited_for, triggered);
  }
  // Whether a task that triggers one of the events may come before `task`:
  // false only if none does.
  bool AnyMayComeBefore(const EventRange& events, TaskId task) const;
  // Whether all tasks that trigger one of the events surely come before what
  // waits for the other: events between them do, too.
  bool AllComeBefore(const EventRange& events, std::uint32_t waited_for) const {
    return Orders(waited_for) && events.last != EventClosure::kNone &&
           closure_->AllBefore(events.first, events.last, waited_for);
  }
  // Takes the event into the range.
  void Include(std::uint32_t event, EventRange* events) const;
  // Whether surely no event waits for itself, through others or not.
  bool acyclic() const { return acyclic_; }
  // Whether an added edge ends at the task, so that others which wait for the
  // same event may be ordered otherwise.
  bool HasOwnWaits(TaskId task) const {
    return !more_waits_.empty() && more_waits_.count(task) != 0;
  }

 private:
  // Whether what triggers `earlier` is done when `event` fires.
  bool Covers(std::uint32_t event, std::uint32_t earlier) const {
    return event == earlier || closure_->Before(earlier, event);
  }
  bool Orders(std::uint32_t event) const {
    return event != EventGraph::kNone && !weak_[event];
  }

  const EventGraph& events_;
  // Events, and after them one for each added edge.
  std::vector<bool> weak_;
  bool acyclic_ = false;
  std::optional<EventClosure> closure_;
  std::unordered_map<TaskId, std::vector<std::uint32_t>> more_triggers_;
  std::unordered_map<TaskId, std::vector<std::uint32_t>> more_waits_;
};

}  // namespace graph_coverage
