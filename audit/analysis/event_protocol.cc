// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/event_protocol.h"

#include <algorithm>
#include <numeric>

namespace graph_coverage {
namespace {

bool Launches(EventType type) {
  return type == EventType::kLaunchTasks ||
         type == EventType::kLaunchMassiveTasks ||
         type == EventType::kLaunchDependentTasks;
}

class Simulation {
 public:
  Simulation(const View& view, const EventGraph& graph,
             const std::vector<std::uint64_t>& demands)
      : view_(view),
        graph_(graph),
        demands_(demands),
        local_(graph.event_count()),
        leaving_(graph.event_count()),
        next_(graph.task_count() + 1) {
    std::iota(next_.begin(), next_.end(), std::size_t{0});
    outcome_.ran.assign(graph.task_count(), false);
    outcome_.fired.assign(graph.event_count(), false);
  }

  ProtocolOutcome Run() {
    for (std::uint32_t event = 0; event < graph_.event_count(); ++event) {
      if (view_.event(event).type == EventType::kEndOfTaskGraph) {
        outcome_.ended = false;
      }
      Count(event);
    }
    if (graph_.task_count() > 1) {
      Launch(1, 2);
      Perform(TaskId{1});
    }
    while (!ready_.empty()) {
      const TaskId task = ready_.back();
      ready_.pop_back();
      Perform(task);
    }
    for (std::size_t i = 1; i < graph_.task_count(); ++i) {
      if (!outcome_.ran[i]) ++outcome_.starved;
    }
    FindStuck();
    return std::move(outcome_);
  }

 private:
  // The counter. Remote triggers come as this rank's own leave.
  std::uint64_t Counter(std::uint32_t event) const {
    const std::uint64_t coming = graph_.remote_coming(event);
    const bool all_left = leaving_[event] == graph_.remote_leaving(event);
    return local_[event] +
           (all_left ? coming : std::min(coming, leaving_[event]));
  }

  void Perform(TaskId task) {
    if (outcome_.ran[Index(task)]) return;
    outcome_.ran[Index(task)] = true;
    const std::uint32_t event = graph_.trigger(task);
    if (event == EventGraph::kNone) return;
    ++(graph_.remote(task) ? leaving_ : local_)[event];
    Count(event);
  }

  void Count(std::uint32_t event) {
    if (outcome_.fired[event] || Counter(event) < demands_[event]) return;
    outcome_.fired[event] = true;
    for (const TaskId task : graph_.waiting(event)) {
      if (Launched(Index(task))) ready_.push_back(task);
    }
    if (demands_[event] == 0) return;
    const Event what = view_.event(event);
    if (what.type == EventType::kEndOfTaskGraph) outcome_.ended = true;
    if (Launches(what.type)) Launch(what.first_task, what.last_task);
  }

  bool Launched(std::size_t task) const { return next_[task] != task; }

  // next_ leads from a launched task to the next that is not.
  std::size_t NextUnlaunched(std::size_t task) {
    std::size_t end = task;
    while (next_[end] != end) end = next_[end];
    while (next_[task] != end && task != end) {
      const std::size_t step = next_[task];
      next_[task] = end;
      task = step;
    }
    return end;
  }

  void Launch(std::uint64_t first, std::uint64_t last) {
    const std::size_t end = std::min<std::uint64_t>(last, graph_.task_count());
    if (first >= end) return;
    for (std::size_t i = NextUnlaunched(first); i < end;
         i = NextUnlaunched(i)) {
      next_[i] = i + 1;
      const std::uint32_t wanted = graph_.dependent(TaskId(i));
      if (wanted == EventGraph::kNone || outcome_.fired[wanted]) {
        ready_.push_back(TaskId(i));
      }
    }
  }

  void FindStuck() {
    for (std::uint32_t event = 0; event < graph_.event_count(); ++event) {
      const bool matters =
          !graph_.waiting(event).empty() ||
          view_.event(event).type == EventType::kEndOfTaskGraph;
      if (!matters || outcome_.fired[event]) continue;
      const Span<TaskId> triggering = graph_.triggering(event);
      if (std::all_of(triggering.begin(), triggering.end(),
                      [this](TaskId t) { return outcome_.ran[Index(t)]; })) {
        outcome_.stuck.push_back(event);
      }
    }
  }

  const View& view_;
  const EventGraph& graph_;
  const std::vector<std::uint64_t>& demands_;
  std::vector<std::uint64_t> local_, leaving_;
  std::vector<std::size_t> next_;
  std::vector<TaskId> ready_;
  ProtocolOutcome outcome_;
};

}  // namespace

ProtocolOutcome RunProtocol(const View& view, const EventGraph& graph,
                            const std::vector<std::uint64_t>& demands) {
  return Simulation(view, graph, demands).Run();
}

}  // namespace graph_coverage
