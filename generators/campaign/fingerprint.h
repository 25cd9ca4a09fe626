// SPDX-License-Identifier: Apache-2.0
//
// Tells artifacts apart, so that results of one are not taken for another's.
#pragma once

#include <cstdint>
#include <vector>

#include "graph_coverage/model/rank.h"

namespace graph_coverage {

// A 64-bit hash of what the ranks say; the same on any platform.
std::uint64_t FingerprintOf(const std::vector<Rank>& ranks);

}  // namespace graph_coverage
