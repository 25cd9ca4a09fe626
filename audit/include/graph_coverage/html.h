// SPDX-License-Identifier: Apache-2.0
//
// Reports as a page for a browser: docs/html.md says what it shows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"

namespace graph_coverage {

struct HtmlOptions {
  // Draws findings' neighbourhoods: from texts for Graphviz (WriteDot) an SVG
  // each, or an empty one where it cannot. Not given: the page has tables.
  std::function<std::vector<std::string>(const std::vector<std::string>&)> draw;
};

// One page that needs no other file and no network. Of several gendirs it
// shows one at a time.
std::string WriteHtml(const std::vector<AuditedGendir>& audited,
                      const HtmlOptions& options = {});

}  // namespace graph_coverage
