// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/event_graph.h"

#include <algorithm>

namespace graph_coverage {
namespace {

// Sorts the tasks by the event that `of` gives them.
void Gather(const std::vector<std::uint32_t>& of, std::size_t events,
            std::vector<TaskId>* tasks, std::vector<std::uint32_t>* first) {
  first->assign(events + 1, 0);
  for (const std::uint32_t event : of) {
    if (event != EventGraph::kNone) ++(*first)[event + 1];
  }
  for (std::size_t i = 1; i <= events; ++i) (*first)[i] += (*first)[i - 1];
  tasks->resize(first->back());
  std::vector<std::uint32_t> next(first->begin(), first->end() - 1);
  for (std::size_t task = 0; task < of.size(); ++task) {
    if (of[task] != EventGraph::kNone) {
      (*tasks)[next[of[task]]++] = TaskId(task);
    }
  }
}

// Before tasks named the event they wait for, events launched ranges of tasks.
void WaitByRange(const View& view, std::vector<std::uint32_t>* dependent) {
  for (std::size_t i = 0; i < view.event_count(); ++i) {
    const Event event = view.event(i);
    if (event.type != EventType::kLaunchTasks &&
        event.type != EventType::kLaunchMassiveTasks) {
      continue;
    }
    const std::uint64_t last =
        std::min<std::uint64_t>(event.last_task, dependent->size());
    for (std::uint64_t task = event.first_task; task < last; ++task) {
      (*dependent)[task] = static_cast<std::uint32_t>(i);
    }
  }
}

}  // namespace

bool IsRemote(const View& view, EventId event) {
  return event.nvshmem() && event.gpu() != Index(view.rank());
}

EventGraph::EventGraph(const View& view,
                       const std::vector<const View*>& peers) {
  const std::size_t tasks = view.task_count();
  const std::size_t events = view.event_count();
  trigger_.assign(tasks, kNone);
  dependent_.assign(tasks, kNone);
  remote_.assign(tasks, false);
  remote_leaving_.assign(events, 0);
  remote_coming_.assign(events, 0);
  for (std::size_t i = 0; i < events; ++i) {
    demands_.push_back(view.event(i).num_triggers);
  }
  for (std::size_t i = 0; i < tasks; ++i) {
    const Task task = view.task(TaskId(i));
    if (!task.trigger.none() && task.trigger.index() < events) {
      trigger_[i] = task.trigger.index();
      if (IsRemote(view, task.trigger)) {
        remote_[i] = true;
        ++remote_leaving_[trigger_[i]];
      }
    }
    if (!task.dependent.none() && task.dependent.index() < events) {
      dependent_[i] = task.dependent.index();
    }
  }
  if (!view.format().dependent_event) WaitByRange(view, &dependent_);
  if (peers.empty()) remote_coming_ = remote_leaving_;
  for (const View* peer : peers) {
    if (peer->rank() == view.rank()) continue;
    for (std::size_t i = 0; i < peer->task_count(); ++i) {
      const EventId trigger = peer->task(TaskId(i)).trigger;
      if (IsRemote(*peer, trigger) && trigger.gpu() == Index(view.rank()) &&
          trigger.index() < events) {
        ++remote_coming_[trigger.index()];
      }
    }
  }
  Gather(trigger_, events, &triggering_, &first_triggering_);
  Gather(dependent_, events, &waiting_, &first_waiting_);
}

}  // namespace graph_coverage
