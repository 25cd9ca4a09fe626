// SPDX-License-Identifier: Apache-2.0
//
// docs/rules.md is the catalogue, with a bad example of each rule: what it
// finds in its case. To write it anew: GRAPH_COVERAGE_WRITE_GOLDEN=1.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph_coverage/catalogue.h"
#include "tests/museum/rule_cases.h"

namespace graph_coverage::museum {
namespace {

const char* TitleOf(char group) {
  switch (group) {
    case 'A':
      return "Declared and consumed";
    case 'B':
      return "Graph against code";
    case 'C':
      return "Siblings agree";
    case 'D':
      return "Events";
    case 'E':
      return "Order and memory";
    default:
      return "Against what was agreed";
  }
}

// Text that stands in Markdown as it is.
std::string Plain(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == '*' || c == '<' || c == '_') plain += '\\';
    plain += c;
  }
  return plain;
}

// The first finding of the rule that the healthy twin does not have, roots
// before consequences of others.
const Finding* FirstOf(const std::string& rule,
                       const std::vector<Finding>& findings,
                       const Report& healthy) {
  for (const Finding& finding : findings) {
    if (finding.rule == rule && IsNew(finding, healthy)) return &finding;
  }
  for (const Finding& finding : findings) {
    const Finding* under = FirstOf(rule, finding.consequences, healthy);
    if (under != nullptr) return under;
  }
  return nullptr;
}

// What the rule says of its case. The catalogue says what to do about it; and a
// contract is a temporary file, so its name is left out.
std::string ExampleOf(std::string_view rule) {
  for (const RuleCase& rule_case : RuleCases()) {
    if (rule_case.rule != rule) continue;
    const Report faulty = AuditFaulty(rule_case.specimen).report;
    const Finding* finding = FirstOf(rule_case.rule, faulty.findings,
                                     AuditHealthy(rule_case.specimen));
    if (finding == nullptr) break;
    Finding example = *finding;
    example.advice.clear();
    const std::string file =
        " of " + std::filesystem::temp_directory_path().string();
    const std::size_t at = example.expected.find(file);
    if (at != std::string::npos) example.expected.erase(at);
    return example.message();
  }
  throw std::invalid_argument("no example of " + std::string(rule));
}

std::string RulesPage() {
  std::string page =
      "# The rules\n\nWhat the audit looks for, a rule each, written from its "
      "catalogue.\n`mk-graph-coverage-audit explain RULE` says the same in a "
      "terminal. The bad\nexample is what the rule says of a small model that "
      "was healthy before an edit.\n";
  char group = 0;
  for (const RuleInfo& rule : Catalogue()) {
    if (rule.group != group) {
      group = rule.group;
      page += std::string("\n## ") + group + ". " + TitleOf(group) + "\n";
    }
    page += "\n### " + std::string(rule.id) + "\n\n**" +
            ToString(rule.severity) + "**: " + Plain(rule.title) + ".\n\n";
    page += "- Judges " + Plain(rule.judges) + ".\n";
    page += "- Why: " + Plain(rule.why) + "\n";
    page += "- Bad example: " + Plain(ExampleOf(rule.id)) + "\n";
    page += "- Mend: " + Plain(rule.mend) + "\n";
    page += "- Waive: " + Plain(rule.waive) + "\n";
    page += "- Known by: " + Plain(rule.source) + "\n";
  }
  return page;
}

TEST(RulesPage, IsTheCatalogue) {
  if (std::getenv("GRAPH_COVERAGE_WRITE_GOLDEN") != nullptr) {
    std::ofstream(RULES_PAGE, std::ios::binary) << RulesPage();
  }
  std::ifstream file(RULES_PAGE, std::ios::binary);
  ASSERT_TRUE(file) << RULES_PAGE << " is not there";
  std::ostringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), RulesPage());
}

}  // namespace
}  // namespace graph_coverage::museum
