// SPDX-License-Identifier: Apache-2.0
//
// Contracts of real megakernels: small, true of the build that they are of, and
// of none of its mutants.
#include "graph_coverage/contract.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "graph_coverage/catalogue.h"
#include "graph_coverage/mutation/mutation_space.h"
#include "tests/support/field.h"
#include "tests/support/sample_gendir.h"

namespace graph_coverage {
namespace {

using test_support::FieldCase;
using test_support::NoFieldCase;

// An audit that judges nothing but the contract.
AuditOptions HeldAgainst(const Contract& contract) {
  AuditOptions options;
  options.contract = ScratchDirectory("field") + ".contract.json";
  std::ofstream(options.contract) << WriteContract(contract);
  for (const RuleInfo& rule : Catalogue()) {
    if (rule.id != "contract-drift") options.policy.off.emplace_back(rule.id);
  }
  return options;
}

TEST(FieldContract, PassesOnItselfAndFailsOnEachOfFiftyEdits) {
  const auto gendir = FieldCase("qwen3_8b_a100");
  if (!gendir) GTEST_SKIP() << NoFieldCase("qwen3_8b_a100");
  const AuditOptions options = HeldAgainst(RecordContract(*gendir));
  const std::vector<Rank> ranks = ReadRanks(*gendir);
  const auto verdict_of = [&](const MutationSpace& space,
                              const Mutation& mutation) {
    const Overlay overlay = space.Apply(mutation);
    return AuditViews("mutant", {View(ranks.front(), overlay)}, options)
        .verdict;
  };
  EXPECT_EQ(AuditRanks("itself", ranks, options).verdict, Verdict::kPass);

  const MutationSpace space(ranks.front());
  std::vector<const MutationOperator*> faults;
  for (const MutationOperator& op : MutationOperators()) {
    if (space.Sites(op.id).count() == 0) continue;
    if (!op.benign()) faults.push_back(&op);
  }
  // Edits that change no coverage.
  for (const char* op : {"control", "renumber", "reorder-declarations"}) {
    const Mutation mutation = space.Sites(op).at(0);
    EXPECT_EQ(verdict_of(space, mutation), Verdict::kPass) << mutation;
  }
  constexpr int kEdits = 50;
  std::mt19937_64 random(20261130);
  for (int i = 0; i < kEdits; ++i) {
    const MutationSites& sites =
        space.Sites(faults[static_cast<std::size_t>(i) % faults.size()]->id);
    const Mutation mutation =
        sites.at(static_cast<std::size_t>(random() % sites.count()));
    EXPECT_EQ(verdict_of(space, mutation), Verdict::kFail) << mutation;
  }
}

TEST(FieldContract, OfAnotherTargetIsAlikeButForTypesAndTheLargerHead) {
  const auto a100 = FieldCase("qwen3_8b_a100");
  const auto h100 = FieldCase("qwen3_8b_h100");
  if (!a100 || !h100) GTEST_SKIP() << NoFieldCase("qwen3_8b_h100");
  Contract was = RecordContract(*a100);
  Contract is = RecordContract(*h100);
  was.file = "a100";
  is.file = "h100";
  EXPECT_EQ(
      WriteDiff(was, is, {true}),
      "was a100: rank 0, 33 tensor families, 8 task types, 14314 tasks, 11 "
      "branches\n"
      "is  h100: rank 0, 33 tensor families, 8 task types, 14378 tasks, 11 "
      "branches\n"
      "5 tensor families differ; task types and branches are not compared\n"
      "tensor argmax_in: 128 refs by in0, were 96; 128 refs by out0, were 96\n"
      "tensor argmax_part_index: 128 refs by out1, were 96; 8192 bytes, were "
      "6144\n"
      "tensor argmax_part_value: 128 refs by out0, were 96; 2048 bytes, were "
      "1536\n"
      "tensor lm_head: 128 refs by in1, were 96\n"
      "tensor rmsnorm_out: 128 refs by in0, were 96\n");
}

TEST(FieldContract, OfEightRanksOfDeepSeekIsSmall) {
  const auto gendir = FieldCase("deepseek_v3_tp8");
  if (!gendir) GTEST_SKIP() << NoFieldCase("deepseek_v3_tp8");
  AuditOptions options;
  options.ranks = test_support::FieldRanks(*gendir);
  EXPECT_LE(WriteContract(RecordContract(*gendir, options)).size(), 30u << 10);
}

}  // namespace
}  // namespace graph_coverage
