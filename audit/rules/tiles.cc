// SPDX-License-Identifier: Apache-2.0
//
// Rules about the tiles of one operator: mixed-tile, tile-pattern.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/rules/sibling_rules.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

constexpr std::uint64_t kLeastBlock = 8;  // tasks
constexpr std::uint64_t kMostOdd = 2;     // tasks
constexpr std::uint64_t kOddShare = 8;    // at most an eighth

std::vector<TensorId> Tensors(Span<Operand> operands) {
  std::vector<TensorId> tensors;
  for (const Operand& operand : operands) tensors.push_back(operand.tensor);
  return tensors;
}

// Whether two runs are tiles of one output.
bool OneBlock(const RankContext& rank, std::uint32_t a, std::uint32_t b) {
  const Layers& layers = rank.analyses.layers();
  const Task x = rank.analyses.runs().task(a);
  const Task y = rank.analyses.runs().task(b);
  return x.type == y.type && x.variant == y.variant &&
         layers.of_run(a) == layers.of_run(b) &&
         Tensors(x.outputs) == Tensors(y.outputs);
}

// Judges the runs [first, end), which write the same tensors.
void JudgeBlock(const RankContext& rank, std::uint32_t first, std::uint32_t end,
                Judgement& judgement) {
  const Runs& runs = rank.analyses.runs();
  std::map<std::vector<TensorId>, std::vector<std::uint32_t>> by_inputs;
  std::map<std::vector<TensorId>, std::uint64_t> tasks;
  std::uint64_t all = 0;
  for (std::uint32_t run = first; run < end; ++run) {
    const auto inputs = Tensors(runs.task(run).inputs);
    by_inputs[inputs].push_back(run);
    tasks[inputs] += runs[run].count;
    all += runs[run].count;
  }
  judgement.Judged(all);
  if (by_inputs.size() < 2 || all < kLeastBlock) return;
  const auto usual = std::max_element(
      tasks.begin(), tasks.end(),
      [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const auto& [inputs, odd] : by_inputs) {
    const std::uint64_t count = tasks[inputs];
    if (count > kMostOdd || count * kOddShare > all) continue;
    const Task task = runs.task(odd.front());
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
      const bool extra = i >= usual->first.size();
      if (!extra && inputs[i] == usual->first[i]) continue;
      Finding& finding =
          AddTaskFinding(rank, {task.type, task.variant, {false, i}, inputs[i]},
                         odd, judgement);
      finding.found =
          fmt::format("is read in {} by one tile of an operator",
                      SlotOfKind(rank, task.type, task.variant, {false, i}));
      finding.expected =
          extra ? "no operand there"
                : fmt::format(
                      "{}, which the other tiles read",
                      rank.analyses.families().of(usual->first[i]).family);
      finding.advice = "Let all tiles of an operator read the same tensor";
    }
  }
}

// What is wrong with the offsets of one operator's slot; empty where they form
// a pattern. Sorts them, if they are not.
std::string PatternFault(std::vector<std::int64_t>* offsets) {
  constexpr std::size_t kMostSteps = 2;
  if (!std::is_sorted(offsets->begin(), offsets->end())) {
    std::sort(offsets->begin(), offsets->end());
  }
  std::optional<std::size_t> times;
  std::vector<std::int64_t> steps;
  for (std::size_t i = 0; i < offsets->size();) {
    std::size_t j = i + 1;
    while (j < offsets->size() && (*offsets)[j] == (*offsets)[i]) ++j;
    if (times && *times != j - i) {
      return fmt::format("has offset {} {} times and offset {} {} times",
                         (*offsets)[i], j - i, offsets->front(), *times);
    }
    times = j - i;
    if (j < offsets->size()) {
      const std::int64_t step = (*offsets)[j] - (*offsets)[i];
      if (std::find(steps.begin(), steps.end(), step) == steps.end()) {
        steps.push_back(step);
      }
    }
    i = j;
  }
  if (steps.size() > kMostSteps) {
    std::sort(steps.begin(), steps.end());
    return fmt::format(
        "has offsets {} different steps apart, from {} to {} "
        "bytes",
        steps.size(), steps.front(), steps.back());
  }
  return "";
}

// Calls `visit(task)` for each task of an operator.
template <typename Visit>
void EachTask(const RankContext& rank, const Operator& of, const Visit& visit) {
  for (const std::uint32_t run : of.runs) {
    const Run& tasks = rank.analyses.runs()[run];
    for (std::uint32_t i = 0; i < tasks.count; ++i) {
      visit(
          rank.view.task(TaskId(static_cast<std::uint32_t>(tasks.first) + i)));
    }
  }
}

// The slots whose offset is not the same in all tasks of an operator.
std::vector<Slot> MovingSlots(const RankContext& rank, const Operator& of) {
  const Task first = rank.analyses.runs().task(of.runs.front());
  const std::size_t inputs = first.inputs.size();
  std::vector<bool> moves(inputs + first.outputs.size());
  EachTask(rank, of, [&](const Task& task) {
    for (std::size_t i = 0; i < inputs; ++i) {
      if (task.inputs[i].offset != first.inputs[i].offset) moves[i] = true;
    }
    for (std::size_t i = 0; i < first.outputs.size(); ++i) {
      if (task.outputs[i].offset != first.outputs[i].offset) {
        moves[inputs + i] = true;
      }
    }
  });
  std::vector<Slot> slots;
  for (std::uint32_t i = 0; i < moves.size(); ++i) {
    const auto output = static_cast<std::uint32_t>(i - inputs);
    if (moves[i]) slots.push_back({i >= inputs, i < inputs ? i : output});
  }
  return slots;
}

}  // namespace

void JudgeMixedTile(const RankContext& rank, Judgement& judgement) {
  const auto count = static_cast<std::uint32_t>(rank.analyses.runs().size());
  for (std::uint32_t first = 0; first < count;) {
    std::uint32_t end = first + 1;
    while (end < count && OneBlock(rank, first, end)) ++end;
    JudgeBlock(rank, first, end, judgement);
    first = end;
  }
}

void JudgeTilePattern(const RankContext& rank, Judgement& judgement) {
  const Operators& operators = rank.analyses.operators();
  std::vector<std::int64_t> offsets;
  for (std::uint32_t op = 0; op < operators.size(); ++op) {
    judgement.Judged();
    const Task task = operators.task(op);
    for (const Slot& slot : MovingSlots(rank, operators[op])) {
      const Operand& operand = *OperandIn(task, slot);
      if (!rank.view.layout(operand.layout).has_offset) {
        judgement.CouldNotJudge("operands carry block indices, no offsets");
        continue;
      }
      offsets.clear();
      EachTask(rank, operators[op], [&](const Task& tile) {
        offsets.push_back(OperandIn(tile, slot)->offset);
      });
      const std::string fault = PatternFault(&offsets);
      if (fault.empty()) continue;
      Finding& finding =
          AddTaskFinding(rank, {task.type, task.variant, slot, operand.tensor},
                         operators[op].runs, judgement);
      finding.count = 1;  // operators
      finding.found = fmt::format(
          "{} in {}", fault, SlotOfKind(rank, task.type, task.variant, slot));
      finding.expected =
          "each offset equally often, and at most 2 different steps";
      finding.advice = "Give each tile of the operator its own offset";
    }
  }
}

}  // namespace graph_coverage
