// SPDX-License-Identifier: Apache-2.0
//
// From views to findings: each rule judges, the policy waives and moves
// severities, layers and ranks fold.
#pragma once

#include <vector>

#include "audit/model/task_semantics.h"
#include "graph_coverage/audit.h"
#include "graph_coverage/contract.h"

namespace graph_coverage {

// Fills the report's findings, worst first, its waived ones, what each rule
// judged, and the coverage of tensors and layers. `available`: the ranks that
// the gendir has, ascending, of which some may not be among the views.
// `contract` may be null.
void JudgeViews(const std::vector<View>& views,
                const std::vector<RankId>& available,
                const SemanticsTable& semantics, const Contract* contract,
                const AuditOptions& options, Report* report);

}  // namespace graph_coverage
