// SPDX-License-Identifier: Apache-2.0
//
// Rule about sums over ranks that are never made: unreduced-output.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "audit/rules/sibling_rules.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

// A weight that is cut along the dimension that is summed over, by its name:
// each rank's product is a part of the sum.
bool IsRowParallel(std::string_view name) {
  for (const std::string_view end : {"o_proj", "down_proj", "w2"}) {
    if (name.size() < end.size() ||
        name.substr(name.size() - end.size()) != end) {
      continue;
    }
    const std::string_view before = name.substr(0, name.size() - end.size());
    if (before.empty() || before.back() == '_') return true;
  }
  return false;
}

// Which operators read what an operator wrote.
std::vector<std::vector<std::uint32_t>> ReadersOf(const Operators& operators) {
  std::vector<std::vector<std::uint32_t>> readers(operators.size());
  for (std::uint32_t op = 0; op < operators.size(); ++op) {
    std::set<std::uint32_t> written_by;
    for (const auto& sources : operators[op].sources) {
      written_by.insert(sources.begin(), sources.end());
    }
    for (const std::uint32_t writer : written_by) {
      readers[writer].push_back(op);
    }
  }
  return readers;
}

class Reduction {
 public:
  explicit Reduction(const RankContext& rank)
      : rank_(rank),
        operators_(rank.analyses.operators()),
        readers_(ReadersOf(operators_)) {}

  // The first norm that reads the operator's output before it is reduced; the
  // operator itself where there is none.
  std::uint32_t UnreducedNorm(std::uint32_t from) const {
    std::vector<std::uint32_t> open = {from};
    std::set<std::uint32_t> seen = {from};
    while (!open.empty()) {
      const std::uint32_t op = open.back();
      open.pop_back();
      for (const std::uint32_t reader : readers_[op]) {
        if (!seen.insert(reader).second) continue;
        const Task task = operators_.task(reader);
        const TaskSemantics* semantics =
            rank_.analyses.semantics().Find(task.type);
        if (semantics == nullptr || semantics->collective) continue;
        if (semantics->norm) return reader;
        if (PassesOn(op, reader, *semantics)) open.push_back(reader);
      }
    }
    return from;
  }

 private:
  // Whether the reader's output is still a part of a sum: it adds, or copies,
  // and multiplies by no weight.
  bool PassesOn(std::uint32_t op, std::uint32_t reader,
                const TaskSemantics& semantics) const {
    const Task task = operators_.task(reader);
    bool multiplies = false;
    for (const Operand& operand : task.inputs) {
      multiplies |= rank_.analyses.layers().is_weight(operand.tensor);
    }
    if (!multiplies) return true;
    for (std::uint32_t i = 0; i < task.inputs.size(); ++i) {
      const auto& sources = operators_[reader].sources[i];
      if (semantics.residual.input(i) &&
          std::find(sources.begin(), sources.end(), op) != sources.end()) {
        return true;
      }
    }
    return false;
  }

  const RankContext& rank_;
  const Operators& operators_;
  std::vector<std::vector<std::uint32_t>> readers_;
};

}  // namespace

void JudgeUnreducedOutput(const RankContext& rank, Judgement& judgement) {
  if (rank.view.num_gpus().value_or(1) < 2) return;
  const Operators& operators = rank.analyses.operators();
  const Reduction reduction(rank);
  std::set<TensorId> said;
  for (std::uint32_t op = 0; op < operators.size(); ++op) {
    const Task task = operators.task(op);
    for (std::uint32_t i = 0; i < task.inputs.size(); ++i) {
      const TensorId weight = task.inputs[i].tensor;
      if (!rank.analyses.layers().is_weight(weight) ||
          !IsRowParallel(rank.view.tensor_name(weight))) {
        continue;
      }
      if (rank.analyses.semantics().Find(task.type) == nullptr) {
        judgement.CouldNotJudge("the table of task semantics lacks the type");
        continue;
      }
      judgement.Judged();
      const std::uint32_t norm = reduction.UnreducedNorm(op);
      if (norm == op || !said.insert(weight).second) continue;
      Finding& finding =
          AddTaskFinding(rank, {task.type, task.variant, {false, i}, weight},
                         operators[op].runs, judgement);
      finding.count = 1;  // weights
      finding.found = fmt::format(
          "is cut along the dimension that is summed over, and its product "
          "reaches {} without a sum over the ranks",
          rank.view.TypeName(operators.task(norm).type));
      finding.expected = "an all-reduce between the two";
      finding.advice =
          "Reduce the product over the ranks, or waive it if every rank has "
          "the whole weight";
    }
  }
}

}  // namespace graph_coverage
