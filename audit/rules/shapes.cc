// SPDX-License-Identifier: Apache-2.0
//
// Rules about the shapes of operands: operand-shape, slot-kind,
// residual-shape.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/analysis/accesses.h"
#include "audit/model/one_line.h"
#include "audit/rules/branch_of.h"
#include "audit/rules/sibling_rules.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

// Runs that agree, and how many tasks they are.
struct Group {
  std::vector<std::uint32_t> runs;
  std::uint64_t tasks = 0;
};

// The group of most tasks; of several the first.
template <typename Key>
const Key& MostTasks(const std::map<Key, Group>& groups) {
  return std::max_element(groups.begin(), groups.end(),
                          [](const auto& a, const auto& b) {
                            return a.second.tasks < b.second.tasks;
                          })
      ->first;
}

template <typename Key>
void AddRun(const RankContext& rank, std::uint32_t run, const Key& key,
            std::map<Key, Group>* groups) {
  Group& group = (*groups)[key];
  group.runs.push_back(run);
  group.tasks += rank.analyses.runs()[run].count;
}

// What a slot holds as far as its shape goes; empty where there is no slot.
std::string HeldText(const RankContext& rank, const Task& task, Slot slot) {
  const Operand* operand = OperandIn(task, slot);
  if (operand == nullptr) return "";
  if (rank.view.IsNull(operand->tensor)) return "\"nullptr\"";
  return ShapeText(rank.view.layout(operand->layout));
}

void JudgeCounts(const RankContext& rank, const Kind& kind,
                 Judgement& judgement) {
  std::map<std::pair<std::size_t, std::size_t>, Group> groups;
  for (const std::uint32_t run : kind.runs) {
    const Task task = rank.analyses.runs().task(run);
    AddRun(rank, run, std::pair(task.inputs.size(), task.outputs.size()),
           &groups);
  }
  const auto& usual = MostTasks(groups);
  for (const auto& [counts, group] : groups) {
    if (counts == usual) continue;
    Finding& finding = AddTaskFinding(rank, {kind.type, kind.variant, {}, {}},
                                      group.runs, judgement);
    finding.found = fmt::format("of variant {} has {} and {}", kind.variant,
                                Counted(counts.first, "input"),
                                Counted(counts.second, "output"));
    finding.expected = fmt::format("{} and {}", Counted(usual.first, "input"),
                                   Counted(usual.second, "output"));
    finding.siblings = Sentence(fmt::format(
        "{} have them", LayersText(LayersOf(rank, groups.at(usual).runs))));
    finding.advice =
        "A branch is compiled for one number of operands: pass "
        "the same to each task";
  }
}

void JudgeShapesIn(const RankContext& rank, const Kind& kind, Slot slot,
                   Judgement& judgement) {
  constexpr auto kNull = ShapeId(0xffffffff);
  const Runs& runs = rank.analyses.runs();
  std::map<ShapeId, Group> groups;
  for (const std::uint32_t run : kind.runs) {
    const Operand* operand = OperandIn(runs.task(run), slot);
    if (operand == nullptr) continue;  // the counts differ
    AddRun(
        rank, run,
        rank.view.IsNull(operand->tensor) ? kNull : runs.shape(operand->layout),
        &groups);
  }
  if (groups.size() < 2) return;
  const ShapeId usual = MostTasks(groups);
  const Group& healthy = groups.at(usual);
  const std::string expected =
      HeldText(rank, runs.task(healthy.runs.front()), slot);
  for (const auto& [shape, group] : groups) {
    if (shape == usual) continue;
    const Task task = runs.task(group.runs.front());
    Finding& finding = AddTaskFinding(rank, {kind.type, kind.variant, slot, {}},
                                      group.runs, judgement);
    finding.found = fmt::format("of variant {} has {} in {}", kind.variant,
                                HeldText(rank, task, slot), ToString(slot));
    finding.expected = expected;
    finding.siblings = Sentence(
        fmt::format("{}: {} = {}", LayersText(LayersOf(rank, healthy.runs)),
                    ToString(slot), expected));
    finding.advice =
        "A branch is compiled for one shape: give each task's operand that "
        "shape, or the odd ones a variant of their own";
  }
}

// fp16 models have fp16 where the table, made from bf16 models, has bf16.
DataType AsTable(DataType type) {
  return type == DataType::kFp16 ? DataType::kBf16 : type;
}

// What is wrong with an operand in a slot; empty where it fits.
std::string Misfit(const RankContext& rank, const Operand& operand,
                   const SlotKind& kind) {
  const bool weight = rank.analyses.layers().is_weight(operand.tensor);
  if ((kind.attached || kind.scratch) &&
      !(weight ? kind.attached : kind.scratch)) {
    return weight ? "an attached tensor that no task writes"
                  : "a tensor that tasks write or the kernel allocates";
  }
  const Layout layout = rank.view.layout(operand.layout);
  const auto holds = [](const auto& list, const auto& item) {
    return list.empty() ||
           std::find(list.begin(), list.end(), item) != list.end();
  };
  if (layout.data_type != DataType::kUnknown &&
      !holds(kind.data_types, AsTable(layout.data_type))) {
    return ToString(layout.data_type);
  }
  if (!holds(kind.dims, static_cast<std::uint32_t>(layout.dims.size()))) {
    return fmt::format("{} dimension{}", layout.dims.size(),
                       layout.dims.size() == 1 ? "" : "s");
  }
  return "";
}

std::string Expected(const SlotKind& kind) {
  std::string text = kind.attached && kind.scratch ? "a tensor"
                     : kind.attached               ? "an attached tensor"
                                     : "a tensor that tasks write";
  std::vector<std::string> types;
  for (const DataType type : kind.data_types) types.push_back(ToString(type));
  if (!types.empty()) {
    text += fmt::format(" of {}", fmt::join(types, " or "));
  }
  if (!kind.dims.empty()) {
    text += fmt::format(", {} dimension{}", fmt::join(kind.dims, " or "),
                        kind.dims.back() == 1 ? "" : "s");
  }
  return text;
}

bool HasScratch(const View& view) {
  for (std::size_t i = 0; i < view.declaration_count(); ++i) {
    if (IsOwnMemory(view.declaration_at(i).kind)) return true;
  }
  return false;
}

// Whether a slot before this one has the same tile, to be added to it.
std::optional<Slot> AddedTwice(const TaskSemantics& semantics, const Task& task,
                               std::uint32_t slot) {
  if (!semantics.addends.input(slot)) return std::nullopt;
  for (std::uint32_t other = 0; other < slot; ++other) {
    if (semantics.addends.input(other) &&
        task.inputs[other] == task.inputs[slot]) {
      return Slot{false, other};
    }
  }
  return std::nullopt;
}

void JudgeAddends(const RankContext& rank, const Kind& kind,
                  const TaskSemantics& semantics, Judgement& judgement) {
  std::map<std::pair<FaultKey, Slot>, std::vector<std::uint32_t>> faults;
  for (const std::uint32_t run : kind.runs) {
    const Task task = rank.analyses.runs().task(run);
    for (std::uint32_t slot = 0; slot < task.inputs.size(); ++slot) {
      const auto other = AddedTwice(semantics, task, slot);
      if (!other || rank.view.IsNull(task.inputs[slot].tensor)) continue;
      const FaultKey key{kind.type, kind.variant, Slot{false, slot},
                         task.inputs[slot].tensor};
      faults[{key, *other}].push_back(run);
    }
  }
  for (const auto& [at, runs] : faults) {
    const auto& [key, other] = at;
    Finding& finding = AddTaskFinding(rank, key, runs, judgement);
    finding.severity = Severity::kWarning;  // somebody may want the double
    finding.found = fmt::format(
        "is in {} and in {}, so that it is added to itself", ToString(other),
        SlotOfKind(rank, kind.type, kind.variant, key.slot));
    finding.expected = "two tensors";
    finding.advice = "Wire the tensor that belongs in the other slot";
  }
}

}  // namespace

void JudgeOperandShape(const RankContext& rank, Judgement& judgement) {
  if (!HasVariants(rank.view)) {
    judgement.CouldNotJudge("this version of the format numbers no variants",
                            rank.view.task_count());
    return;
  }
  for (const Kind& kind : rank.analyses.runs().kinds()) {
    judgement.Judged(kind.task_count);
    JudgeCounts(rank, kind, judgement);
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    for (const std::uint32_t run : kind.runs) {
      const Task task = rank.analyses.runs().task(run);
      inputs = std::max(inputs, task.inputs.size());
      outputs = std::max(outputs, task.outputs.size());
    }
    for (std::uint32_t i = 0; i < inputs; ++i) {
      JudgeShapesIn(rank, kind, {false, i}, judgement);
    }
    for (std::uint32_t i = 0; i < outputs; ++i) {
      JudgeShapesIn(rank, kind, {true, i}, judgement);
    }
  }
}

void JudgeSlotKind(const RankContext& rank, Judgement& judgement) {
  const bool has_scratch = HasScratch(rank.view);
  for (const Kind& kind : rank.analyses.runs().kinds()) {
    const TaskSemantics* semantics = rank.analyses.semantics().Find(kind.type);
    if (!has_scratch || semantics == nullptr) {
      judgement.CouldNotJudge(has_scratch
                                  ? "the table of task semantics lacks the type"
                                  : "the graph has no scratch tensors",
                              kind.task_count);
      continue;
    }
    judgement.Judged(kind.task_count);
    JudgeAddends(rank, kind, *semantics, judgement);
    std::map<FaultKey, std::pair<std::string, std::vector<std::uint32_t>>>
        faults;
    for (const auto& [slot, slot_kind] : semantics->slots) {
      for (const std::uint32_t run : kind.runs) {
        const Operand* operand =
            OperandIn(rank.analyses.runs().task(run), slot);
        if (operand == nullptr || rank.view.IsNull(operand->tensor) ||
            rank.view.declaration(operand->tensor) == nullptr) {
          continue;
        }
        std::string misfit = Misfit(rank, *operand, slot_kind);
        if (misfit.empty()) continue;
        auto& fault = faults[{kind.type, kind.variant, slot, operand->tensor}];
        fault.first = std::move(misfit);
        fault.second.push_back(run);
      }
    }
    for (const auto& [key, fault] : faults) {
      Finding& finding = AddTaskFinding(rank, key, fault.second, judgement);
      finding.found = fmt::format(
          "is in {} and is {}",
          SlotOfKind(rank, kind.type, kind.variant, key.slot), fault.first);
      finding.expected = Expected(semantics->slots.at(key.slot));
      finding.advice = "Wire the tensor that belongs in the slot";
    }
  }
}

void JudgeResidualShape(const RankContext& rank, Judgement& judgement) {
  const Runs& runs = rank.analyses.runs();
  for (const Kind& kind : runs.kinds()) {
    const TaskSemantics* semantics = rank.analyses.semantics().Find(kind.type);
    if (semantics == nullptr || semantics->residual.empty()) continue;
    Faults faults;
    for (const std::uint32_t run : kind.runs) {
      const Task task = runs.task(run);
      for (std::uint32_t i = 0; i < task.inputs.size(); ++i) {
        const Operand& residual = task.inputs[i];
        if (!semantics->residual.input(i) || task.outputs.empty() ||
            rank.view.IsNull(residual.tensor)) {
          continue;
        }
        judgement.Judged(runs[run].count);
        if (runs.shape(residual.layout) != runs.shape(task.outputs[0].layout)) {
          faults[{kind.type, kind.variant, {false, i}, residual.tensor}]
              .push_back(run);
        }
      }
    }
    for (const auto& [key, odd] : faults) {
      const Task task = runs.task(odd.front());
      Finding& finding = AddTaskFinding(rank, key, odd, judgement);
      finding.found = fmt::format(
          "is {} in the residual slot {}", HeldText(rank, task, key.slot),
          SlotOfKind(rank, kind.type, kind.variant, key.slot));
      finding.expected = fmt::format("the output's shape, {}",
                                     HeldText(rank, task, {true, 0}));
      finding.advice = "Wire the tensor that is added to the output";
    }
  }
}

}  // namespace graph_coverage
