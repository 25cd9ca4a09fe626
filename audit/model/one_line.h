// SPDX-License-Identifier: Apache-2.0
//
// Small parts of one-line texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/model/ids.h"

namespace graph_coverage {

// "1 rank", "2 ranks"; `plural` where an s does not do.
std::string Counted(std::uint64_t count, std::string_view noun,
                    std::string_view plural = {});

// "rank 0", "ranks 0-3, 5"; "no rank". `ranks` ascending.
std::string RankList(const std::vector<RankId>& ranks);

// The text with its line breaks as spaces.
std::string OneLine(std::string text);

}  // namespace graph_coverage
