// SPDX-License-Identifier: Apache-2.0
//
// Ids stay where an edit is elsewhere, and tell findings apart.
#include "audit/report/finding_ids.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "tests/support/small_rank.h"

namespace graph_coverage {
namespace {

Finding FindingOn(const std::string& tensor, const std::string& found) {
  Finding finding;
  finding.rule = "missing-wiring";
  finding.tensor = tensor;
  finding.members = {tensor};
  finding.found = found;
  return finding;
}

// The ids that findings get in a report of their own.
std::vector<std::string> IdsOf(const std::vector<Finding>& findings,
                               const std::vector<View>& views = {}) {
  Report report;
  report.findings = findings;
  AssignFindingIds(views, &report);
  std::vector<std::string> ids;
  for (const Finding& finding : report.findings) ids.push_back(finding.id);
  return ids;
}

std::string IdOf(const Finding& finding, const std::vector<View>& views = {}) {
  return IdsOf({finding}, views)[0];
}

TEST(FindingIds, StayThroughEditsElsewhere) {
  const Finding before = FindingOn("w", "is read by task 12 in input slot 3");
  Finding after = FindingOn("w", "is read by task 4711 in input slot 3");
  after.ranks = {RankId{1}};
  after.places = {{"kernel_1.cu", 300, 0, 0}};
  after.tasks = {{TaskId{4711}, TaskId{4712}}};
  after.event = 5;
  after.severity = Severity::kNote;
  after.count = 9;
  EXPECT_EQ(IdOf(before), IdOf(after));
}

TEST(FindingIds, AreTheSameForOneAndForMany) {
  EXPECT_EQ(IdOf(FindingOn("w", "has 1 input and 1 output")),
            IdOf(FindingOn("w", "has 2 inputs and 3 outputs")));
  EXPECT_EQ(IdOf(FindingOn("w", "1 task of it")),
            IdOf(FindingOn("w", "12 tasks of it")));
  EXPECT_NE(IdOf(FindingOn("w", "is in input slot 3")),
            IdOf(FindingOn("w", "is in inputs slot 3")));
}

TEST(FindingIds, TellRuleNameTypeLayerAndSlotApart) {
  std::vector<Finding> findings(6, FindingOn("w", "is in input slot 3"));
  findings[1].rule = "write-only";
  findings[2].members = {"w2"};
  findings[3].task_type = "TASK_LINEAR";
  findings[4].layers = {3};
  findings[5].found = "is in input slot 4";
  const std::vector<std::string> ids = IdsOf(findings);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(ids[i].size(), 8u);
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(ids[i], ids[j]);
  }
}

TEST(FindingIds, AreUniqueInAReport) {
  Report report;
  report.findings.assign(2, FindingOn("w", "is broken"));
  report.findings[0].consequences.push_back(FindingOn("w", "is broken"));
  report.waived.push_back({FindingOn("w", "is broken"), "known"});
  AssignFindingIds({}, &report);
  const std::string id = report.findings[0].id;
  EXPECT_EQ(report.findings[0].consequences[0].id, id + "-2");
  EXPECT_EQ(report.findings[1].id, id + "-3");
  EXPECT_EQ(report.waived[0].finding.id, id + "-4");
}

// Task 2 is `shift` tasks further down; it reads a weight, and triggers event
// 7 + shift.
Rank RankWithEvent(int shift, const std::string& weight) {
  SmallRank rank(0);
  rank.Attached("w").Attached("v").Scratch("y");
  for (int i = 0; i < shift; ++i) rank.Task(101, {"v"}, {"y"});
  rank.Task(102, {weight}, {"y"});
  return rank.Build();
}

TEST(FindingIds, KnowTasksByWhatTheyRead) {
  const auto id_of = [](int shift, const std::string& weight) {
    const Rank rank = RankWithEvent(shift, weight);
    Finding finding;
    finding.rule = "trigger-count";
    finding.ranks = {rank.id()};
    const auto task = TaskId(static_cast<std::uint32_t>(shift));
    finding.tasks = {{task, task}};
    return IdOf(finding, {View(rank)});
  };
  EXPECT_EQ(id_of(0, "w"), id_of(5, "w"));
  EXPECT_NE(id_of(0, "w"), id_of(0, "v"));
}

// Four layers, of which two lack the wire of their norm.
std::map<std::string, std::string> IdsByTensor(bool edited) {
  SmallRank rank(0);
  if (edited) rank.Scratch("new").Task(101, {"new"}, {"new"});
  for (int i = 0; i < 4; ++i) {
    const std::string layer = "layer_" + std::to_string(i);
    rank.Attached(layer + "_norm").Attached(layer + "_proj");
    const bool wired = i % 2 == 0;
    rank.Task(119, {layer + (wired ? "_norm" : "_proj")}, {"h"});
  }
  std::vector<Rank> ranks;
  ranks.push_back(rank.Scratch("h").Build());
  std::map<std::string, std::string> ids;
  for (const Finding& finding : AuditRanks("out", ranks).findings) {
    ids[finding.rule + " " + finding.tensor + finding.task_type] = finding.id;
  }
  return ids;
}

TEST(FindingIds, OfAnAuditStayWhenATaskAndADeclarationComeBefore) {
  const std::map<std::string, std::string> before = IdsByTensor(false);
  std::map<std::string, std::string> after = IdsByTensor(true);
  const std::string missing = "missing-wiring layer_{1,3}_norm";
  ASSERT_EQ(before.count(missing), 1u);
  EXPECT_EQ(before.at(missing), after[missing]);
}

}  // namespace
}  // namespace graph_coverage
