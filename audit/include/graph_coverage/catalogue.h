// SPDX-License-Identifier: Apache-2.0
//
// The rule catalogue: the one place that says what each rule is. Text output,
// machine formats, `explain` and the docs read it.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/policy.h"

namespace graph_coverage {

// What a rule looks at when it judges one subject.
enum class Scope {
  kDeclaration,
  kTask,
  kBranch,
  kLayer,
  kOperator,
  kEvent,
  kRegion,
  kRanks,   // all ranks together
  kGendir,  // the folder and the policy
};
const char* ToString(Scope scope);

struct RuleInfo {
  std::string_view id;     // "missing-wiring"
  char group;              // 'A' to 'F'
  std::string_view title;  // a predicate phrase
  Severity severity;       // the default
  Scope scope;
  std::string_view judges;  // its subjects: "each layer"
  std::string_view why;     // why it matters
  std::string_view mend;    // what to do about it
  std::string_view waive;   // when it may be accepted
  std::string_view source;  // where the knowledge comes from
  bool one_line = false;    // its findings fold over all tensor names
};

// All rules, in the order of the catalogue.
const std::vector<RuleInfo>& Catalogue();
// The rule of that id, or null.
const RuleInfo* FindRule(std::string_view id);

// GoogleTest prints these types with one line each.
void PrintTo(Scope scope, std::ostream* out);
void PrintTo(const RuleInfo& rule, std::ostream* out);

}  // namespace graph_coverage
