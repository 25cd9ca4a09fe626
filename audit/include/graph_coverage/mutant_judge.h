// SPDX-License-Identifier: Apache-2.0
//
// Judges a mutant by what its edit touches: of a rank that has been worked out
// once, only the edited task is looked at again.
//
//   const MutantJudge judge(rank, options);
//   if (const auto rule = judge.FirstRule(overlay)) …  // some microseconds
//   else …                                             // audit the view
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "graph_coverage/audit.h"
#include "graph_coverage/model/overlay.h"
#include "graph_coverage/model/rank.h"

namespace graph_coverage {

class MutantJudge {
 public:
  // Of the options, the policy and the table of task semantics count. The rank
  // must outlive the judge. Throws InputError where the table cannot be read.
  explicit MutantJudge(const Rank& rank, const AuditOptions& options = {});
  ~MutantJudge();

  // A rule that accuses the edited task of the mutant, and did not accuse that
  // task of the rank as it is, with a finding of severity warning or error: an
  // audit of the view says the same. Nothing where only that audit can tell:
  // the overlay is no edit of one task's operands, or none of missing-operand,
  // disabled-feature, null-dereferenced and operand-shape is sure. May be
  // called from several threads.
  std::optional<std::string_view> FirstRule(const Overlay& overlay) const;

 private:
  class Facts;
  std::unique_ptr<const Facts> facts_;
};

}  // namespace graph_coverage
