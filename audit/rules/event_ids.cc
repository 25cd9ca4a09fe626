// SPDX-License-Identifier: Apache-2.0
//
// Rules about what tasks and events name: event-range, bad-event-id,
// no-trigger, no-dependency.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "audit/analysis/order.h"
#include "audit/model/one_line.h"
#include "audit/rules/event_rules.h"

namespace graph_coverage {
namespace {

// Versions before dependent_event: events launch ranges, tasks name nothing.
bool TasksNameEvents(const RankContext& rank, Judgement& judgement) {
  if (rank.view.format().dependent_event) return true;
  judgement.CouldNotJudge(
      "tasks of this version of the format do not name what they wait for",
      rank.view.task_count());
  return false;
}

Finding& AddForTask(const RankContext& rank, TaskId task,
                    Judgement& judgement) {
  Finding& finding = judgement.Add();
  finding.task_type = rank.view.TypeName(rank.view.task(task).type);
  finding.tasks = {{task, task}};
  finding.places.push_back({rank.view.graph_file(), 0, 0, 0});
  return finding;
}

bool IsRange(EventType type) {
  return type == EventType::kEmpty || type == EventType::kLaunchTasks ||
         type == EventType::kLaunchMassiveTasks;
}

std::string RangeText(std::uint64_t first, std::uint64_t last) {
  return first >= last ? "no tasks" : fmt::format("[{}, {})", first, last);
}

// Whether the tasks that wait for the event are its range.
bool FitsRange(const Event& event, Span<TaskId> waiting) {
  if (waiting.empty()) return event.first_task >= event.last_task;
  return Index(waiting[0]) == event.first_task &&
         Index(waiting[waiting.size() - 1]) + 1 == event.last_task &&
         waiting.size() == event.last_task - event.first_task;
}

// What is wrong with a reference to an event; nothing where all is right.
class EventIdCheck {
 public:
  explicit EventIdCheck(const View& view)
      : view_(view), tagged_(view.event_count(), kUnnamed) {
    for (std::size_t i = 0; i < view.task_count(); ++i) {
      const EventId trigger = view.task(TaskId(i)).trigger;
      if (trigger.none() || trigger.index() >= view.event_count()) continue;
      tagged_[trigger.index()] |= IsRemote(view, trigger) ? kTagged : kPlain;
    }
  }

  std::optional<std::string> Trigger(EventId event) const {
    if (const auto problem = Either(event)) return problem;
    if (event.nvshmem()) {
      if (IsOwn(event)) {
        return "has the NVSHMEM tag and names this rank as the target";
      }
      if (view_.num_gpus() && event.gpu() >= *view_.num_gpus()) {
        return fmt::format("names rank {} of {}", event.gpu(),
                           *view_.num_gpus());
      }
      return std::nullopt;
    }
    if (IsOwn(event)) return std::nullopt;
    return fmt::format("names rank {} without the NVSHMEM tag", event.gpu());
  }

  std::optional<std::string> Dependent(EventId event) const {
    if (const auto problem = Either(event)) return problem;
    if (!IsOwn(event)) {
      return fmt::format("waits for an event of rank {}", event.gpu());
    }
    const EventType type = view_.event(event.index()).type;
    if (type == EventType::kEndOfTaskGraph || type == EventType::kTermination) {
      return fmt::format("waits for event {}, which ends the {}", event.index(),
                         type == EventType::kTermination ? "kernel" : "graph");
    }
    // Remote ranks signal with the tag on: both sides have it or neither.
    const unsigned tagged = tagged_[event.index()];
    if (tagged == (event.nvshmem() ? kPlain : kTagged)) {
      return event.nvshmem()
                 ? "has the NVSHMEM tag, and no remote task triggers the event"
                 : "lacks the NVSHMEM tag of those that trigger the event";
    }
    return std::nullopt;
  }

 private:
  static constexpr unsigned kUnnamed = 0, kPlain = 1, kTagged = 2;

  std::optional<std::string> Either(EventId event) const {
    if (event.has_stray_bits()) {
      return fmt::format("has bits that mean nothing: {:#x}", event.raw());
    }
    if (event.index() >= view_.event_count()) {
      return fmt::format("names event {} of {}", event.index(),
                         view_.event_count());
    }
    return std::nullopt;
  }

  // The older forms give the rank relative to one's own.
  bool IsOwn(EventId event) const {
    return event.gpu() == Index(view_.rank()) ||
           (view_.format().event_objects && event.gpu() == 0 &&
            !event.nvshmem());
  }

  const View& view_;
  std::vector<unsigned> tagged_;
};

void AddBadId(const RankContext& rank, TaskId task, const char* field,
              const std::string& problem, Judgement& judgement) {
  Finding& finding = AddForTask(rank, task, judgement);
  finding.found = fmt::format("{} {}", field, problem);
  finding.expected = "the id of an event: tag, rank and position";
  finding.advice = "Mend the id; the runtime does not check it";
}

std::vector<bool> FirstTasks(const View& view) {
  std::vector<bool> first(view.task_count());
  for (const TaskId task : view.first_tasks()) {
    if (Index(task) < first.size()) first[Index(task)] = true;
  }
  return first;
}

}  // namespace

void JudgeEventRange(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement) || !TasksNameEvents(rank, judgement)) return;
  const EventGraph& graph = rank.analyses.order().events();
  for (std::uint32_t i = 0; i < graph.event_count(); ++i) {
    const Event event = rank.view.event(i);
    if (!IsRange(event.type)) continue;
    judgement.Judged();
    const Span<TaskId> waiting = graph.waiting(i);
    if (FitsRange(event, waiting)) continue;
    Finding& finding = judgement.Add();
    finding.event = i;
    finding.tasks = RangesOf(waiting);
    finding.places.push_back({rank.view.graph_file(), 0, 0, 0});
    finding.found = fmt::format("has the range {}",
                                RangeText(event.first_task, event.last_task));
    finding.expected =
        waiting.empty()
            ? "an empty one: no task waits for it"
            : fmt::format("the {} that wait for it, from {} to {}",
                          Counted(waiting.size(), "task"), Index(waiting[0]),
                          Index(waiting[waiting.size() - 1]));
    finding.advice = "Make the range and the tasks' dependent_event agree";
  }
}

void JudgeBadEventId(const RankContext& rank, Judgement& judgement) {
  const View& view = rank.view;
  const EventIdCheck check(view);
  // Siblings mostly name the same events: what is fine once is not looked at
  // again.
  EventId fine_trigger, fine_dependent;
  for (std::size_t i = 0; i < view.task_count(); ++i) {
    const Task task = view.task(TaskId(i));
    if (!task.trigger.none()) {
      judgement.Judged();
      if (task.trigger != fine_trigger) {
        if (const auto problem = check.Trigger(task.trigger)) {
          AddBadId(rank, TaskId(i), "trigger_event", *problem, judgement);
        } else {
          fine_trigger = task.trigger;
        }
      }
    }
    if (!task.dependent.none()) {
      judgement.Judged();
      if (task.dependent != fine_dependent) {
        if (const auto problem = check.Dependent(task.dependent)) {
          AddBadId(rank, TaskId(i), "dependent_event", *problem, judgement);
        } else {
          fine_dependent = task.dependent;
        }
      }
    }
  }
}

void JudgeNoTrigger(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  for (std::size_t i = 1; i < rank.view.task_count(); ++i) {
    judgement.Judged();
    if (!rank.view.task(TaskId(i)).trigger.none()) continue;
    Finding& finding = AddForTask(rank, TaskId(i), judgement);
    finding.found =
        "triggers no event: nothing can wait for it, not even the end";
    finding.expected = "a trigger_event";
    finding.advice = "Let it trigger what its readers wait for, or the end";
  }
}

void JudgeNoDependency(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement) || !TasksNameEvents(rank, judgement)) return;
  const std::vector<bool> first = FirstTasks(rank.view);
  for (std::size_t i = 2; i < rank.view.task_count(); ++i) {
    judgement.Judged();
    const bool waits = !rank.view.task(TaskId(i)).dependent.none();
    if (waits != first[i]) continue;
    Finding& finding = AddForTask(rank, TaskId(i), judgement);
    finding.found = waits ? "is a first task and waits for an event"
                          : "waits for no event and is no first task: it runs "
                            "before its inputs are written";
    finding.expected = "that first tasks, and no others, wait for nothing";
    finding.advice = waits ? "Take it off first_tasks, or off its event"
                           : "Give it the event of what it reads";
  }
}

}  // namespace graph_coverage
