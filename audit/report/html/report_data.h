// SPDX-License-Identifier: Apache-2.0
//
// The data of an audit's page, which report.js draws. Names, ranks and kinds
// of tasks that come again and again stand once and are referred to by their
// position.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "graph_coverage/model/view.h"
#include "graph_coverage/report.h"

namespace graph_coverage {

// `views`: of the report's ranks; none where nothing could be read. `drawings`:
// SVG by the id of a finding.
nlohmann::ordered_json ReportData(const Report& report,
                                  const std::vector<View>& views,
                                  std::map<std::string, std::string> drawings);

}  // namespace graph_coverage
