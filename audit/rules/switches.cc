// SPDX-License-Identifier: Apache-2.0
//
// Features that a literal switches, and the rule about them: disabled-feature.
#include "audit/rules/switches.h"

#include <fmt/format.h>

#include "audit/rules/branch_rules.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

// The literals right before an input slot among the arguments of its call:
// {qk-norm, rope}.
struct Literals {
  bool qk_norm;
  bool rope;
};

bool IsLiteral(const Argument& argument) {
  return argument.kind == Argument::Kind::kBoolean ||
         (argument.kind == Argument::Kind::kNumber &&
          (argument.value == 0 || argument.value == 1));
}

std::optional<Literals> LiteralsBefore(const Branch& branch,
                                       std::uint32_t slot) {
  const std::vector<Argument>& arguments = branch.arguments;
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    if (arguments[i].kind != Argument::Kind::kInput ||
        arguments[i].value != slot) {
      continue;
    }
    const Argument& qk_norm = arguments[i - 2];
    const Argument& rope = arguments[i - 1];
    if (qk_norm.call == arguments[i].call && IsLiteral(qk_norm) &&
        IsLiteral(rope)) {
      return Literals{qk_norm.value != 0, rope.value != 0};
    }
  }
  return std::nullopt;
}

}  // namespace

const char* ToString(Feature feature) {
  return feature == Feature::kQkNorm ? "qk-norm" : "rope";
}

std::optional<bool> SwitchOf(const RankContext& rank, const Kind& kind,
                             const BranchSet& branches, Slot slot) {
  const TaskSemantics* semantics = rank.analyses.semantics().Find(kind.type);
  if (semantics == nullptr || slot.output) return std::nullopt;
  const auto feature = semantics->switched.find(slot.index);
  if (feature == semantics->switched.end()) return std::nullopt;
  std::optional<bool> on;
  for (const Branch* branch : branches.all()) {
    const auto literals =
        LiteralsBefore(*branch, semantics->switched.begin()->first);
    if (!literals) return std::nullopt;
    const bool value = feature->second == Feature::kQkNorm ? literals->qk_norm
                                                           : literals->rope;
    if (on && *on != value) return std::nullopt;
    on = value;
  }
  return on;
}

void JudgeDisabledFeature(const RankContext& rank, Judgement& judgement) {
  for (const Kind& kind : rank.analyses.runs().kinds()) {
    const TaskSemantics* semantics = rank.analyses.semantics().Find(kind.type);
    if (semantics == nullptr || semantics->switched.empty()) continue;
    const BranchSet branches(rank.view, kind);
    if (branches.empty()) {
      judgement.CouldNotJudge("no branch runs the task", kind.task_count);
      continue;
    }
    Faults faults;
    for (const auto& [index, feature] : semantics->switched) {
      const Slot slot{false, index};
      const std::optional<bool> on = SwitchOf(rank, kind, branches, slot);
      if (!on) {
        judgement.CouldNotJudge("the call has no literals before the slots",
                                kind.task_count);
        break;
      }
      for (const std::uint32_t run : kind.runs) {
        const Operand* operand =
            OperandIn(rank.analyses.runs().task(run), slot);
        if (operand == nullptr) continue;
        judgement.Judged(rank.analyses.runs()[run].count);
        const bool wired = !rank.view.IsNull(operand->tensor);
        if (wired == *on) continue;
        faults[{kind.type, kind.variant, slot,
                wired ? std::optional(operand->tensor) : std::nullopt}]
            .push_back(run);
      }
    }
    for (const auto& [key, runs] : faults) {
      const char* feature = ToString(semantics->switched.at(key.slot.index));
      Finding& finding = AddTaskFinding(rank, key, runs, judgement);
      if (key.tensor) {
        finding.found = fmt::format(
            "is wired to {}, whose branch switches {} off",
            SlotOfKind(rank, kind.type, kind.variant, key.slot), feature);
        finding.expected =
            fmt::format("the literal true for {}, or no tensor", feature);
        finding.advice = fmt::format(
            "Generate the branch with {} on, or do not pass the tensor",
            feature);
      } else {
        finding.found =
            fmt::format("has \"nullptr\" in {}, and its branch switches {} on",
                        ToString(key.slot), feature);
        finding.expected =
            fmt::format("a tensor, or the literal false for {}", feature);
        finding.advice = fmt::format(
            "Pass the tensor, or generate the branch with {} off", feature);
      }
    }
  }
}

}  // namespace graph_coverage
