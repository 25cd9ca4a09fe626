// SPDX-License-Identifier: Apache-2.0
//
// Ids of findings that stay through edits of the artifacts elsewhere.
#pragma once

#include <vector>

#include "graph_coverage/model/view.h"
#include "graph_coverage/report.h"

namespace graph_coverage {

// Gives each finding of the report its id, those that are waived and those
// that hang under others too: a hash of its rule, of the names and layers that
// it is about and of what was found, without lines, ranks, the numbers of
// tasks and events, counts and bytes. A finding about tasks or an event alone
// is known by the weights that its first task reads. Where two would share an
// id, the later in the report gets a suffix: "3fa9c1d2-2". `views` are those
// that the report is of.
void AssignFindingIds(const std::vector<View>& views, Report* report);

}  // namespace graph_coverage
