// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/report.h"

#include <algorithm>

namespace graph_coverage {

const char* ToString(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "pass";
    case Verdict::kFail:
      return "fail";
    case Verdict::kInvalid:
      return "invalid";
  }
  return "unknown";
}

std::uint64_t Report::Count(Severity severity) const {
  return static_cast<std::uint64_t>(std::count_if(
      findings.begin(), findings.end(),
      [severity](const Finding& f) { return f.severity == severity; }));
}

}  // namespace graph_coverage
