// SPDX-License-Identifier: Apache-2.0
//
// Holds a policy against the catalogue, and its waivers against findings.
#pragma once

#include <atomic>
#include <deque>
#include <vector>

#include "graph_coverage/error.h"
#include "graph_coverage/finding.h"
#include "graph_coverage/policy.h"

namespace graph_coverage {

// What is wrong with a policy: rules and groups that do not exist, waivers
// without a reason.
std::vector<InputError> CheckPolicy(const Policy& policy);

// The waivers of a policy and which of them have matched. Match may be called
// from several threads.
class WaiverSet {
 public:
  explicit WaiverSet(const std::vector<Waiver>& waivers);

  // The first waiver that accepts the finding, or null.
  const Waiver* Match(const Finding& finding);
  // A finding for each waiver that has matched nothing.
  std::vector<Finding> Stale() const;

 private:
  const std::vector<Waiver>& waivers_;
  std::deque<std::atomic<bool>> used_;
};

}  // namespace graph_coverage
