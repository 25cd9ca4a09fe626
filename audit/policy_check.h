// SPDX-License-Identifier: Apache-2.0
//
// Holds a policy against the catalogue, and its waivers against findings.
#pragma once

#include <atomic>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/error.h"
#include "graph_coverage/finding.h"
#include "graph_coverage/policy.h"

namespace graph_coverage {

// What is wrong with a policy: rules and groups that do not exist, waivers
// without a reason, days that are none.
std::vector<InputError> CheckPolicy(const Policy& policy);

// Whether the text is a rule's id or a pattern.
bool NamesRules(const std::string& rule);
// Whether rules of that group exist.
bool IsRuleGroup(std::string_view group);
// Whether there is nothing in it but white space.
bool IsBlank(std::string_view text);

// What a waiver's `tensor` is held against: the finding's tensor, else its task
// type, else "event 12".
std::string SubjectOf(const Finding& finding);

// The waivers of a policy and which of them have matched. Match may be called
// from several threads. The policy must outlive the set.
class WaiverSet {
 public:
  explicit WaiverSet(const Policy& policy);

  // The first waiver that accepts the finding, or null. One that has expired
  // accepts nothing.
  const Waiver* Match(const Finding& finding);
  // A finding for each waiver that has matched nothing.
  std::vector<Finding> Stale() const;
  // A finding for each waiver that has expired.
  std::vector<Finding> Expired() const;

 private:
  bool IsExpired(const Waiver& waiver) const {
    return !waiver.expires.empty() && waiver.expires < today_;
  }

  const std::vector<Waiver>& waivers_;
  const std::string today_;
  std::deque<std::atomic<bool>> used_;
};

}  // namespace graph_coverage
