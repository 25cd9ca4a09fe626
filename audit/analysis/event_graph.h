// SPDX-License-Identifier: Apache-2.0
//
// Who triggers and who waits for which event of a rank, remote triggers
// included.
#pragma once

#include <cstdint>
#include <vector>

#include "graph_coverage/model/ids.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// Events are named by their position in the rank's `all_events`. A task that
// triggers an event of another rank stands for the peer that triggers the event
// of the same position here: ranks run the same program. Only the number of
// remote triggers is taken from the peers themselves, where all are given.
class EventGraph {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // `peers`: the views of all ranks of the gendir, this one among them; empty
  // where some are missing.
  EventGraph(const View& view, const std::vector<const View*>& peers);

  std::size_t task_count() const { return trigger_.size(); }
  std::size_t event_count() const { return demands_.size(); }

  // kNone where the task names no event, or one that cannot be.
  std::uint32_t trigger(TaskId task) const { return trigger_[Index(task)]; }
  std::uint32_t dependent(TaskId task) const { return dependent_[Index(task)]; }
  // Whether the trigger goes to another rank.
  bool remote(TaskId task) const { return remote_[Index(task)]; }

  // Own tasks, ascending.
  Span<TaskId> triggering(std::uint32_t event) const {
    return Of(triggering_, first_triggering_, event);
  }
  Span<TaskId> waiting(std::uint32_t event) const {
    return Of(waiting_, first_waiting_, event);
  }

  // How many tasks of all ranks trigger the event, and how many it demands.
  std::uint64_t triggers(std::uint32_t event) const {
    return triggering(event).size() - remote_leaving_[event] +
           remote_coming_[event];
  }
  std::uint64_t demands(std::uint32_t event) const { return demands_[event]; }
  const std::vector<std::uint64_t>& demands() const { return demands_; }
  // Tasks here that trigger the event of this position on another rank, and
  // tasks of other ranks that trigger this event.
  std::uint64_t remote_leaving(std::uint32_t event) const {
    return remote_leaving_[event];
  }
  std::uint64_t remote_coming(std::uint32_t event) const {
    return remote_coming_[event];
  }

 private:
  static Span<TaskId> Of(const std::vector<TaskId>& tasks,
                         const std::vector<std::uint32_t>& first,
                         std::uint32_t event) {
    return {tasks.data() + first[event], first[event + 1] - first[event]};
  }

  std::vector<std::uint32_t> trigger_, dependent_;  // by task
  std::vector<bool> remote_;
  std::vector<std::uint64_t> demands_;  // by event
  std::vector<std::uint64_t> remote_leaving_, remote_coming_;
  std::vector<TaskId> triggering_, waiting_;
  std::vector<std::uint32_t> first_triggering_, first_waiting_;
};

// Whether the reference means an event of another rank than the view's.
bool IsRemote(const View& view, EventId event);

}  // namespace graph_coverage
