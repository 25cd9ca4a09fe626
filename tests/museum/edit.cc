// SPDX-License-Identifier: Apache-2.0
#include "tests/museum/edit.h"

#include <stdexcept>
#include <utility>

#include "audit/artifacts/branch_reader.h"
#include "audit/artifacts/cxx_brackets.h"
#include "audit/artifacts/cxx_tokens.h"
#include "graph_coverage/mutation/mutation_space.h"

namespace graph_coverage::museum {
namespace {

[[noreturn]] void Nothing(const std::string& what) {
  throw std::invalid_argument("the rank has no " + what);
}

TaskIds TasksThatName(const View& view, TensorId tensor, bool output) {
  TaskIds tasks;
  for (const Reference& reference : view.references(tensor)) {
    const auto task = static_cast<std::uint32_t>(Index(reference.task));
    if (reference.output == output && (tasks.empty() || tasks.back() != task)) {
      tasks.push_back(task);
    }
  }
  return tasks;
}

}  // namespace

TensorId Edit::Tensor(const std::string& name) const {
  const auto tensor = view_.FindTensor(name);
  if (!tensor) Nothing("tensor " + name);
  return *tensor;
}

TaskIds Edit::Readers(const std::string& tensor) const {
  TaskIds tasks = TasksThatName(view_, Tensor(tensor), false);
  if (tasks.empty()) Nothing("reader of " + tensor);
  return tasks;
}

TaskIds Edit::Writers(const std::string& tensor) const {
  TaskIds tasks = TasksThatName(view_, Tensor(tensor), true);
  if (tasks.empty()) Nothing("writer of " + tensor);
  return tasks;
}

TaskIds Edit::OfType(const std::string& type) const {
  TaskIds tasks;
  for (std::uint32_t i = 0; i < view_.task_count(); ++i) {
    if (view_.TypeName(view_.task(TaskId(i)).type) == type) tasks.push_back(i);
  }
  if (tasks.empty()) Nothing("task of " + type);
  return tasks;
}

std::uint32_t Edit::SlotOf(std::uint32_t task, const std::string& tensor,
                           bool output) const {
  const graph_coverage::Task at = view_.task(TaskId(task));
  const Span<Operand> operands = output ? at.outputs : at.inputs;
  for (std::uint32_t slot = 0; slot < operands.size(); ++slot) {
    if (view_.tensor_name(operands[slot].tensor) == tensor) return slot;
  }
  Nothing("slot of that task for " + tensor);
}

void Edit::Mutate(Mutation mutation) {
  if (!overlay_.empty()) {
    throw std::invalid_argument("a mutation is laid over a rank as it was");
  }
  const MutationSpace space(rank_);
  overlay_ = space.Apply(mutation);
  if (!overlay_.empty()) mutations_.push_back(ToString(mutation));
}

TaskEdit& Edit::At(std::uint32_t task) {
  const auto [at, added] = overlay_.tasks.try_emplace(TaskId(task));
  if (added) {
    const graph_coverage::Task own = view_.task(TaskId(task));
    at->second.task = own;
    at->second.task.inputs = {};
    at->second.task.outputs = {};
    at->second.inputs.assign(own.inputs.begin(), own.inputs.end());
    at->second.outputs.assign(own.outputs.begin(), own.outputs.end());
  }
  return at->second;
}

std::vector<Operand>& Edit::Inputs(std::uint32_t task) {
  return At(task).inputs;
}
std::vector<Operand>& Edit::Outputs(std::uint32_t task) {
  return At(task).outputs;
}
graph_coverage::Task& Edit::Task(std::uint32_t task) { return At(task).task; }

graph_coverage::Event& Edit::Event(std::uint32_t event) {
  return overlay_.events.try_emplace(event, view_.event(event)).first->second;
}

void Edit::Null(std::uint32_t task, std::uint32_t slot) {
  if (!rank_.null_tensor() && overlay_.added_tensors.empty()) {
    overlay_.added_tensors = {"nullptr"};
  }
  Operand& operand = Inputs(task).at(slot);
  operand = {};
  operand.tensor = rank_.null_tensor().value_or(TensorId(rank_.tensor_count()));
  overlay_.added_layouts.emplace_back();
  operand.layout = LayoutId(rank_.graph().layout_count() +
                            overlay_.added_layouts.size() - 1);
}

void Edit::Relayout(Operand& operand,
                    const std::function<void(AddedLayout&)>& change) {
  const Layout own = view_.layout(operand.layout);
  AddedLayout layout{own.data_type,
                     own.has_offset,
                     {own.dims.begin(), own.dims.end()},
                     {own.strides.begin(), own.strides.end()}};
  change(layout);
  overlay_.added_layouts.push_back(std::move(layout));
  operand.layout = LayoutId(rank_.graph().layout_count() +
                            overlay_.added_layouts.size() - 1);
}

std::vector<TaskId>& Edit::FirstTasks() {
  if (!overlay_.first_tasks) {
    const Span<TaskId> own = view_.first_tasks();
    overlay_.first_tasks.emplace(own.begin(), own.end());
  }
  return *overlay_.first_tasks;
}

void Edit::Drop(const TaskIds& tasks) {
  for (const std::uint32_t task : tasks) {
    overlay_.dropped.push_back(TaskId(task));
    --Event(view_.task(TaskId(task)).trigger.index()).num_triggers;
  }
}

void Edit::MoveTriggers(const TaskIds& tasks, std::uint32_t event) {
  for (const std::uint32_t task : tasks) {
    EventId& trigger = Task(task).trigger;
    --Event(trigger.index()).num_triggers;
    ++Event(event).num_triggers;
    trigger = EventId::Of(event, trigger.gpu());
  }
}

std::uint32_t Edit::LastEvent() const {
  return static_cast<std::uint32_t>(view_.event_count() - 1);
}

void Edit::ChangeBranches(const std::string& type, const std::string& from,
                          const std::string& to) {
  bool changed = false;
  for (std::size_t i = 0; i < view_.branch_count(); ++i) {
    const Branch& branch = view_.branch(i);
    const std::size_t at = branch.body.find(from);
    if (branch.type != type || at == std::string::npos) continue;
    std::string body = branch.body;
    body.replace(at, from.size(), to);
    const CxxTokens tokens(body, "branch");
    const CxxBrackets brackets(tokens);
    Branch& other = overlay_.branches[i];
    other.type = branch.type;
    other.variant = branch.variant;
    other.line = branch.line;
    ReadBranch(brackets, {0, tokens.size()}, other);
    changed = true;
  }
  if (!changed) Nothing("branch of " + type + " with " + from);
}

Declaration& Edit::DeclarationOf(const std::string& name) {
  for (std::size_t i = 0; i < view_.declaration_count(); ++i) {
    if (view_.declaration_at(i).name == name) {
      return overlay_.declarations.try_emplace(i, view_.declaration_at(i))
          .first->second;
    }
  }
  Nothing("declaration of " + name);
}

}  // namespace graph_coverage::museum
