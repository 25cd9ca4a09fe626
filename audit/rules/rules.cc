// SPDX-License-Identifier: Apache-2.0
//
// Which function judges which rule of the catalogue.
#include "audit/rules/rule.h"
#include "audit/rules/wiring_rules.h"

namespace graph_coverage {

const std::vector<Rule>& Rules() {
  static const std::vector<Rule> rules = {
      {"missing-wiring", JudgeMissingWiring, nullptr},
      {"unread-attached", JudgeUnreadAttached, nullptr},
      {"undeclared-tensor", JudgeUndeclaredTensor, nullptr},
      {"required-tensor-absent", JudgeRequiredTensorAbsent, nullptr},
      {"write-only", JudgeWriteOnly, nullptr},
      {"dead-scratch", JudgeDeadScratch, nullptr},
      {"shuffle-cover", JudgeShuffleCover, nullptr},
      {"missing-rank", nullptr, JudgeMissingRank},
  };
  return rules;
}

}  // namespace graph_coverage
