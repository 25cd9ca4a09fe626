// SPDX-License-Identifier: Apache-2.0
//
// Rules about what a branch dereferences and a task wires: missing-operand,
// ignored-operand, null-dereferenced.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "audit/rules/branch_of.h"
#include "audit/rules/branch_rules.h"
#include "audit/rules/switches.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

// How many of the families of task `a`'s tensors task `b` has, too.
std::size_t SharedFamilies(const RankContext& rank, const Task& a,
                           const Task& b) {
  const auto families = [&rank](const Task& task) {
    std::vector<std::uint32_t> all;
    for (const Span<Operand> operands : {task.inputs, task.outputs}) {
      for (const Operand& operand : operands) {
        if (rank.view.IsNull(operand.tensor)) continue;
        all.push_back(rank.analyses.layers().family(operand.tensor));
      }
    }
    return all;
  };
  const std::vector<std::uint32_t> other = families(b);
  std::size_t shared = 0;
  for (const std::uint32_t family : families(a)) {
    shared += std::find(other.begin(), other.end(), family) != other.end();
  }
  return shared;
}

// "Layers 0-16, 18-35: in5 = cos_table", of the runs of the kind that have an
// operand there and are most like the faulty one: those of its operator in this
// layer and others, if there are any. Empty where no run has an operand there.
std::string HealthySiblings(const RankContext& rank, const Kind& kind,
                            Slot slot, std::uint32_t faulty) {
  const Runs& runs = rank.analyses.runs();
  std::vector<std::uint32_t> healthy;
  std::size_t most = 0;
  for (const std::uint32_t run : kind.runs) {
    const Task task = runs.task(run);
    const Operand* operand = OperandIn(task, slot);
    if (operand == nullptr || rank.view.IsNull(operand->tensor)) continue;
    const std::size_t shared = SharedFamilies(rank, runs.task(faulty), task);
    if (shared < most) continue;
    if (shared > most) healthy.clear();
    most = shared;
    healthy.push_back(run);
  }
  if (healthy.empty()) return "";
  const std::uint32_t nearest = *std::min_element(
      healthy.begin(), healthy.end(), [&](std::uint32_t a, std::uint32_t b) {
        const auto distance = [&](std::uint32_t run) {
          return std::max(run, faulty) - std::min(run, faulty);
        };
        return distance(a) < distance(b);
      });
  const TensorId tensor = OperandIn(runs.task(nearest), slot)->tensor;
  return Sentence(
      fmt::format("{}: {} = {}", LayersText(LayersOf(rank, healthy)),
                  ToString(slot), rank.analyses.families().of(tensor).family));
}

// Slots that a type leaves alone on purpose.
bool MayBeIgnored(const RankContext& rank, const Kind& kind,
                  const BranchSet& branches, Slot slot) {
  const TaskSemantics* semantics = rank.analyses.semantics().Find(kind.type);
  if (semantics == nullptr) return false;
  const bool above_rank_0 = Index(rank.view.rank()) > 0;
  return semantics->ignored.has(slot) ||
         (semantics->ignored_with_tokens.has(slot) &&
          branches.MayReadTokens()) ||
         (semantics->residual.has(slot) && above_rank_0);
}

void AddIgnored(const RankContext& rank, const Kind& kind,
                const BranchSet& branches, const Task& task, bool output,
                std::uint32_t run, Faults* faults) {
  const Span<Operand> operands = output ? task.outputs : task.inputs;
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    const Slot slot{output, i};
    if (rank.view.IsNull(operands[i].tensor) || branches.MayDereference(slot) ||
        MayBeIgnored(rank, kind, branches, slot)) {
      continue;
    }
    (*faults)[{kind.type, kind.variant, slot, operands[i].tensor}].push_back(
        run);
  }
}

// Whether all tasks of a type that is not known leave the slot empty: its
// callee may look before it dereferences.
bool MayBeOptional(const RankContext& rank, const Kind& kind, Slot slot) {
  if (rank.analyses.semantics().Find(kind.type) != nullptr) return false;
  return std::all_of(
      kind.runs.begin(), kind.runs.end(), [&](std::uint32_t run) {
        const Operand* operand =
            OperandIn(rank.analyses.runs().task(run), slot);
        return operand != nullptr && rank.view.IsNull(operand->tensor);
      });
}

}  // namespace

void JudgeMissingOperand(const RankContext& rank, Judgement& judgement) {
  EachKnownKind(
      rank, judgement, [&](const Kind& kind, const BranchSet& branches) {
        Faults faults;
        for (const Slot slot : branches.Dereferenced()) {
          for (const std::uint32_t run : kind.runs) {
            if (OperandIn(rank.analyses.runs().task(run), slot) == nullptr) {
              faults[{kind.type, kind.variant, slot, {}}].push_back(run);
            }
          }
        }
        for (const auto& [key, runs] : faults) {
          Finding& finding = AddTaskFinding(rank, key, runs, judgement);
          finding.found = fmt::format(
              "has no {}, which its branch dereferences", ToString(key.slot));
          finding.expected = fmt::format("a tensor in {}", ToString(key.slot));
          finding.siblings =
              HealthySiblings(rank, kind, key.slot, runs.front());
          finding.advice =
              "Pass the operand, or generate the branch without it";
          Soften(branches, &finding);
        }
      });
}

void JudgeIgnoredOperand(const RankContext& rank, Judgement& judgement) {
  EachKnownKind(
      rank, judgement, [&](const Kind& kind, const BranchSet& branches) {
        Faults faults;
        for (const std::uint32_t run : kind.runs) {
          const Task task = rank.analyses.runs().task(run);
          AddIgnored(rank, kind, branches, task, false, run, &faults);
          AddIgnored(rank, kind, branches, task, true, run, &faults);
        }
        for (const auto& [key, runs] : faults) {
          Finding& finding = AddTaskFinding(rank, key, runs, judgement);
          finding.found =
              fmt::format("is wired to {}, which the branch never dereferences",
                          SlotOfKind(rank, kind.type, kind.variant, key.slot));
          finding.expected =
              fmt::format("a branch that uses {}", ToString(key.slot));
          finding.advice = "Let the branch use the operand, or do not pass it";
        }
      });
}

void JudgeNullDereferenced(const RankContext& rank, Judgement& judgement) {
  EachKnownKind(
      rank, judgement, [&](const Kind& kind, const BranchSet& branches) {
        Faults faults;
        for (const Slot slot : branches.Dereferenced()) {
          if (IsSwitched(rank, kind, branches, slot)) continue;
          if (MayBeOptional(rank, kind, slot)) {
            judgement.CouldNotJudge(
                "no task of a type that is not known has a tensor there",
                kind.task_count);
            continue;
          }
          for (const std::uint32_t run : kind.runs) {
            const Operand* operand =
                OperandIn(rank.analyses.runs().task(run), slot);
            if (operand != nullptr && rank.view.IsNull(operand->tensor)) {
              faults[{kind.type, kind.variant, slot, {}}].push_back(run);
            }
          }
        }
        for (const auto& [key, runs] : faults) {
          Finding& finding = AddTaskFinding(rank, key, runs, judgement);
          finding.found = fmt::format(
              "has \"nullptr\" in {}, which its branch dereferences",
              ToString(key.slot));
          finding.expected = fmt::format("a tensor in {}", ToString(key.slot));
          finding.siblings =
              HealthySiblings(rank, kind, key.slot, runs.front());
          finding.advice = "Pass the tensor that belongs there";
          Soften(branches, &finding);
        }
      });
}

}  // namespace graph_coverage
