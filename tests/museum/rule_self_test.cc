// SPDX-License-Identifier: Apache-2.0
//
// Each rule is needed: it finds its case and names the edit; switched off, the
// finding is gone, and mostly the fault goes unseen. A rule of the catalogue
// without a case fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph_coverage/catalogue.h"
#include "tests/museum/rule_cases.h"

namespace graph_coverage::museum {

Specimen OfExhibit(const std::string& name) {
  for (const Exhibit& exhibit : Exhibits()) {
    if (exhibit.name == name) return exhibit.specimen;
  }
  throw std::invalid_argument("the museum has no exhibit " + name);
}

const std::vector<RuleCase>& RuleCases() {
  static const std::vector<RuleCase> all = [] {
    std::vector<RuleCase> cases;
    for (const auto room : {WiringCases, SiblingCases, OrderCases}) {
      for (RuleCase& rule_case : room()) cases.push_back(std::move(rule_case));
    }
    return cases;
  }();
  return all;
}

namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

void AppendMessages(const std::vector<Finding>& findings,
                    std::vector<std::string>* messages) {
  for (const Finding& finding : findings) {
    messages->push_back(finding.message());
    AppendMessages(finding.consequences, messages);
  }
}

// The findings that the healthy twin does not have, as lines and messages.
std::vector<std::string> NewLines(const Report& faulty, const Report& healthy) {
  const std::vector<std::string> before = LinesOf(healthy);
  const std::vector<std::string> now = LinesOf(faulty);
  std::vector<std::string> messages;
  AppendMessages(faulty.findings, &messages);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (std::find(before.begin(), before.end(), now[i]) == before.end()) {
      lines.push_back(now[i] + " : " + messages.at(i));
    }
  }
  return lines;
}

// The lines, roots and consequences, of that severity or a worse one.
std::vector<std::string> AsSevere(const std::vector<std::string>& lines,
                                  Severity least) {
  std::vector<std::string> kept;
  for (const std::string& line : lines) {
    for (const Severity severity :
         {Severity::kNote, Severity::kWarning, Severity::kError}) {
      if (severity >= least && line.find(std::string(ToString(severity)) +
                                         " ") != std::string::npos) {
        kept.push_back(line);
        break;
      }
    }
  }
  return kept;
}

auto Names(const RuleCase& rule_case) {
  return ::testing::AllOf(HasSubstr(" " + rule_case.rule + " "),
                          HasSubstr(rule_case.names));
}

class RuleSelfTest : public ::testing::TestWithParam<const RuleCase*> {};

TEST_P(RuleSelfTest, FindsTheEditAndNamesIt) {
  const RuleCase& rule_case = *GetParam();
  const Report healthy = AuditHealthy(rule_case.specimen);
  for (const std::string& line : LinesOf(healthy)) {
    EXPECT_THAT(line, HasSubstr("note ")) << "the twin is not clean";
    EXPECT_THAT(line, Not(Names(rule_case)));
  }
  EXPECT_THAT(NewLines(AuditFaulty(rule_case.specimen).report, healthy),
              Contains(Names(rule_case)));
}

TEST_P(RuleSelfTest, SwitchedOffLeavesTheEditUnnamed) {
  const RuleCase& rule_case = *GetParam();
  const Report healthy = AuditHealthy(rule_case.specimen);
  Specimen without = rule_case.specimen;
  without.policy.off.push_back(rule_case.rule);
  const std::vector<std::string> lines =
      NewLines(AuditFaulty(without).report, healthy);
  EXPECT_THAT(lines, Each(Not(HasSubstr(" " + rule_case.rule + " "))));
  const std::vector<std::string> others =
      AsSevere(lines, FindRule(rule_case.rule)->severity);
  if (rule_case.beside.empty()) {
    EXPECT_THAT(others, IsEmpty());
  } else {
    EXPECT_THAT(others, Not(IsEmpty())) << "the rule is alone after all";
  }
}

std::vector<const RuleCase*> All() {
  std::vector<const RuleCase*> all;
  for (const RuleCase& rule_case : RuleCases()) all.push_back(&rule_case);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RuleSelfTest, ::testing::ValuesIn(All()),
                         [](const auto& info) {
                           std::string name = info.param->rule;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(RuleSelfTestTable, HasEveryRuleOfTheCatalogueOnce) {
  std::multiset<std::string> cases;
  for (const RuleCase& rule_case : RuleCases()) cases.insert(rule_case.rule);
  std::multiset<std::string> rules;
  for (const RuleInfo& rule : Catalogue()) rules.emplace(rule.id);
  EXPECT_EQ(cases, rules);
}

}  // namespace
}  // namespace graph_coverage::museum
