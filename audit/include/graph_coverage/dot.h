// SPDX-License-Identifier: Apache-2.0
//
// A finding's neighbourhood as a drawing for Graphviz.
#pragma once

#include <string>
#include <vector>

#include "graph_coverage/finding.h"
#include "graph_coverage/model/rank.h"

namespace graph_coverage {

// DOT of what the finding is about, on the first of its ranks: its tensors,
// tasks and event, the events that those tasks trigger and wait for, the tasks
// on the other side of these, and the tensors they read and write. Of a tensor
// that no task names, the nearest layer's is drawn with its tasks. Like tasks
// are one box. At most 40 boxes; the label says what is left out. `ranks` are
// those that the finding's report is of.
std::string WriteDot(const std::vector<Rank>& ranks, const Finding& finding);

}  // namespace graph_coverage
