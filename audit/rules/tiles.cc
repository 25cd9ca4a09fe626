// SPDX-License-Identifier: Apache-2.0
//
// Rules about the tiles of one operator: mixed-tile, tile-pattern.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
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

// How the offsets of one slot go on from task to task.
class Course {
 public:
  explicit Course(std::int64_t offset) : last_(offset) {}

  void GoOn(std::int64_t offset) {
    ++tasks_;
    if (offset == last_) return;
    ++moves_;
    const auto step =
        static_cast<std::uint64_t>(offset) - static_cast<std::uint64_t>(last_);
    if (offset < last_ || (moves_ > 1 && step != step_)) even_ = false;
    step_ = step;
    last_ = offset;
  }

  bool moves() const { return moves_ > 0; }
  // Whether each offset is one step after the last: a pattern at a glance.
  bool even() const { return even_ && moves_ == tasks_; }

 private:
  std::int64_t last_;
  std::uint64_t step_ = 0;
  std::uint64_t tasks_ = 0;  // after the first
  std::uint64_t moves_ = 0;
  bool even_ = true;
};

// By slot, inputs first.
std::vector<Course> CoursesOf(const RankContext& rank, const Operator& of) {
  const Task first = rank.analyses.runs().task(of.runs.front());
  std::vector<Course> courses;
  for (const Span<Operand> operands : {first.inputs, first.outputs}) {
    for (const Operand& operand : operands) {
      courses.emplace_back(operand.offset);
    }
  }
  bool is_first = true;
  EachTask(rank, of, [&](const Task& task) {
    if (std::exchange(is_first, false)) return;
    auto course = courses.begin();
    for (const Operand& input : task.inputs) (course++)->GoOn(input.offset);
    for (const Operand& output : task.outputs) (course++)->GoOn(output.offset);
  });
  return courses;
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
    const std::vector<Course> courses = CoursesOf(rank, operators[op]);
    const auto inputs = static_cast<std::uint32_t>(task.inputs.size());
    for (std::uint32_t i = 0; i < courses.size(); ++i) {
      if (!courses[i].moves()) continue;
      const Slot slot{i >= inputs, i >= inputs ? i - inputs : i};
      const Operand& operand = *OperandIn(task, slot);
      if (!rank.view.layout(operand.layout).has_offset) {
        judgement.CouldNotJudge("operands carry block indices, no offsets");
        continue;
      }
      if (courses[i].even()) continue;
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
