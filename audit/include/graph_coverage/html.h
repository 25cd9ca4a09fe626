// SPDX-License-Identifier: Apache-2.0
//
// Reports as a page for a browser: docs/html.md says what it shows.
#pragma once

#include <string>
#include <vector>

#include "graph_coverage/audit.h"

namespace graph_coverage {

// One page that needs no other file and no network. Of several gendirs it
// shows one at a time.
std::string WriteHtml(const std::vector<AuditedGendir>& audited);

}  // namespace graph_coverage
