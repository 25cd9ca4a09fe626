// SPDX-License-Identifier: Apache-2.0
//
// The table of mutation operators, and what its rooms share.
#include "generators/mutation/operators.h"

#include <fmt/format.h>

#include <utility>

namespace graph_coverage {

const std::vector<OperatorRow>& AllOperators() {
  static const std::vector<OperatorRow> all = [] {
    std::vector<OperatorRow> rows;
    for (const auto room :
         {OperandOperators, RewiringOperators, TaskOperators, EventOperators,
          TileOperators, SourceOperators, BenignOperators}) {
      for (OperatorRow& row : room()) rows.push_back(row);
    }
    return rows;
  }();
  return all;
}

const std::vector<MutationOperator>& MutationOperators() {
  static const std::vector<MutationOperator> table = [] {
    std::vector<MutationOperator> rows;
    for (const OperatorRow& row : AllOperators()) rows.push_back(row.info);
    return rows;
  }();
  return table;
}

const MutationOperator* FindMutationOperator(std::string_view id) {
  for (const MutationOperator& row : MutationOperators()) {
    if (row.id == id) return &row;
  }
  return nullptr;
}

TaskEdit& EditTask(const RankIndex& index, std::uint32_t task,
                   Overlay& overlay) {
  const auto [at, added] = overlay.tasks.try_emplace(TaskId(task));
  if (added) {
    const Task own = index.view().task(TaskId(task));
    at->second.task = own;
    at->second.task.inputs = {};
    at->second.task.outputs = {};
    at->second.inputs.assign(own.inputs.begin(), own.inputs.end());
    at->second.outputs.assign(own.outputs.begin(), own.outputs.end());
  }
  return at->second;
}

Event& EditEvent(const RankIndex& index, std::uint32_t event,
                 Overlay& overlay) {
  return overlay.events.try_emplace(event, index.view().event(event))
      .first->second;
}

LayoutId AddLayout(const RankIndex& index, AddedLayout layout,
                   Overlay& overlay) {
  overlay.added_layouts.push_back(std::move(layout));
  return LayoutId(index.rank().graph().layout_count() +
                  overlay.added_layouts.size() - 1);
}

Operand NullOperand(const RankIndex& index, Overlay& overlay) {
  const Rank& rank = index.rank();
  Operand operand;
  if (rank.null_tensor()) {
    operand.tensor = *rank.null_tensor();
  } else {
    if (overlay.added_tensors.empty()) overlay.added_tensors = {"nullptr"};
    operand.tensor = TensorId(rank.tensor_count());
  }
  operand.layout = AddLayout(index, {}, overlay);
  return operand;
}

void Refuse(const Mutation& mutation, const std::string& why) {
  throw std::invalid_argument(
      fmt::format("mutation \"{}\": {}", ToString(mutation), why));
}

std::uint32_t TaskOf(const RankIndex& index, const Mutation& mutation) {
  if (!mutation.task || *mutation.task >= index.view().task_count()) {
    Refuse(mutation,
           fmt::format("expected a task below {}", index.view().task_count()));
  }
  const std::uint32_t type = index.view().task(TaskId(*mutation.task)).type;
  if (type == kTerminateType || type == kBeginType) {
    Refuse(mutation, "expected a task that works, not begin or terminate");
  }
  return *mutation.task;
}

std::uint32_t EventOf(const RankIndex& index, const Mutation& mutation) {
  if (!mutation.event || *mutation.event >= index.view().event_count()) {
    Refuse(mutation, fmt::format("expected an event below {}",
                                 index.view().event_count()));
  }
  return *mutation.event;
}

TensorId TensorOf(const RankIndex& index, const Mutation& mutation,
                  const std::string& name) {
  const auto tensor = index.view().FindTensor(name);
  if (!tensor) Refuse(mutation, "the rank has no tensor \"" + name + "\"");
  return *tensor;
}

std::size_t SlotOf(const RankIndex& index, const Mutation& mutation,
                   bool output) {
  const Task task = index.view().task(TaskId(TaskOf(index, mutation)));
  const Span<Operand> operands = output ? task.outputs : task.inputs;
  const auto& slot = output ? mutation.out : mutation.in;
  if (!slot || *slot >= operands.size()) {
    Refuse(mutation, fmt::format("expected a slot below {}", operands.size()));
  }
  const auto name = index.view().tensor_name(operands[*slot].tensor);
  if (name != mutation.subject) {
    Refuse(mutation, fmt::format("the slot holds {}", name));
  }
  return *slot;
}

std::vector<Site> OperandSites(const RankIndex& index, bool output) {
  std::vector<Site> sites;
  for (const Site& site : TaskSites(index)) {
    const Task task = index.view().task(TaskId(site.a));
    const Span<Operand> operands = output ? task.outputs : task.inputs;
    for (std::uint32_t slot = 0; slot < operands.size(); ++slot) {
      if (!index.view().IsNull(operands[slot].tensor)) {
        sites.push_back({site.a, slot, 1});
      }
    }
  }
  return sites;
}

void FillInput(const RankIndex& index, const Site& site, std::uint32_t,
               Mutation& mutation) {
  mutation.task = site.a;
  mutation.in = site.b;
  mutation.subject = index.view().tensor_name(
      index.view().task(TaskId(site.a)).inputs[site.b].tensor);
}

void FillOutput(const RankIndex& index, const Site& site, std::uint32_t,
                Mutation& mutation) {
  mutation.task = site.a;
  mutation.out = site.b;
  mutation.subject = index.view().tensor_name(
      index.view().task(TaskId(site.a)).outputs[site.b].tensor);
}

std::vector<Site> TaskSites(const RankIndex& index) {
  std::vector<Site> sites;
  for (const TaskRun& run : index.runs()) {
    for (std::uint32_t task = run.begin; task < run.end; ++task) {
      sites.push_back({task, 0, 1});
    }
  }
  return sites;
}

void FillTask(const RankIndex&, const Site& site, std::uint32_t,
              Mutation& mutation) {
  mutation.task = site.a;
}

std::vector<Site> OneSite(const RankIndex&) { return {Site{}}; }

void FillNothing(const RankIndex&, const Site&, std::uint32_t, Mutation&) {}

}  // namespace graph_coverage
