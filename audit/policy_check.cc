// SPDX-License-Identifier: Apache-2.0
#include "audit/policy_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "graph_coverage/catalogue.h"

namespace graph_coverage {
namespace {

template <typename T>
bool Holds(const std::vector<T>& allowed, const std::vector<T>& actual) {
  return allowed.empty() ||
         (!actual.empty() &&
          std::all_of(actual.begin(), actual.end(), [&allowed](const T& item) {
            return std::find(allowed.begin(), allowed.end(), item) !=
                   allowed.end();
          }));
}

std::string SubjectOf(const Finding& finding) {
  if (!finding.tensor.empty()) return finding.tensor;
  if (!finding.task_type.empty()) return finding.task_type;
  return finding.event ? fmt::format("event {}", *finding.event) : "";
}

bool Accepts(const Waiver& waiver, const Finding& finding) {
  return MatchesGlob(waiver.rule, finding.rule) &&
         MatchesGlob(waiver.tensor, SubjectOf(finding)) &&
         Holds(waiver.layers, finding.layers) &&
         Holds(waiver.ranks, finding.ranks);
}

}  // namespace

std::vector<InputError> CheckPolicy(const Policy& policy) {
  std::vector<InputError> errors;
  const auto add = [&errors](const std::string& problem) {
    errors.push_back(InputError::Of("policy", problem));
  };
  const auto require_rule = [&add](const std::string& id) {
    if (FindRule(id) == nullptr) {
      add(fmt::format("there is no rule \"{}\"; the command `rules` lists them",
                      id));
    }
  };
  for (const auto& [id, severity] : policy.severities) require_rule(id);
  for (const std::string& id : policy.off) require_rule(id);
  for (const Waiver& waiver : policy.waivers) {
    const bool pattern = waiver.rule.find_first_of("*?") != std::string::npos;
    if (!pattern) require_rule(waiver.rule);
    if (waiver.reason.empty()) {
      add(
          fmt::format("the waiver of {} for {} has no reason; say why it is "
                      "accepted",
                      waiver.rule, waiver.tensor));
    }
  }
  for (const std::string& group : policy.require) {
    const auto& rules = Catalogue();
    if (std::none_of(rules.begin(), rules.end(), [&group](const RuleInfo& r) {
          return group == std::string(1, r.group);
        })) {
      add(
          fmt::format("there is no rule group \"{}\" to require; groups are "
                      "single letters, from A on",
                      group));
    }
  }
  return errors;
}

WaiverSet::WaiverSet(const std::vector<Waiver>& waivers)
    : waivers_(waivers), used_(waivers.size()) {}

const Waiver* WaiverSet::Match(const Finding& finding) {
  const Waiver* first = nullptr;
  for (std::size_t i = 0; i < waivers_.size(); ++i) {
    if (!Accepts(waivers_[i], finding)) continue;
    used_[i] = true;
    if (first == nullptr) first = &waivers_[i];
  }
  return first;
}

std::vector<Finding> WaiverSet::Stale() const {
  std::vector<Finding> stale;
  for (std::size_t i = 0; i < waivers_.size(); ++i) {
    if (used_[i]) continue;
    Finding finding;
    finding.rule = "stale-waiver";
    finding.severity = FindRule(finding.rule)->severity;
    finding.tensor = waivers_[i].tensor;
    finding.members = {finding.tensor};
    finding.found =
        fmt::format("is waived for {} and nothing of it fails (\"{}\")",
                    waivers_[i].rule, waivers_[i].reason);
    finding.expected = "a finding that the waiver accepts";
    finding.advice = "Remove the waiver";
    stale.push_back(std::move(finding));
  }
  return stale;
}

}  // namespace graph_coverage
