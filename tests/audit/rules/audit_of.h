// SPDX-License-Identifier: Apache-2.0
//
// Audits of small ranks, and what one rule says about them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/catalogue.h"
#include "tests/support/tiny_model.h"

namespace graph_coverage {

inline Report AuditOf(const std::vector<TinyModel>& models) {
  std::vector<Rank> ranks;
  for (const TinyModel& model : models) ranks.push_back(model.Build());
  return AuditRanks("tiny", ranks);
}

inline Report AuditOf(const TinyModel& model) {
  return AuditOf(std::vector<TinyModel>{model});
}

inline std::vector<Finding> FindingsOf(const Report& report,
                                       const std::string& rule) {
  std::vector<Finding> findings;
  for (const Finding& finding : report.findings) {
    if (finding.rule == rule) findings.push_back(finding);
  }
  return findings;
}

// The ids of the rules of some groups that found something.
inline std::vector<std::string> RulesThatFire(const Report& report,
                                              const std::string& groups) {
  std::vector<std::string> rules;
  for (const RuleInfo& rule : Catalogue()) {
    if (groups.find(rule.group) == std::string::npos) continue;
    if (!FindingsOf(report, std::string(rule.id)).empty()) {
      rules.emplace_back(rule.id);
    }
  }
  return rules;
}

}  // namespace graph_coverage
