// SPDX-License-Identifier: Apache-2.0
//
// Audits of wired ranks: rules about events, order and memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/audit/rules/audit_of.h"
#include "tests/support/wired_rank.h"

namespace graph_coverage {

inline constexpr std::uint32_t kNorm = 119;
inline constexpr std::uint32_t kLinear = 120;
inline constexpr std::uint32_t kNothing = WiredRank::kNothing;
inline constexpr std::uint32_t kEnd = WiredRank::kEnd;

inline WiredRank TensorsOfTwoLayers() {
  WiredRank rank;
  rank.Attached("x").Attached("w").Attached("v").Attached("out");
  rank.Scratch("h").Scratch("a", 32);
  rank.Branch("TASK_RMS_NORM", {0, 1}, {0}).Branch("TASK_LINEAR", {0, 1}, {0});
  return rank;
}

// Two layers that share the buffers h and a.
inline WiredRank TwoLayers() {
  WiredRank rank = TensorsOfTwoLayers();
  rank.Task(kNorm, {"x", "w"}, {"h"}, kNothing, 2);
  rank.Task(kLinear, {"h", "w"}, {{"a", 0, {8}, {1}}}, 2, 3);
  rank.Task(kLinear, {"h", {"w", 16, {8}, {1}}}, {{"a", 16, {8}, {1}}}, 2, 3);
  rank.Task(kNorm, {{"a", 0, {16}, {1}}, "v"}, {"h"}, 3, 4);
  rank.Task(kLinear, {"h", "x"}, {"out"}, 4, kEnd);
  return rank.Wire();
}

inline Report AuditOf(const WiredRank& rank, const Policy& policy = {}) {
  AuditOptions options;
  options.policy = policy;
  return AuditRanks("small", {rank.Build()}, options);
}

// The rule of each finding of some groups.
inline std::vector<std::string> RulesOf(const Report& report,
                                        const std::string& groups) {
  std::vector<std::string> rules;
  for (const Finding& finding : report.findings) {
    if (groups.find(FindRule(finding.rule)->group) != std::string::npos) {
      rules.push_back(finding.rule);
    }
  }
  return rules;
}

}  // namespace graph_coverage
