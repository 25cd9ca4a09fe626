// SPDX-License-Identifier: Apache-2.0
//
// rules and explain: what the catalogue says.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "graph_coverage/catalogue.h"
#include "tool/commands.h"
#include "tool/output.h"

namespace {

using graph_coverage::Catalogue;
using graph_coverage::RuleInfo;
using graph_coverage::Scope;

std::string ListRules() {
  std::size_t widest = 0;
  for (const RuleInfo& rule : Catalogue()) {
    widest = std::max(widest, rule.id.size());
  }
  std::string text;
  for (const RuleInfo& rule : Catalogue()) {
    text += fmt::format("{}  {:{}}  {:7}  {}\n", rule.group, rule.id, widest,
                        graph_coverage::ToString(rule.severity), rule.title);
  }
  return text;
}

std::string ScopeText(Scope scope) {
  switch (scope) {
    case Scope::kRanks:
      return "all ranks together";
    case Scope::kGendir:
      return "the gendir as a whole";
    default:
      return fmt::format("one {} at a time", ToString(scope));
  }
}

std::string Explain(const RuleInfo& rule) {
  return fmt::format(
      "{}: {} (group {}, {}, {})\n\n"
      "Judges    {}.\nWhy       {}\nMend      {}\nWaive     {}\nKnown by  {}\n",
      rule.id, rule.title, rule.group, graph_coverage::ToString(rule.severity),
      ScopeText(rule.scope), rule.judges, rule.why, rule.mend, rule.waive,
      rule.source);
}

}  // namespace

int RunRules() {
  WriteToStandardOutput(ListRules());
  return kExitPass;
}

int RunExplain(const std::string& id) {
  WriteToStandardOutput(Explain(*graph_coverage::FindRule(id)));
  return kExitPass;
}
