// SPDX-License-Identifier: Apache-2.0
//
// What the JSON output and the page say of a rank.
#pragma once

#include <nlohmann/json.hpp>

#include "graph_coverage/report.h"

namespace graph_coverage {

nlohmann::ordered_json RankJson(const RankSummary& rank);

}  // namespace graph_coverage
