// SPDX-License-Identifier: Apache-2.0
//
// The report's table of declared tensors.
#pragma once

#include <string>
#include <vector>

#include "audit/rules/rule.h"
#include "graph_coverage/report.h"

namespace graph_coverage {

// The declared tensors of one rank, in the order of the source.
std::vector<TensorCoverage> CoverageOf(const RankContext& rank);

// The layers of all ranks that have weights of their own, once each, in order.
std::vector<std::string> LayerNames(const std::vector<RankContext>& ranks);

// Those of all ranks; rows that are equal but for the rank become one.
std::vector<TensorCoverage> MergeCoverage(
    const std::vector<std::vector<TensorCoverage>>& ranks);

}  // namespace graph_coverage
