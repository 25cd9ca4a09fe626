// SPDX-License-Identifier: Apache-2.0
#include "audit/policy_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "audit/analysis/families.h"
#include "audit/model/date.h"
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

bool Accepts(const Waiver& waiver, const Finding& finding) {
  return MatchesGlob(waiver.rule, finding.rule) &&
         MatchesGlob(waiver.tensor, SubjectOf(finding)) &&
         Holds(waiver.layers, finding.layers) &&
         Holds(waiver.ranks, finding.ranks);
}

}  // namespace

bool NamesRules(const std::string& rule) {
  return rule.find_first_of("*?") != std::string::npos ||
         FindRule(rule) != nullptr;
}

bool IsRuleGroup(std::string_view group) {
  const auto& rules = Catalogue();
  return std::any_of(rules.begin(), rules.end(), [group](const RuleInfo& r) {
    return group == std::string_view(&r.group, 1);
  });
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string SubjectOf(const Finding& finding) {
  if (!finding.tensor.empty()) return finding.tensor;
  if (!finding.task_type.empty()) return finding.task_type;
  return finding.event ? fmt::format("event {}", *finding.event) : "";
}

std::vector<InputError> CheckPolicy(const Policy& policy) {
  std::vector<InputError> errors;
  const auto add = [&](const std::string& problem) {
    errors.push_back(
        InputError::Of(policy.file.empty() ? "policy" : policy.file, problem));
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
    if (!NamesRules(waiver.rule)) require_rule(waiver.rule);
    if (IsBlank(waiver.reason)) {
      add(
          fmt::format("the waiver of {} for {} has no reason; say why it is "
                      "accepted",
                      waiver.rule, waiver.tensor));
    }
    if (!waiver.expires.empty() && !IsDate(waiver.expires)) {
      add(
          fmt::format("the waiver of {} for {} expires on \"{}\", which is no "
                      "day such as 2027-03-31",
                      waiver.rule, waiver.tensor, waiver.expires));
    }
  }
  for (const LayerKind& kind : policy.layer_kinds) {
    if (IsBlank(kind.reason)) {
      add(
          fmt::format("the kind of layers {} has no reason; say why they "
                      "differ",
                      RangesText(kind.layers)));
    }
  }
  for (const std::string& group : policy.require) {
    if (!IsRuleGroup(group)) {
      add(
          fmt::format("there is no rule group \"{}\" to require; groups are "
                      "single letters, from A on",
                      group));
    }
  }
  if (!policy.today.empty() && !IsDate(policy.today)) {
    add(fmt::format("\"{}\" is no day such as 2027-03-31", policy.today));
  }
  return errors;
}

WaiverSet::WaiverSet(const Policy& policy)
    : waivers_(policy.waivers),
      today_(policy.today.empty() ? SystemDate() : policy.today),
      used_(policy.waivers.size()) {}

const Waiver* WaiverSet::Match(const Finding& finding) {
  const Waiver* first = nullptr;
  for (std::size_t i = 0; i < waivers_.size(); ++i) {
    if (IsExpired(waivers_[i]) || !Accepts(waivers_[i], finding)) continue;
    used_[i] = true;
    if (first == nullptr) first = &waivers_[i];
  }
  return first;
}

std::vector<Finding> WaiverSet::Stale() const {
  std::vector<Finding> stale;
  for (std::size_t i = 0; i < waivers_.size(); ++i) {
    if (used_[i] || IsExpired(waivers_[i])) continue;
    Finding finding;
    finding.tensor = waivers_[i].tensor;
    finding.found =
        fmt::format("is waived for {} and nothing of it fails (\"{}\")",
                    waivers_[i].rule, waivers_[i].reason);
    finding.expected = "a finding that the waiver accepts";
    finding.advice = "Remove the waiver";
    stale.push_back(std::move(finding));
  }
  return stale;
}

std::vector<Finding> WaiverSet::Expired() const {
  std::vector<Finding> expired;
  for (const Waiver& waiver : waivers_) {
    if (!IsExpired(waiver)) continue;
    Finding finding;
    finding.tensor = waiver.tensor;
    finding.found = fmt::format("was waived for {} until {} (\"{}\")",
                                waiver.rule, waiver.expires, waiver.reason);
    finding.expected = "that it is mended by now";
    finding.advice =
        "Mend it and remove the waiver, or decide anew until when it may stay";
    expired.push_back(std::move(finding));
  }
  return expired;
}

}  // namespace graph_coverage
