// SPDX-License-Identifier: Apache-2.0
#include "tests/support/wired_rank.h"

#include <algorithm>
#include <utility>

#include "audit/artifacts/task_graph_builder.h"

namespace graph_coverage {
namespace {

Event EventOf(EventType type, std::uint64_t triggers, std::uint64_t first,
              std::uint64_t last) {
  Event event;
  event.type = type;
  event.num_triggers = triggers;
  event.first_task = first;
  event.last_task = last;
  return event;
}

Operand OperandOf(const Tile& tile, TaskGraphBuilder& graph) {
  return {graph.Name(tile.tensor),
          graph.Shape({tile.data_type, true, tile.dims, tile.strides}),
          tile.offset};
}

}  // namespace

WiredRank::WiredRank(std::uint32_t rank) : id(RankId(rank)) {
  source.file = "kernel_" + std::to_string(rank) + ".cu";
  tasks.resize(2);
  tasks[0].type = kTerminateType;
  tasks[1].type = kBeginType;
  tasks[1].trigger = EventId::Of(1, static_cast<std::uint16_t>(rank));
}

Declaration& WiredRank::Declare(const std::string& name, TensorKind kind) {
  Declaration& declaration = source.declarations.emplace_back();
  declaration.name = name;
  declaration.kind = kind;
  declaration.line = static_cast<std::uint32_t>(source.declarations.size());
  return declaration;
}

WiredRank& WiredRank::Attached(const std::string& name) {
  Declare(name, TensorKind::kAttached);
  return *this;
}

WiredRank& WiredRank::Scratch(const std::string& name, std::uint64_t bytes) {
  Declare(name, TensorKind::kScratch).bytes = bytes;
  return *this;
}

WiredRank& WiredRank::Nvshmem(const std::string& name, std::uint64_t bytes) {
  Declare(name, TensorKind::kNvshmem).bytes = bytes;
  return *this;
}

WiredRank& WiredRank::Branch(const std::string& type,
                             const std::vector<std::uint32_t>& inputs,
                             const std::vector<std::uint32_t>& outputs,
                             bool metadata) {
  graph_coverage::Branch& branch = source.branches.emplace_back();
  branch.type = type;
  branch.inputs = inputs;
  branch.outputs = outputs;
  branch.reads_task_metadata = metadata;
  source.has_dispatch = true;
  return *this;
}

WiredRank& WiredRank::Task(std::uint32_t type, const std::vector<Tile>& inputs,
                           const std::vector<Tile>& outputs,
                           std::uint32_t waits, std::uint32_t triggers,
                           std::int32_t request_id) {
  const auto gpu = static_cast<std::uint16_t>(Index(id));
  WiredTask& task = tasks.emplace_back();
  task.type = type;
  task.inputs = inputs;
  task.outputs = outputs;
  if (waits != kNothing) task.dependent = EventId::Of(waits, gpu);
  if (triggers != kNothing) task.trigger = EventId::Of(triggers, gpu);
  task.request_id = request_id;
  return *this;
}

WiredRank& WiredRank::Wire() {
  std::uint32_t last = 1;
  for (WiredTask& task : tasks) {
    if (!task.trigger.none() && task.trigger.index() == end_) {
      task.trigger = EventId::Of(kEnd, task.trigger.gpu());
    }
    for (const EventId event : {task.dependent, task.trigger}) {
      if (!event.none() && event.index() != kEnd) {
        last = std::max(last, event.index());
      }
    }
  }
  const std::uint32_t end = end_ = last + 1;
  events.assign(end + 1, EventOf(EventType::kEmpty, 0, 0, 0));
  events[0] = EventOf(EventType::kTermination, 1, 0, 0);
  events[1] = EventOf(EventType::kLaunchDependentTasks, 0, 2, tasks.size());
  events[end] = EventOf(EventType::kEndOfTaskGraph, 0, 0, 0);
  first_tasks.clear();
  for (std::size_t i = 1; i < tasks.size(); ++i) {
    WiredTask& task = tasks[i];
    if (!task.trigger.none()) {
      if (task.trigger.index() == kEnd) {
        task.trigger = EventId::Of(end, task.trigger.gpu());
      }
      ++events[task.trigger.index()].num_triggers;
    }
    if (!task.dependent.none()) {
      Event& event = events[task.dependent.index()];
      if (event.last_task == 0) event.first_task = i;
      event.last_task = i + 1;
    } else if (i > 1) {
      first_tasks.push_back(TaskId(i));
    }
  }
  return *this;
}

Rank WiredRank::Build() const {
  TaskGraphBuilder graph("task_graph_" + std::to_string(Index(id)) + ".json");
  graph.format().dependent_event = true;
  for (const WiredTask& wired : tasks) {
    for (const Tile& tile : wired.inputs) {
      graph.AddInput(OperandOf(tile, graph));
    }
    for (const Tile& tile : wired.outputs) {
      graph.AddOutput(OperandOf(tile, graph));
    }
    graph_coverage::Task task;
    task.type = wired.type;
    task.dependent = wired.dependent;
    task.trigger = wired.trigger;
    task.metadata.request_id = wired.request_id;
    task.metadata.keys = TaskMetadata::kRequestId;
    graph.AddTask(task);
  }
  for (const Event& event : events) graph.AddEvent(event);
  for (const TaskId task : first_tasks) graph.AddFirstTask(task);
  TaskGraph built = graph.Build();
  TypeBinding types = TypeBinding::Bind(built, source);
  return Rank(id, source, std::move(built), std::move(types));
}

}  // namespace graph_coverage
