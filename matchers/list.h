// SPDX-License-Identifier: Apache-2.0
//
// Lists as the messages of matchers show them.
#pragma once

#include <string>
#include <vector>

#include "graph_coverage/report.h"

namespace graph_coverage {

// Each text after a line break, its lines two spaces in; at most 10, then a
// line that says how many more there are and which command shows them.
std::string ListTexts(const std::vector<std::string>& texts,
                      const Report& report);

// The same of findings as GoogleTest prints them.
std::string ListFindings(const std::vector<const Finding*>& findings,
                         const Report& report);

// "layer-gap (2), tile-pattern (1)", in the order of first appearance; "none".
std::string CountByRule(const std::vector<const Finding*>& findings);

}  // namespace graph_coverage
