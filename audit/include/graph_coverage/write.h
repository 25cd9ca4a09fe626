// SPDX-License-Identifier: Apache-2.0
//
// Reports as text. Each output is a function from reports to a string, the
// same bytes for the same reports.
#pragma once

#include <string>
#include <vector>

#include "graph_coverage/report.h"

namespace graph_coverage {

struct TextOptions {
  bool colour = false;  // terminal escapes around verdicts and severities
};

// For people: a line a critical tensor (or family of tensors), the findings,
// what was judged, and PASS or FAIL. Names are shown with control characters
// escaped.
std::string WriteText(const Report& report, const TextOptions& options = {});

// For machines: JSON as docs/report.schema.json describes it. One report gives
// an object; several give an object that holds them.
std::string WriteJson(const std::vector<Report>& reports);

}  // namespace graph_coverage
