// SPDX-License-Identifier: Apache-2.0
//
// Rules about what ends the graph: leaf-operation, several-leaves.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "audit/analysis/order.h"
#include "audit/model/one_line.h"
#include "audit/rules/event_rules.h"
#include "audit/rules/race_findings.h"

namespace graph_coverage {
namespace {

// "contiguous_kv through input slot 3": what others could read of it.
std::string WritesText(const RankContext& rank, TaskId id) {
  const Task task = rank.view.task(id);
  const SlotUse& use =
      rank.analyses.order().accesses().use(task.type, task.variant);
  std::vector<std::string> written;
  for (const bool output : {false, true}) {
    const int side = output ? 1 : 0;
    const Span<Operand> operands = output ? task.outputs : task.inputs;
    for (std::size_t slot = 0;
         slot < std::min<std::size_t>(operands.size(), SlotSet::kMost);
         ++slot) {
      const std::uint64_t bits = use.writes[side] & ~use.state[side];
      if ((bits >> slot & 1) == 0) continue;
      written.push_back(
          fmt::format("{} through {} slot {}",
                      rank.analyses.families().of(operands[slot].tensor).family,
                      output ? "output" : "input", slot));
    }
  }
  return fmt::format("{}", fmt::join(written, " and "));
}

std::vector<std::uint32_t> LayersOf(const RankContext& rank,
                                    const std::vector<TaskId>& tasks) {
  std::set<std::uint32_t> layers;
  const Task task = rank.view.task(tasks.front());
  for (const Span<Operand> operands : {task.inputs, task.outputs}) {
    for (const Operand& operand : operands) {
      const auto& name = rank.analyses.families().of(operand.tensor);
      if (name.layer) layers.insert(*name.layer);
    }
  }
  return {layers.begin(), layers.end()};
}

std::string WhyItIsAFault(LeafFault fault) {
  switch (fault) {
    case LeafFault::kInputSlotsOnly:
      return "it has no output slot, so the generator saw no edge to what "
             "reads it";
    case LeafFault::kEveryLayer:
      return "one of its kind does so in every layer";
    case LeafFault::kSiblingsWaited:
      return "others of its type with the same outputs are waited for";
    case LeafFault::kNone:
      break;
  }
  return "";
}

// "TASK_MLA_DECODE_SM100 reads it", of the readers that nothing orders.
std::string ReadersText(const RankContext& rank, const LeafRoot& root) {
  std::vector<TaskId> readers;
  for (const Race* race : root.races) {
    if (race->kind == RaceKind::kRead) readers.push_back(race->later);
  }
  if (readers.empty()) return "";
  return ", though " + TypesOf(rank.view, readers) + " reads it";
}

void AddTasks(const std::vector<TaskId>& tasks, Finding* finding) {
  for (const TaskId task : tasks) finding->tasks.push_back({task, task});
}

}  // namespace

void JudgeLeafOperation(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  judgement.Judged(rank.analyses.order().leaves().size());
  for (const LeafRoot& root : rank.analyses.order().race_roots().leaves) {
    const TaskId first = root.operators.front()->tasks.front();
    Finding& finding = judgement.Add();
    finding.task_type = rank.view.TypeName(rank.view.task(first).type);
    finding.count = root.operators.size();
    finding.places.push_back({rank.view.graph_file(), 0, 0, 0});
    std::set<std::uint32_t> layers;
    for (const LeafOperator* leaf : root.operators) {
      AddTasks(leaf->tasks, &finding);
      for (const std::uint32_t layer : LayersOf(rank, leaf->tasks)) {
        layers.insert(layer);
      }
    }
    finding.layers.assign(layers.begin(), layers.end());
    finding.found = fmt::format(
        "writes {}, {}, and triggers the end of the graph: nothing waits for "
        "it{}; {}",
        WritesText(rank, first), Counted(root.operators.size(), "operator"),
        ReadersText(rank, root), WhyItIsAFault(root.fault));
    finding.expected = "an event that its readers wait for";
    finding.advice =
        "Give the generator the edge from the operator to its readers";
    AddConsequences(rank, root.races, &finding);
  }
}

void JudgeSeveralLeaves(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  const std::vector<LeafOperator>& leaves = rank.analyses.order().leaves();
  judgement.Judged(leaves.size());
  if (leaves.size() < 2) return;
  for (const LeafOperator& leaf : leaves) {
    if (leaf.fault != LeafFault::kNone) continue;
    const TaskId first = leaf.tasks.front();
    const std::string writes = WritesText(rank, first);
    Finding& finding = judgement.Add();
    finding.task_type = rank.view.TypeName(rank.view.task(first).type);
    finding.places.push_back({rank.view.graph_file(), 0, 0, 0});
    AddTasks(leaf.tasks, &finding);
    finding.layers = LayersOf(rank, leaf.tasks);
    finding.found = fmt::format("ends the graph{}{}, as do other operators",
                                writes.empty() ? "" : " and writes ", writes);
    finding.advice = "Nothing to do if nothing should read it";
  }
}

}  // namespace graph_coverage
