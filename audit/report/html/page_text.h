// SPDX-License-Identifier: Apache-2.0
//
// The files beside this one, compiled in.
#pragma once

#include <string_view>

namespace graph_coverage {

extern const std::string_view kPageHtml;
extern const std::string_view kPageCss;
extern const std::string_view kPageScript;
// model.js to report.js, in this order.
extern const std::string_view kReportScript;

}  // namespace graph_coverage
