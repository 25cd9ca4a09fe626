// SPDX-License-Identifier: Apache-2.0
#include "audit/rules/lost_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "audit/analysis/accesses.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

class LostResults {
 public:
  explicit LostResults(const RankContext& rank)
      : rank_(rank),
        state_(rank.view.tensor_count()),
        last_use_(rank.view.tensor_count()) {
    const Operators& operators = rank.analyses.operators();
    read_.resize(operators.size());
    for (std::uint32_t op = 0; op < operators.size(); ++op) NoteReads(op);
  }

  // The runs of operators whose result in a slot nothing reads.
  Faults Find() const {
    Faults faults;
    const Operators& operators = rank_.analyses.operators();
    const auto add = [&](std::uint32_t op, const Task& task, Slot slot) {
      const TensorId tensor = OperandIn(task, slot)->tensor;
      auto& runs = faults[{task.type, task.variant, slot, tensor}];
      runs.insert(runs.end(), operators[op].runs.begin(),
                  operators[op].runs.end());
    };
    for (std::uint32_t op = 0; op < operators.size(); ++op) {
      const Task task = operators.task(op);
      const SlotSet reads = rank_.analyses.semantics().Reads(task);
      const SlotSet writes = rank_.analyses.semantics().Writes(task);
      for (std::uint32_t i = 0; i < task.inputs.size(); ++i) {
        if (!writes.input(i) || reads.input(i)) continue;
        if (IsLastUse(op, task.inputs[i].tensor)) add(op, task, {false, i});
      }
      for (std::uint32_t i = 0; i < task.outputs.size(); ++i) {
        if (IsLost(op, task, i)) add(op, task, {true, i});
      }
    }
    return faults;
  }

 private:
  void NoteReads(std::uint32_t op) {
    const Operators& operators = rank_.analyses.operators();
    const Task task = operators.task(op);
    const SlotSet reads = rank_.analyses.semantics().Reads(task);
    for (std::uint32_t i = 0; i < task.inputs.size(); ++i) {
      if (!reads.input(i)) continue;
      const TensorId tensor = task.inputs[i].tensor;
      bool others = false;
      for (const std::uint32_t writer : operators[op].sources[i]) {
        if (writer == op) continue;
        read_[writer].push_back(tensor);
        others = true;
      }
      // Read before it is written: it may hold what the last token left.
      if (!others) state_[Index(tensor)] = true;
    }
    for (const Span<Operand> operands : {task.inputs, task.outputs}) {
      for (const Operand& operand : operands) {
        last_use_[Index(operand.tensor)] = op;
      }
    }
  }

  // A tensor that nobody reads at all is one finding of its own.
  bool MayBeLost(TensorId tensor) const {
    return IsOwnMemory(rank_.view, tensor) && !state_[Index(tensor)] &&
           rank_.analyses.wiring().consumed(tensor);
  }

  // Initialisers write through inputs, and what they write is overwritten: it
  // is lost if nothing names the tensor any more.
  bool IsLastUse(std::uint32_t op, TensorId tensor) const {
    return MayBeLost(tensor) && last_use_[Index(tensor)] == op;
  }

  bool IsLost(std::uint32_t op, const Task& task, std::uint32_t slot) const {
    const TensorId tensor = task.outputs[slot].tensor;
    if (!MayBeLost(tensor)) return false;
    const auto& read = read_[op];
    if (std::find(read.begin(), read.end(), tensor) != read.end()) return false;
    const auto branches = rank_.view.BranchesOf(task.type, task.variant);
    return std::any_of(branches.begin(), branches.end(),
                       [slot](const Branch* branch) {
                         return branch->DereferencesOutput(slot);
                       });
  }

  const RankContext& rank_;
  std::vector<std::vector<TensorId>> read_;  // by operator: results of its own
  std::vector<bool> state_;                  // by tensor
  std::vector<std::uint32_t> last_use_;      // by tensor: an operator
};

}  // namespace

void JudgeLostResults(const RankContext& rank, Judgement& judgement) {
  for (const auto& [key, runs] : LostResults(rank).Find()) {
    Finding& finding = AddTaskFinding(rank, key, runs, judgement);
    finding.found = fmt::format(
        "holds a result, {}, that no task reads before it is overwritten or "
        "the graph ends",
        SlotOfKind(rank, key.type, key.variant, key.slot));
    finding.expected = "a task that reads what is written";
    finding.advice =
        "Wire the reader of the result, which may read another buffer";
  }
}

}  // namespace graph_coverage
