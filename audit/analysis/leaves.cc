// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/leaves.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace graph_coverage {
namespace {

using Tensors = std::vector<std::uint32_t>;

void Append(Span<Operand> operands, Tensors* tensors) {
  for (const Operand& operand : operands) {
    tensors->push_back(static_cast<std::uint32_t>(operand.tensor));
  }
}

// The tensors that a task names, a mark between inputs and outputs.
Tensors Named(const Task& task) {
  Tensors tensors;
  Append(task.inputs, &tensors);
  tensors.push_back(0xffffffff);
  Append(task.outputs, &tensors);
  return tensors;
}

using Kind = std::pair<std::uint32_t, std::vector<std::string>>;

Kind KindOf(const Task& task, const Families& families) {
  Kind kind{task.type, {}};
  for (const Span<Operand> operands : {task.inputs, task.outputs}) {
    for (const Operand& operand : operands) {
      kind.second.push_back(families.of(operand.tensor).family);
    }
  }
  return kind;
}

bool WritesInputSlotsOnly(const TypeSemantics& semantics, const Task& task) {
  const TaskSemantics* known = semantics.Find(task.type);
  if (known == nullptr || known->writes.empty()) return false;
  for (std::uint32_t slot = 0; slot < SlotSet::kMost; ++slot) {
    if (known->writes.output(slot)) return false;
  }
  return true;
}

// Faults that show only beside the tasks that do not end the graph.
void CompareWithOthers(const View& view, const EventGraph& events,
                       const Families& families,
                       std::vector<LeafOperator>* leaves) {
  std::set<std::uint32_t> types;
  std::map<Kind, std::uint64_t> of_kind;
  for (const LeafOperator& leaf : *leaves) {
    const Task task = view.task(leaf.tasks.front());
    types.insert(task.type);
    ++of_kind[KindOf(task, families)];
  }
  using Outputs = std::pair<std::uint32_t, Tensors>;
  std::set<Outputs> waited;
  std::set<Kind> other_kinds;
  std::uint32_t last_type = 0;
  Tensors last_named;
  for (std::size_t i = 2; i < view.task_count(); ++i) {
    const std::uint32_t trigger = events.trigger(TaskId(i));
    if (trigger == EventGraph::kNone || events.waiting(trigger).empty()) {
      continue;
    }
    const Task task = view.task(TaskId(i));
    if (types.count(task.type) == 0) continue;
    Tensors named = Named(task);
    if (task.type == last_type && named == last_named) continue;
    Outputs outputs{task.type, {}};
    Append(task.outputs, &outputs.second);
    waited.insert(std::move(outputs));
    other_kinds.insert(KindOf(task, families));
    last_type = task.type;
    last_named = std::move(named);
  }
  for (LeafOperator& leaf : *leaves) {
    if (leaf.fault != LeafFault::kNone) continue;
    const Task task = view.task(leaf.tasks.front());
    const Kind kind = KindOf(task, families);
    Outputs outputs{task.type, {}};
    Append(task.outputs, &outputs.second);
    if (!outputs.second.empty() && waited.count(outputs) > 0) {
      leaf.fault = LeafFault::kSiblingsWaited;
    } else if (of_kind[kind] > 1 && other_kinds.count(kind) == 0) {
      leaf.fault = LeafFault::kEveryLayer;
    }
  }
}

}  // namespace

std::vector<LeafOperator> LeafOperators(const View& view,
                                        const EventGraph& events,
                                        const Families& families,
                                        const TypeSemantics& semantics) {
  std::vector<LeafOperator> leaves;
  std::map<std::tuple<std::uint32_t, std::uint32_t, Tensors>, std::size_t> at;
  for (std::uint32_t event = 0; event < events.event_count(); ++event) {
    if (view.event(event).type != EventType::kEndOfTaskGraph) continue;
    for (const TaskId id : events.triggering(event)) {
      const Task task = view.task(id);
      const auto [position, added] = at.emplace(
          std::tuple(task.type, task.variant, Named(task)), leaves.size());
      if (added) {
        leaves.emplace_back();
        if (WritesInputSlotsOnly(semantics, task)) {
          leaves.back().fault = LeafFault::kInputSlotsOnly;
        }
      }
      leaves[position->second].tasks.push_back(id);
    }
  }
  CompareWithOthers(view, events, families, &leaves);
  return leaves;
}

}  // namespace graph_coverage
