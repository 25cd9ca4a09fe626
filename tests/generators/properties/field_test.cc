// SPDX-License-Identifier: Apache-2.0
//
// The properties over real megakernels, where they are at hand.
#include "tests/support/field.h"

#include <gmock/gmock.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/mutation/write_mutant.h"
#include "graph_coverage/rapidcheck/generators.h"
#include "graph_coverage/rapidcheck/property.h"
#include "tests/generators/properties/judged.h"

namespace graph_coverage {
namespace {

class FieldProperties : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto folder = test_support::FieldCase(GetParam());
    if (!folder) GTEST_SKIP() << test_support::NoFieldCase(GetParam());
    AuditOptions options;
    options.ranks = {test_support::FieldRanks(*folder).front()};
    ranks_ = ReadRanks(*folder, options);
    space_ = std::make_unique<MutationSpace>(ranks_.front());
  }

  const Rank& rank() const { return ranks_.front(); }

  std::vector<Rank> ranks_;
  std::unique_ptr<MutationSpace> space_;
};

TEST_P(FieldProperties, ViewIsRankReadBack) {
  const View view(rank());
  EXPECT_EQ(Judged(AuditViews("view", {view})),
            Judged(Audit(MakeMutant("written", {view}))));
}

TEST_P(FieldProperties, ViewOfMutantIsMutantReadBack) {
  CheckProperty(
      [this] {
        const Mutation mutation = *MutationsWhere(
            *space_, [](const MutationOperator&) { return true; });
        const Overlay overlay = space_->Apply(mutation);
        const View view(rank(), overlay);
        EXPECT_EQ(Judged(AuditViews("mutant", {view})),
                  Judged(Audit(MakeMutant("mutant", {view}))));
      },
      10);
}

TEST_P(FieldProperties, BenignEditsChangeNoFinding) {
  const Report healthy = AuditViews("healthy", {View(rank())});
  CheckProperty(
      [&, this] {
        const Mutation mutation = *MutationsWhere(
            *space_, [](const MutationOperator& row) { return row.benign(); });
        const Overlay overlay = space_->Apply(mutation);
        const Report report = AuditViews("mutant", {View(rank(), overlay)});
        EXPECT_EQ(FaultsOf(report).size(), FaultsOf(healthy).size());
        if (mutation.op != "rename-layers") {
          EXPECT_EQ(FindingsOf(report), FindingsOf(healthy));
        }
      },
      10);
}

TEST_P(FieldProperties, AuditAndOracleAgreeOnDrops) {
  const oracle::Artifacts before = TextsOf(View(rank()));
  CheckProperty(
      [&, this] {
        const std::vector<Mutation> drops = *DropSets(*space_);
        const Overlay overlay = space_->DropAll(drops);
        const View mutant(rank(), overlay);
        const oracle::Artifacts after = TextsOf(mutant);
        const Report report = AuditViews("mutant", {mutant});
        EXPECT_EQ(ConsumedIn(report), oracle::Consumed(after));
        EXPECT_EQ(NamedBy(report, "missing-wiring"), oracle::Missing(after));
        std::vector<oracle::Edge> dropped;
        for (const Mutation& drop : drops) {
          dropped.emplace_back(*drop.task, "inputs", drop.subject);
        }
        EXPECT_THAT(oracle::LostEdges(before, after),
                    ::testing::UnorderedElementsAreArray(dropped));
      },
      3);
}

TEST_P(FieldProperties, AuditAndOracleAgreeOnLostTensors) {
  const oracle::Artifacts before = TextsOf(View(rank()));
  const std::set<std::string> had =
      ConsumedIn(AuditViews("healthy", {View(rank())}));
  EXPECT_EQ(had, oracle::Consumed(before));
  CheckProperty(
      [&, this] {
        const Mutation mutation = *MutationsOf(*space_, "drop-all");
        const Overlay overlay = space_->Apply(mutation);
        const View mutant(rank(), overlay);
        const oracle::Artifacts after = TextsOf(mutant);
        const Report report = AuditViews("mutant", {mutant});
        EXPECT_EQ(ConsumedIn(report), oracle::Consumed(after));
        EXPECT_EQ(NamedBy(report, "missing-wiring"), oracle::Missing(after));
      },
      3);
}

INSTANTIATE_TEST_SUITE_P(Cases, FieldProperties,
                         ::testing::Values("qwen3_8b_a100", "llama3_8b_h100",
                                           "testmode_qwen3_mlp",
                                           "testmode_diamond_fork_join"),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace graph_coverage
