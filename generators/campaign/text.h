// SPDX-License-Identifier: Apache-2.0
//
// Numbers and words as the campaign's outputs write them.
#pragma once

#include <cstdint>
#include <string>

#include "graph_coverage/campaign/campaign_result.h"

namespace graph_coverage {

// "462,176".
std::string WithThousands(std::uint64_t number);

// "12 caught, 1 survived, 0 equivalent, 0 oracle-gaps, 0 errors".
std::string CountsText(const OutcomeCounts& counts);

// The word as a shell reads it back.
std::string ForShell(const std::string& word);

}  // namespace graph_coverage
