// SPDX-License-Identifier: Apache-2.0
//
// Operators that drop tasks, as they are or with the counts of the events that
// the tasks triggered put right.
#include "generators/mutation/operators.h"

namespace graph_coverage {
namespace {

std::vector<Site> RunSites(const RankIndex& index) {
  std::vector<Site> sites;
  for (const TaskRun& run : index.runs()) {
    if (run.end - run.begin > 1) sites.push_back({run.begin});
  }
  return sites;
}

void DropTasks(std::uint32_t begin, std::uint32_t end, Overlay& overlay) {
  for (std::uint32_t task = begin; task < end; ++task) {
    overlay.dropped.push_back(TaskId(task));
  }
}

void RepairCounts(const RankIndex& index, std::uint32_t begin,
                  std::uint32_t end, Overlay& overlay) {
  for (std::uint32_t task = begin; task < end; ++task) {
    const EventId trigger = index.view().task(TaskId(task)).trigger;
    if (trigger.none() || trigger.index() >= index.view().event_count()) {
      continue;
    }
    Event& event = EditEvent(index, trigger.index(), overlay);
    if (event.num_triggers > 0) --event.num_triggers;
  }
}

void DropTask(const RankIndex& index, const Mutation& mutation,
              Overlay& overlay) {
  const std::uint32_t task = TaskOf(index, mutation);
  DropTasks(task, task + 1, overlay);
}

void DropTaskRepaired(const RankIndex& index, const Mutation& mutation,
                      Overlay& overlay) {
  DropTask(index, mutation, overlay);
  RepairCounts(index, *mutation.task, *mutation.task + 1, overlay);
}

void DropOperator(const RankIndex& index, const Mutation& mutation,
                  Overlay& overlay) {
  const TaskRun run = index.run_of(TaskOf(index, mutation));
  DropTasks(run.begin, run.end, overlay);
}

void DropOperatorRepaired(const RankIndex& index, const Mutation& mutation,
                          Overlay& overlay) {
  DropOperator(index, mutation, overlay);
  const TaskRun run = index.run_of(*mutation.task);
  RepairCounts(index, run.begin, run.end, overlay);
}

}  // namespace

std::vector<OperatorRow> TaskOperators() {
  constexpr Edits kEdits = Edits::kTasks;
  return {
      {{"drop-task", "drop a task", kEdits, "work left out, events starved"},
       TaskSites,
       FillTask,
       DropTask},
      {{"drop-task-repaired", "drop a task and repair its event's count",
        kEdits, "work left out"},
       TaskSites,
       FillTask,
       DropTaskRepaired},
      {{"drop-operator", "drop all tasks of an operator", kEdits,
        "work left out, events starved", EditExtent::kOperator},
       RunSites,
       FillTask,
       DropOperator},
      {{"drop-operator-repaired",
        "drop all tasks of an operator and repair their events' counts", kEdits,
        "work left out", EditExtent::kOperator},
       RunSites,
       FillTask,
       DropOperatorRepaired},
  };
}

}  // namespace graph_coverage
