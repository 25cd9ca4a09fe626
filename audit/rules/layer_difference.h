// SPDX-License-Identifier: Apache-2.0
//
// How a layer differs from its peers, in words.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/rules/rule.h"
#include "graph_coverage/finding.h"

namespace graph_coverage {

// The numbers of layers, given by their positions in LayerForms::all().
std::vector<std::uint32_t> LayerNumbers(
    const LayerForms& forms, const std::vector<std::uint32_t>& layers);

// Says how the odd layer differs from its peers (positions in
// LayerForms::all()) at the first operator that does.
void DescribeDifference(const RankContext& rank, const LayerForm& odd,
                        const std::vector<std::uint32_t>& peers,
                        Finding* finding);

}  // namespace graph_coverage
