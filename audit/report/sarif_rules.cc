// SPDX-License-Identifier: Apache-2.0
#include "audit/report/sarif_rules.h"

#include <fmt/format.h>

#include <cctype>
#include <string>
#include <string_view>

#include "graph_coverage/catalogue.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

char Upper(char c) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
}

// "MissingWiring" of "missing-wiring".
std::string PascalCase(std::string_view id) {
  std::string name;
  bool starts = true;
  for (const char c : id) {
    if (c != '-') name += starts ? Upper(c) : c;
    starts = c == '-';
  }
  return name;
}

std::string AsSentence(std::string_view phrase) {
  std::string text(phrase);
  text[0] = Upper(text[0]);
  return text + ".";
}

// GitHub's own word for a note.
const char* ProblemSeverity(Severity severity) {
  return severity == Severity::kNote ? "recommendation" : ToString(severity);
}

Json RuleJson(const RuleInfo& rule) {
  const std::string help =
      fmt::format("Judges {}. {}\n\nMend: {}\n\nWaive: {}\n\nKnown by: {}",
                  rule.judges, rule.why, rule.mend, rule.waive, rule.source);
  return {
      {"id", rule.id},
      {"name", PascalCase(rule.id)},
      {"shortDescription", {{"text", AsSentence(rule.title)}}},
      {"fullDescription", {{"text", rule.why}}},
      {"help", {{"text", help}}},
      {"helpUri",
       fmt::format(GRAPH_COVERAGE_HOME "/blob/main/docs/rules.md#{}", rule.id)},
      {"defaultConfiguration", {{"level", ToString(rule.severity)}}},
      {"properties",
       {{"group", std::string(1, rule.group)},
        {"scope", ToString(rule.scope)},
        {"tags", {"megakernel", fmt::format("group-{}", rule.group)}},
        {"problem.severity", ProblemSeverity(rule.severity)}}}};
}

}  // namespace

Json SarifRules() {
  Json rules = Json::array();
  for (const RuleInfo& rule : Catalogue()) rules.push_back(RuleJson(rule));
  return rules;
}

}  // namespace graph_coverage
