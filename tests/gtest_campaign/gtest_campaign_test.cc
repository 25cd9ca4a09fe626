// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/gtest_campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "graph_coverage/catalogue.h"
#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"

namespace graph_coverage {
namespace {

using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Lt;
using ::testing::Not;

Gendir Toy() {
  return synthetic::MakeGendir(synthetic::BuildModel(synthetic::Toy()), "toy");
}

Gendir Unwired() {
  synthetic::ModelConfig model = synthetic::ToyLatent();
  model.latent->rope = synthetic::LatentAttention::Rope::kUnwired;
  return synthetic::MakeGendir(synthetic::BuildModel(model), "unwired");
}

// An audit that sees no dropped edge.
AuditOptions Blind() {
  AuditOptions options;
  for (const RuleInfo& rule : Catalogue()) {
    options.policy.off.emplace_back(rule.id);
  }
  return options;
}

CampaignResult Result(std::uint64_t caught, std::uint64_t survived) {
  CampaignResult result;
  result.gendir = "gendir";
  OperatorResult& op = result.operators.emplace_back();
  op.op = "drop";
  op.counts.caught = caught;
  op.counts.survived = survived;
  if (survived > 0) {
    op.mutants.push_back(
        {"drop:rank=0:task=2:in=0:w", Outcome::kSurvived, {}, "", "was", "is"});
  }
  return result;
}

std::string Explain(const CampaignResult& result,
                    const testing::Matcher<const CampaignResult&>& matcher) {
  testing::StringMatchResultListener listener;
  matcher.MatchAndExplain(result, &listener);
  return listener.str();
}

TEST(EveryDroppedEdge, IsCaughtInTheToy) {
  EXPECT_AUDIT_CATCHES_EVERY_DROPPED_EDGE(Toy());
  ASSERT_AUDIT_CATCHES_EVERY_DROPPED_EDGE(Toy(), AuditOptions());
  const testing::TestResult& result =
      *testing::UnitTest::GetInstance()->current_test_info()->result();
  EXPECT_EQ(result.test_property_count(), 4);
}

TEST(EveryDroppedEdge, FailsWithSurvivorsAndTheirReplay) {
  EXPECT_NONFATAL_FAILURE(
      EXPECT_AUDIT_CATCHES_EVERY_DROPPED_EDGE(Toy(), Blind()),
      "mk-graph-coverage-audit mutate toy --replay drop:rank=0:task=2:in=");
  EXPECT_NONFATAL_FAILURE(
      EXPECT_AUDIT_CATCHES_EVERY_DROPPED_EDGE(Toy(), Blind()), "Actual: 0 of ");
}

TEST(EveryDroppedEdge, FailsOnAGendirThatFailsItself) {
  EXPECT_NONFATAL_FAILURE(EXPECT_AUDIT_CATCHES_EVERY_DROPPED_EDGE(Unwired()),
                          "the gendir fails as it is; EXPECT_GENDIR_CLEAN "
                          "tells: missing-wiring: ");
}

TEST(EveryDroppedEdge, FailsWhereNothingIsJudged) {
  EXPECT_NONFATAL_FAILURE(EXPECT_AUDIT_CATCHES_EVERY_DROPPED_EDGE("/nowhere"),
                          "nothing was judged: /nowhere: no such directory");
  const char* unset = nullptr;  // as std::getenv gives it
  EXPECT_NONFATAL_FAILURE(
      EXPECT_AUDIT_CATCHES_EVERY_DROPPED_EDGE(unset, Blind()),
      "nothing was judged: (null): the gendir is a null pointer: is the "
      "environment variable that names it set?");
}

TEST(MutationScoreMatcher, ComparesTheShareThatIsCaught) {
  EXPECT_THAT(Result(49, 1), MutationScore(Ge(0.98)));
  EXPECT_THAT(Result(49, 2), Not(MutationScore(Ge(0.98))));
  EXPECT_THAT(Result(49, 0), MutationScore(1.0));
  EXPECT_THAT(Result(462'175, 1), MutationScore(Lt(1.0)));
  EXPECT_THAT(Result(49, 1), MutationScore("drop", Ge(0.98)));
}

TEST(MutationScoreMatcher, ExplainsItself) {
  EXPECT_EQ(testing::DescribeMatcher<const CampaignResult&>(
                MutationScore("drop", Ge(0.98))),
            "has a mutation score of drop that is >= 0.98");
  EXPECT_EQ(testing::DescribeMatcher<const CampaignResult&>(
                Not(MutationScore(Ge(0.98)))),
            "has a mutation score that isn't >= 0.98");
  EXPECT_EQ(Explain(Result(3, 0), MutationScore(1.0)),
            "of which 3 of 3 (100.00 %) are caught");
  EXPECT_THAT(Explain(Result(3, 1), MutationScore(1.0)),
              HasSubstr("of which 3 of 4 (75.00 %) are caught\n"
                        "  survived: drop:rank=0:task=2:in=0:w\n"
                        "    - was\n    + is\n"
                        "    mk-graph-coverage-audit mutate gendir --replay "));
}

TEST(MutationScoreMatcher, ThrowsWhereNothingWasJudged) {
  EXPECT_THROW(Explain(Result(0, 0), MutationScore(Ge(0.0))), InputError);
  EXPECT_THROW(Explain(Result(3, 0), MutationScore("null", Ge(0.0))),
               InputError);
  EXPECT_THROW(Explain(RunCampaign("/nowhere"), MutationScore(Ge(0.0))),
               InputError);
  EXPECT_THROW(MutationScore("drap", Ge(0.0)), std::invalid_argument);
}

}  // namespace
}  // namespace graph_coverage
