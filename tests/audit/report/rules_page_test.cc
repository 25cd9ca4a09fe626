// SPDX-License-Identifier: Apache-2.0
//
// docs/rules.md is the catalogue. To write it anew:
// GRAPH_COVERAGE_WRITE_GOLDEN=1.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "graph_coverage/catalogue.h"

namespace graph_coverage {
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

std::string RulesPage() {
  std::string page =
      "# The rules\n\nWhat the audit looks for, a rule each, written from its "
      "catalogue.\n`mk-graph-coverage-audit explain RULE` says the same in a "
      "terminal.\n";
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
}  // namespace graph_coverage
