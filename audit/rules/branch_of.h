// SPDX-License-Identifier: Apache-2.0
//
// The branches that a kind of task may run, and what they do with a slot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/model/task_semantics.h"
#include "audit/rules/rule.h"

namespace graph_coverage {

// One branch where the type's name is known; several where it is ambiguous:
// then what all of them do is certain and what one of them does is possible.
class BranchSet {
 public:
  BranchSet(const View& view, const Kind& kind)
      : branches_(view.BranchesOf(kind.type, kind.variant)),
        ambiguous_(view.types().Names(kind.type).size() > 1) {}

  const std::vector<const Branch*>& all() const { return branches_; }
  bool empty() const { return branches_.empty(); }
  // Findings about the kind are no errors then.
  bool ambiguous() const { return ambiguous_; }

  bool MayDereference(Slot slot) const;
  // The slots that every branch names.
  std::vector<Slot> Dereferenced() const;
  bool MayReadTokens() const;

 private:
  std::vector<const Branch*> branches_;
  bool ambiguous_;
};

// Before there were variants, nothing says which code a task of a type runs.
inline bool HasVariants(const View& view) {
  return view.format().variant_id || view.branch_count() > 0;
}

// Why the branch of a kind is not known; empty where it is, or where the chain
// lacks it for sure.
std::string WhyBranchUnknown(const View& view, const Kind& kind);

// The kinds whose branch is known. The others are counted as not judged, task
// by task.
template <typename Visit>
void EachKnownKind(const RankContext& rank, Judgement& judgement,
                   const Visit& visit) {
  for (const Kind& kind : rank.analyses.runs().kinds()) {
    const BranchSet branches(rank.view, kind);
    if (branches.empty()) {
      const std::string why = WhyBranchUnknown(rank.view, kind);
      judgement.CouldNotJudge(why.empty() ? "no branch runs the task" : why,
                              kind.task_count);
    } else {
      judgement.Judged(kind.task_count);
      visit(kind, branches);
    }
  }
}

// A finding about an ambiguous kind is a warning at most.
inline void Soften(const BranchSet& branches, Finding* finding) {
  if (branches.ambiguous() && finding->severity == Severity::kError) {
    finding->severity = Severity::kWarning;
  }
}

}  // namespace graph_coverage
