// SPDX-License-Identifier: Apache-2.0
//
// Rules about which branch a task runs: no-dispatch, dead-dispatch,
// unknown-type.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "audit/rules/branch_of.h"
#include "audit/rules/branch_rules.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

// Collectives were dispatched outside the chain before 2025-11.
bool MayRunOutsideChain(const RankContext& rank, const Kind& kind) {
  const TaskSemantics* semantics = rank.analyses.semantics().Find(kind.type);
  if (semantics == nullptr || !semantics->collective) return false;
  const auto& names = rank.view.types().Names(kind.type);
  for (std::size_t i = 0; i < rank.view.branch_count(); ++i) {
    if (rank.view.branch(i).type == names.front()) return false;
  }
  return true;
}

// More types than names: some type has no branch, whichever it is. With several
// ranks it may be one that older versions run outside the chain.
void JudgeByNumbers(const RankContext& rank, Judgement& judgement) {
  std::set<std::uint32_t> types;
  for (const Kind& kind : rank.analyses.runs().kinds()) types.insert(kind.type);
  std::set<std::string> names;
  for (std::size_t i = 0; i < rank.view.branch_count(); ++i) {
    names.insert(rank.view.branch(i).type);
  }
  if (types.size() <= names.size()) return;
  Finding& finding = judgement.Add();
  if (rank.view.num_gpus().value_or(1) > 1) {
    finding.severity = Severity::kWarning;
  }
  finding.found =
      fmt::format("The graph has {} task types and the dispatch chain names {}",
                  types.size(), names.size());
  finding.expected = "a branch for each type";
  finding.advice = "Generate source and graph together";
  finding.places.push_back(
      {rank.view.source_file(),
       rank.view.branch_count() > 0 ? rank.view.branch(0).line : 0, 0, 0});
}

}  // namespace

void JudgeNoDispatch(const RankContext& rank, Judgement& judgement) {
  bool some_outside = false;
  for (const Kind& kind : rank.analyses.runs().kinds()) {
    const BranchSet branches(rank.view, kind);
    if (!branches.empty()) {
      judgement.Judged(kind.task_count);
      continue;
    }
    std::string why = WhyBranchUnknown(rank.view, kind);
    if (why.empty() && MayRunOutsideChain(rank, kind)) {
      why = "older versions run the type outside the chain";
      some_outside = true;
    }
    if (!why.empty()) {
      judgement.CouldNotJudge(why, kind.task_count);
      continue;
    }
    judgement.Judged(kind.task_count);
    Finding& finding = AddTaskFinding(rank, {kind.type, kind.variant, {}, {}},
                                      kind.runs, judgement);
    finding.found = fmt::format(
        "of variant {} has no branch in the dispatch chain: its tasks do "
        "nothing",
        kind.variant);
    finding.expected = "a branch for each type and variant";
    finding.advice = "Generate source and graph together";
    Soften(branches, &finding);
  }
  if (rank.view.has_dispatch() && judgement.findings().empty() &&
      !some_outside) {
    JudgeByNumbers(rank, judgement);
  }
}

void JudgeDeadDispatch(const RankContext& rank, Judgement& judgement) {
  std::set<const Branch*> used;
  bool all_named = true;
  for (const Kind& kind : rank.analyses.runs().kinds()) {
    const BranchSet branches(rank.view, kind);
    used.insert(branches.all().begin(), branches.all().end());
    all_named &= !rank.view.types().Names(kind.type).empty();
  }
  for (std::size_t i = 0; i < rank.view.branch_count(); ++i) {
    const Branch& branch = rank.view.branch(i);
    if (used.count(&branch) == 0 && !all_named) {
      judgement.CouldNotJudge("types without a name may run the branch");
      continue;
    }
    judgement.Judged();
    if (used.count(&branch) > 0) continue;
    Finding& finding = judgement.Add();
    finding.task_type = branch.type;
    finding.places.push_back({rank.view.source_file(), branch.line, 0, 0});
    finding.found = fmt::format("has a branch for variant {} that no task runs",
                                branch.variant);
    finding.advice =
        "Nothing to do if an earlier graph of the same process needed it";
  }
}

void JudgeUnknownType(const RankContext& rank, Judgement& judgement) {
  for (const Kind& kind : rank.analyses.runs().kinds()) {
    const auto& names = rank.view.types().Names(kind.type);
    if (names.size() != 1) {
      judgement.CouldNotJudge(names.empty() ? "the task type has no name"
                                            : "the task type has several names",
                              kind.task_count);
      continue;
    }
    judgement.Judged(kind.task_count);
    if (rank.analyses.semantics().Find(kind.type) != nullptr) continue;
    Finding& finding = AddTaskFinding(rank, {kind.type, kind.variant, {}, {}},
                                      kind.runs, judgement);
    finding.found =
        "is not in the table of task semantics: its inputs are taken as read, "
        "its outputs as written";
    finding.advice = "Describe the type in a file and pass it as --semantics";
  }
}

}  // namespace graph_coverage
