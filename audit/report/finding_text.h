// SPDX-License-Identifier: Apache-2.0
//
// What several outputs say of a finding in the same words.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "graph_coverage/finding.h"

namespace graph_coverage {

// "rank 0", "ranks 0-3, 5".
std::string RanksText(const std::vector<RankId>& ranks);

// "3, 7-9, …": at most `most` ranges.
std::string TasksText(const std::vector<TaskRange>& tasks, std::size_t most);

// Where it is and its id: "kernel_0.cu:12; ranks 0-1; tasks 3-17; id 3fa9c1d2".
std::string WhereText(const Finding& finding);

struct FindingTextOptions {
  std::string indent;   // before each line
  bool colour = false;  // terminal escapes around severities
  std::size_t most_consequences = std::numeric_limits<std::size_t>::max();
};

// The whole finding, a few lines: what is wrong, where it is, and what goes
// with it, likewise. Fit for a terminal; the last line is ended.
std::string FindingText(const Finding& finding,
                        const FindingTextOptions& options);

}  // namespace graph_coverage
