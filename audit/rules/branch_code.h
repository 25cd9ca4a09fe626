// SPDX-License-Identifier: Apache-2.0
//
// The code of one branch on two ranks: where it may differ.
#pragma once

#include <string>

#include "audit/model/task_semantics.h"
#include "graph_coverage/model/ids.h"
#include "graph_coverage/model/kernel_source.h"

namespace graph_coverage {

struct BranchOnRank {
  const Branch& branch;
  RankId rank;
};

// Whether two ranks of one model may run these branches of one type and
// variant: the same code, but for what the type does on one rank only. `type`:
// null where the table lacks it.
bool MayBothRun(const BranchOnRank& a, const BranchOnRank& b,
                const TaskSemantics* type);

// A few tokens of the first branch, from where the second has others, in
// quotes.
std::string OwnCode(const Branch& own, const Branch& other);

}  // namespace graph_coverage
