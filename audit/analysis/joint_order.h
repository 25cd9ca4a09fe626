// SPDX-License-Identifier: Apache-2.0
//
// Happens-before between tasks of several ranks, which signal each other's
// events.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "audit/analysis/event_closure.h"
#include "audit/analysis/event_graph.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// A task of one of the ranks, by their position.
struct RankTask {
  std::size_t rank = 0;
  TaskId task{};

  friend bool operator<(const RankTask& a, const RankTask& b) {
    return std::pair(a.task, a.rank) < std::pair(b.task, b.rank);
  }
};

// `views` are all ranks, ascending from 0, with their events.
class JointOrder {
 public:
  JointOrder(const std::vector<const View*>& views,
             const std::vector<const EventGraph*>& events);

  bool Before(const RankTask& a, const RankTask& b) const;

 private:
  static constexpr std::uint32_t kNone = EventGraph::kNone;

  // The event a task triggers or waits for, numbered through the ranks.
  std::uint32_t Trigger(const RankTask& task) const;
  std::uint32_t Dependent(const RankTask& task) const;

  const std::vector<const View*>& views_;
  const std::vector<const EventGraph*>& events_;
  std::vector<std::uint32_t> base_;  // by rank: the number of its event 0
  std::vector<bool> weak_;           // by event
  std::optional<EventClosure> closure_;
};

}  // namespace graph_coverage
