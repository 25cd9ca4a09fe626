// SPDX-License-Identifier: Apache-2.0
#include "tests/generators/synthetic/outline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <tuple>

namespace graph_coverage::synthetic {
namespace {

// The chain is in the order of the numbers.
std::map<std::uint32_t, std::string> TypeNames(const KernelSource& source,
                                               const TaskGraph& graph) {
  std::vector<std::string> names;
  for (const Branch& branch : source.branches) {
    if (names.empty() || names.back() != branch.type) {
      names.push_back(branch.type);
    }
  }
  std::set<std::uint32_t> numbers;
  for (std::size_t t = 2; t < graph.task_count(); ++t) {
    numbers.insert(graph.task(TaskId(t)).type);
  }
  std::map<std::uint32_t, std::string> result;
  std::size_t i = 0;
  for (const std::uint32_t number : numbers) {
    result[number] = i < names.size() ? names[i++] : "?";
  }
  return result;
}

// Whether two consecutive tasks are of one operator.
bool SameOperator(const Task& a, const Task& b) {
  const auto same = [](Span<Operand> x, Span<Operand> y) {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i].tensor != y[i].tensor || x[i].layout != y[i].layout)
        return false;
    }
    return true;
  };
  return a.type == b.type && a.variant == b.variant &&
         same(a.inputs, b.inputs) && same(a.outputs, b.outputs);
}

struct Section {
  std::map<std::string, std::size_t> tasks;
  std::set<std::uint32_t> events;
  std::size_t operators = 0;
};

class Outliner {
 public:
  Outliner(const KernelSource& source, const TaskGraph& graph)
      : source_(source), graph_(graph), names_(TypeNames(source, graph)) {}

  Outline Run(const std::vector<int>& layers) {
    Whole();
    for (const int layer : layers) Layer(layer);
    return std::move(outline_);
  }

 private:
  void Set(const std::string& what, std::size_t value) {
    outline_[what] = std::to_string(value);
  }

  Section Over(std::size_t first, std::size_t last) const {
    Section section;
    for (std::size_t t = first; t < last; ++t) {
      const Task task = graph_.task(TaskId(t));
      ++section.tasks[names_.at(task.type)];
      section.events.insert(task.trigger.index());
      if (t == first || !SameOperator(graph_.task(TaskId(t - 1)), task)) {
        ++section.operators;
      }
    }
    return section;
  }

  void Whole() {
    const Section all = Over(2, graph_.task_count());
    Set("tasks", graph_.task_count());
    Set("events", graph_.event_count());
    Set("operators", all.operators);
    std::map<std::string, std::set<std::string>> arities;
    for (std::size_t t = 2; t < graph_.task_count(); ++t) {
      const Task task = graph_.task(TaskId(t));
      arities[names_.at(task.type)].insert(
          fmt::format("{}+{}", task.inputs.size(), task.outputs.size()));
    }
    for (const auto& [type, arity] : arities) {
      outline_["operands of " + type] =
          fmt::format("{}", fmt::join(arity, " "));
    }
    std::map<std::string, std::size_t> kinds;
    std::size_t copies = 0;
    for (const Declaration& declaration : source_.declarations) {
      ++kinds[ToString(declaration.kind)];
      copies += declaration.copies.size();
    }
    for (const auto& [kind, count] : kinds) Set("declared " + kind, count);
    Set("copies into shuffled", copies);
  }

  // The first task that names the norm before the layer's attention; the end
  // of the graph where there is none.
  std::size_t Start(int layer) const {
    const std::string norm = fmt::format("layer_{}_input_layernorm", layer);
    for (std::size_t t = 2; t < graph_.task_count(); ++t) {
      for (const Operand& operand : graph_.task(TaskId(t)).inputs) {
        if (graph_.tensor_name(operand.tensor) == norm) return t;
      }
    }
    return graph_.task_count();
  }

  void Layer(int layer) {
    const Section section = Over(Start(layer), Start(layer + 1));
    const std::string prefix = fmt::format("layer {}: ", layer);
    for (const auto& [type, count] : section.tasks) {
      Set(prefix + "tasks of " + type, count);
    }
    Set(prefix + "operators", section.operators);
    Set(prefix + "events", section.events.size());
  }

  const KernelSource& source_;
  const TaskGraph& graph_;
  const std::map<std::uint32_t, std::string> names_;
  Outline outline_;
};

}  // namespace

Outline OutlineOf(const KernelSource& source, const TaskGraph& graph,
                  const std::vector<int>& layers) {
  return Outliner(source, graph).Run(layers);
}

}  // namespace graph_coverage::synthetic
