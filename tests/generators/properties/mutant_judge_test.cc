// SPDX-License-Identifier: Apache-2.0
//
// A judgement of the edited task alone is one that the whole audit gives, too.
#include "graph_coverage/mutant_judge.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "generators/campaign/new_findings.h"
#include "graph_coverage/audit.h"
#include "graph_coverage/mutation/write_mutant.h"
#include "graph_coverage/rapidcheck/generators.h"
#include "graph_coverage/rapidcheck/property.h"
#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"
#include "tests/support/field.h"

namespace graph_coverage {
namespace {

using ::testing::Contains;

// The rules that the whole audit finds to accuse the edit anew.
std::set<std::string> WholeAudit(const Rank& rank, const Report& baseline,
                                 const Overlay& overlay) {
  const View mutant(rank, overlay);
  std::set<std::string> rules;
  for (const Finding& finding : NewFindings(baseline).In(
           AuditViews("mutant", {mutant}), {Edit(rank, overlay)})) {
    rules.insert(finding.rule);
  }
  return rules;
}

void ExpectConfirmed(const Rank& rank, const Report& baseline,
                     const MutantJudge& judge, const Overlay& overlay) {
  const auto rule = judge.FirstRule(overlay);
  RC_CLASSIFY(rule.has_value(), "judged by its task");
  if (!rule) return;
  EXPECT_THAT(WholeAudit(rank, baseline, overlay),
              Contains(std::string(*rule)));
}

bool EditsOperands(const MutationOperator& row) {
  return row.edits == Edits::kOperands || row.edits == Edits::kTiles;
}

TEST(MutantJudge, SaysWhatTheWholeAuditSays) {
  CheckProperty([] {
    const std::vector<Rank> ranks = ReadRanks((*HealthyModels()).Make());
    const Rank& rank = ranks[*rc::gen::inRange<std::size_t>(0, ranks.size())];
    const Report baseline = AuditViews("rank", {View(rank)});
    const MutantJudge judge(rank);
    const MutationSpace space(rank);
    ExpectConfirmed(rank, baseline, judge,
                    space.Apply(*MutationsWhere(space, EditsOperands)));
  });
}

// Ranks that have faults already: the same again is no news.
TEST(MutantJudge, SaysWhatTheWholeAuditSaysOfAFaultyRank) {
  CheckProperty([] {
    const std::vector<Rank> healthy = ReadRanks((*HealthyModels()).Make());
    const MutationSpace faults(healthy.front());
    const Overlay fault = faults.DropAll(*DropSets(faults));
    const std::vector<Rank> ranks =
        ReadRanks(MakeMutant("faulty", {View(healthy.front(), fault)}));
    const Rank& rank = ranks.front();
    const Report baseline = AuditViews("rank", {View(rank)});
    const MutantJudge judge(rank);
    const MutationSpace space(rank);
    ExpectConfirmed(rank, baseline, judge,
                    space.Apply(*MutationsWhere(space, EditsOperands)));
  });
}

TEST(MutantJudge, JudgesMostDropsOfAModel) {
  const std::vector<Rank> ranks = ReadRanks(synthetic::MakeGendir(
      synthetic::BuildModel(synthetic::ToyExperts()), "experts"));
  const MutantJudge judge(ranks.front());
  const MutationSpace space(ranks.front());
  const MutationSites& drops = space.Sites("drop");
  std::size_t judged = 0;
  for (std::size_t i = 0; i < drops.count(); ++i) {
    judged += judge.FirstRule(space.Apply(drops.at(i))).has_value();
  }
  EXPECT_GE(judged, drops.count() / 2);
  EXPECT_FALSE(judge.FirstRule(Overlay()));
}

TEST(MutantJudge, LeavesOutRulesThatThePolicyMoves) {
  const std::vector<Rank> ranks = ReadRanks(synthetic::MakeGendir(
      synthetic::BuildModel(synthetic::ToyExperts()), "experts"));
  const MutationSpace space(ranks.front());
  const Overlay drop = space.Apply(space.Sites("drop").at(0));
  const std::string rules[] = {"missing-operand", "operand-shape"};
  ASSERT_EQ(MutantJudge(ranks.front()).FirstRule(drop), rules[0]);

  AuditOptions options;
  options.policy.off = {rules[0]};
  EXPECT_NE(MutantJudge(ranks.front(), options).FirstRule(drop), rules[0]);
  options.policy.off = {};
  options.policy.severities = {{rules[0], Severity::kNote}};
  EXPECT_NE(MutantJudge(ranks.front(), options).FirstRule(drop), rules[0]);
  options.policy.severities = {};
  Waiver waiver;
  waiver.reason = "known";
  options.policy.waivers = {waiver};
  EXPECT_EQ(MutantJudge(ranks.front(), options).FirstRule(drop), std::nullopt);
}

class FieldJudge : public ::testing::TestWithParam<const char*> {};

TEST_P(FieldJudge, SaysWhatTheWholeAuditSays) {
  const auto folder = test_support::FieldCase(GetParam());
  if (!folder) GTEST_SKIP() << test_support::NoFieldCase(GetParam());
  AuditOptions options;
  options.ranks = {test_support::FieldRanks(*folder).front()};
  const std::vector<Rank> ranks = ReadRanks(*folder, options);
  const Rank& rank = ranks.front();
  const Report baseline = AuditViews("rank", {View(rank)});
  const MutantJudge judge(rank);
  const MutationSpace space(rank);
  CheckProperty(
      [&] {
        ExpectConfirmed(rank, baseline, judge,
                        space.Apply(*MutationsWhere(space, EditsOperands)));
      },
      20);
}

INSTANTIATE_TEST_SUITE_P(Cases, FieldJudge,
                         ::testing::Values("qwen3_8b_a100", "llama3_8b_h100",
                                           "deepseek_v3_tp1_l4"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace graph_coverage
