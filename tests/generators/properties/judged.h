// SPDX-License-Identifier: Apache-2.0
//
// What properties compare: reports without what a rewritten file may change
// (lines, file names, the order of like findings), and ranks as texts for the
// oracle.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "graph_coverage/model/overlay.h"
#include "graph_coverage/model/rank.h"
#include "graph_coverage/model/view.h"
#include "graph_coverage/report.h"
#include "tests/oracle/oracle.h"

namespace graph_coverage {

// A line a finding, tensor, rule and rank; sorted.
std::vector<std::string> Judged(const Report& report);
// The findings alone, without the tasks they name.
std::vector<std::string> FindingsOf(const Report& report);
// Findings of severity warning and error.
std::vector<std::string> FaultsOf(const Report& report);

// The names behind the findings of a rule.
std::set<std::string> NamedBy(const Report& report, const std::string& rule);
// Declared tensors that are consumed.
std::set<std::string> ConsumedIn(const Report& report);

// All ranks as they are, but one under the overlay.
std::vector<View> Under(const std::vector<Rank>& ranks, std::size_t at,
                        const Overlay& overlay);

// A view written out, for the oracle.
oracle::Artifacts TextsOf(const View& view);

}  // namespace graph_coverage
