// SPDX-License-Identifier: Apache-2.0
#include "generators/synthetic/schedule.h"

#include <stdexcept>

#include "generators/synthetic/dependencies.h"
#include "generators/synthetic/task_types.h"
#include "generators/synthetic/tile_groups.h"
#include "generators/synthetic/tiling.h"
#include "generators/synthetic/waits.h"

namespace graph_coverage::synthetic {
namespace {

constexpr std::uint64_t kFirstTask = 2;

void CheckRemote(const Program& program, const Waits& waits) {
  for (std::size_t i = 0; i < program.operators().size(); ++i) {
    if (!IsRemote(program.operators()[i].type)) continue;
    const Meeting& meeting = waits.meetings[waits.trigger[i]];
    if (program.ranks != 2 || meeting.producers.size() != 1 ||
        meeting.consumers.size() != 1) {
      throw std::invalid_argument(
          program.operators()[i].type +
          " needs two ranks and exactly one operator that waits for it");
    }
  }
}

}  // namespace

Schedule MakeSchedule(const Program& program) {
  const std::vector<Operator>& ops = program.operators();
  if (ops.empty()) throw std::invalid_argument("a program without operators");
  const auto dependencies = FindDependencies(program);
  const Waits waits = FindWaits(dependencies);
  CheckRemote(program, waits);
  const std::vector<TileGroups> groups =
      FindTileGroups(program, dependencies, waits);

  Schedule schedule;
  std::uint64_t next_task = kFirstTask;
  for (const Operator& op : ops) {
    ScheduledOperator planned;
    planned.first_task = next_task;
    planned.tasks = TaskCount(op);
    next_task += static_cast<std::uint64_t>(planned.tasks);
    schedule.operators.push_back(planned);
  }
  schedule.task_count = next_task;
  schedule.events = {
      {EventType::kTermination, 1, 0, 0},
      {EventType::kLaunchDependentTasks, 1, kFirstTask, next_task}};

  // Events are numbered by who waits for them first; the end comes last.
  std::vector<std::uint32_t> first_event(waits.meetings.size(), 0);
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    ScheduledOperator& planned = schedule.operators[i];
    if (!waits.dependent[i]) {
      for (std::int64_t t = 0; t < planned.tasks; ++t) {
        schedule.first_tasks.push_back(planned.first_task +
                                       static_cast<std::uint64_t>(t));
      }
      continue;
    }
    const std::uint32_t meeting = *waits.dependent[i];
    if (waits.meetings[meeting].consumers.front() == i) {
      first_event[meeting] = static_cast<std::uint32_t>(schedule.events.size());
      schedule.events.insert(schedule.events.end(), groups[meeting].count,
                             {EventType::kEmpty, 0, 0, 0});
    }
    planned.dependent = {first_event[meeting], groups[meeting].consumer, false};
    planned.waits_remote =
        IsRemote(ops[waits.meetings[meeting].producers.front()].type);
    for (std::int64_t t = 0; t < planned.tasks; ++t) {
      Event& event = schedule.events[planned.dependent.Of(t)];
      const std::uint64_t id =
          planned.first_task + static_cast<std::uint64_t>(t);
      if (event.last_task == 0) event.first_task = id;
      event.last_task = id + 1;
    }
  }
  const auto end = static_cast<std::uint32_t>(schedule.events.size());
  schedule.events.push_back({EventType::kEndOfTaskGraph, 0, 0, 0});

  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    ScheduledOperator& planned = schedule.operators[i];
    const std::uint32_t meeting = waits.trigger[i];
    const bool leaf = waits.meetings[meeting].consumers.empty();
    planned.trigger = {
        leaf ? end : first_event[meeting],
        leaf ? std::vector<std::uint32_t>{} : groups[meeting].producer, false};
    for (std::int64_t t = 0; t < planned.tasks; ++t) {
      ++schedule.events[planned.trigger.Of(t)].num_triggers;
    }
  }
  return schedule;
}

}  // namespace graph_coverage::synthetic
