// SPDX-License-Identifier: Apache-2.0
#include "audit/report/html/example_tasks.h"

#include <algorithm>

namespace graph_coverage {
namespace {

constexpr std::size_t kShownTasks = 3;

std::vector<std::string> NamesOf(const View& view, Span<Operand> operands) {
  std::vector<std::string> names;
  for (const Operand& operand : operands) {
    names.emplace_back(view.tensor_name(operand.tensor));
  }
  return names;
}

std::vector<std::pair<std::string, std::uint64_t>> CountsByName(
    const View& view, const std::map<std::uint32_t, std::uint64_t>& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> named;
  for (const auto& [type, count] : counts) {
    named.emplace_back(view.TypeName(type), count);
  }
  return named;
}

}  // namespace

ExampleTasks::ExampleTasks(const View& view)
    : view_(view),
      triggered_by_(view.event_count()),
      waited_by_(view.event_count()) {
  const auto count = [](EventId event, std::uint32_t type,
                        std::vector<Counts>* counts) {
    if (!event.none() && event.index() < counts->size()) {
      ++(*counts)[event.index()][type];
    }
  };
  for (std::size_t i = 0; i < view.task_count(); ++i) {
    const Task task = view.task(TaskId(i));
    count(task.trigger, task.type, &triggered_by_);
    count(task.dependent, task.type, &waited_by_);
  }
}

std::vector<TaskId> ExampleTasks::Choose(const Finding& finding) const {
  std::vector<TaskId> chosen;
  const auto add = [&chosen](TaskId task) {
    if (chosen.size() < kShownTasks &&
        std::find(chosen.begin(), chosen.end(), task) == chosen.end()) {
      chosen.push_back(task);
    }
  };
  for (const TaskRange& range : finding.tasks) {
    if (Index(range.first) < view_.task_count()) add(range.first);
  }
  if (!chosen.empty()) return chosen;
  // One a type and slot, so that a writer and its readers are seen.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (const std::string& member : finding.members) {
    const std::optional<TensorId> tensor = view_.FindTensor(member);
    if (!tensor) continue;
    for (const Reference& reference : view_.references(*tensor)) {
      const std::pair<std::uint32_t, std::uint32_t> kind = {
          view_.task(reference.task).type,
          reference.slot + (reference.output ? 1u << 16 : 0u)};
      if (std::find(seen.begin(), seen.end(), kind) != seen.end()) continue;
      seen.push_back(kind);
      add(reference.task);
      if (chosen.size() == kShownTasks) return chosen;
    }
  }
  return chosen;
}

std::optional<EventFacts> ExampleTasks::FactsOf(EventId event) const {
  if (event.none() || event.index() >= view_.event_count()) {
    return std::nullopt;
  }
  return EventFacts{event.index(), view_.event(event.index()).num_triggers,
                    CountsByName(view_, triggered_by_[event.index()]),
                    CountsByName(view_, waited_by_[event.index()])};
}

std::vector<ExampleTask> ExampleTasks::Of(const Finding& finding) const {
  std::vector<ExampleTask> examples;
  for (const TaskId id : Choose(finding)) {
    const Task task = view_.task(id);
    ExampleTask& example = examples.emplace_back();
    example.task = static_cast<std::uint32_t>(id);
    example.type = view_.TypeName(task.type);
    example.variant = task.variant;
    const auto branches = view_.BranchesOf(task.type, task.variant);
    if (branches.size() == 1) example.line = branches.front()->line;
    example.inputs = NamesOf(view_, task.inputs);
    example.outputs = NamesOf(view_, task.outputs);
    example.waits = FactsOf(task.dependent);
    example.triggers = FactsOf(task.trigger);
  }
  return examples;
}

}  // namespace graph_coverage
