// SPDX-License-Identifier: Apache-2.0
//
// One mutant's verdict.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "generators/campaign/new_findings.h"
#include "graph_coverage/audit.h"
#include "graph_coverage/campaign/campaign_result.h"
#include "graph_coverage/model/rank.h"
#include "graph_coverage/mutant_judge.h"
#include "graph_coverage/mutation/mutation_space.h"

namespace graph_coverage {

class MutantAuditor {
 public:
  // `spaces` has one space a rank. All that is passed must outlive the auditor.
  MutantAuditor(const std::vector<Rank>& ranks,
                const std::deque<MutationSpace>& spaces,
                const AuditOptions& options);

  const Report& baseline() const { return baseline_; }

  // How the rules of a verdict are worked out.
  enum class Until { kFirstRule, kAllRules };
  // Judges the mutant; does not throw. `findings`, if given, takes what is new.
  // Its id and its two lines are left out where it is caught and `brief`. From
  // any thread.
  Mutant Judge(const Mutation& mutation, Until until, bool brief,
               std::vector<Finding>* findings = nullptr) const;

 private:
  std::vector<Overlay> Overlays(const Mutation& mutation) const;
  Mutant Verdict(const Mutation& mutation, Until until,
                 const std::vector<Overlay>& overlays,
                 std::vector<Finding>* findings) const;

  const std::vector<Rank>& ranks_;
  const std::deque<MutationSpace>& spaces_;
  AuditOptions options_;
  Report baseline_;
  NewFindings new_findings_;
  std::deque<MutantJudge> judges_;  // one a rank
};

}  // namespace graph_coverage
