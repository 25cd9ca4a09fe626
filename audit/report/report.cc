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

namespace {

const Finding* FindIn(const Finding& finding, std::string_view id) {
  if (finding.id == id) return &finding;
  for (const Finding& consequence : finding.consequences) {
    if (const Finding* found = FindIn(consequence, id)) return found;
  }
  return nullptr;
}

}  // namespace

const Finding* Report::Find(std::string_view id) const {
  for (const Finding& finding : findings) {
    if (const Finding* found = FindIn(finding, id)) return found;
  }
  for (const WaivedFinding& of : waived) {
    if (const Finding* found = FindIn(of.finding, id)) return found;
  }
  return nullptr;
}

}  // namespace graph_coverage
