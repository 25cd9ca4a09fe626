// SPDX-License-Identifier: Apache-2.0
//
// A finding's neighbourhood as a drawing for Graphviz.
#pragma once

#include <string>
#include <vector>

#include "graph_coverage/finding.h"
#include "graph_coverage/model/rank.h"

namespace graph_coverage {

// DOT of what the finding is about, on the first of its ranks: its tensors, its
// tasks (or those that name its tensors), the events that these trigger and
// wait for, the tasks on the other side, and the tensors they all read and
// write. Of a tensor that no task names, that of the nearest layer is drawn
// with its tasks. The tasks of an operator are one box. At most 40 boxes; the
// label says what is left out. `ranks` are those that the finding's report is
// of.
std::string WriteDot(const std::vector<Rank>& ranks, const Finding& finding);

}  // namespace graph_coverage
