// SPDX-License-Identifier: Apache-2.0
//
// The audit finds nothing wrong with what the builder makes, whatever rules
// the catalogue has; and in the worked example just what was left unwired.
#include "graph_coverage/audit.h"

#include <gmock/gmock.h>

#include "graph_coverage/synthetic/glm_example.h"
#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/shapes.h"
#include "tests/generators/synthetic/random_model.h"

namespace graph_coverage::synthetic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Errors, and findings of warnings and errors; notes are no faults.
std::string Faults(const Report& report) {
  std::string text;
  for (const InputError& error : report.errors) {
    text += std::string(error.what()) + "\n";
  }
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::kNote) continue;
    text += finding.rule + ": " + finding.message() + "\n";
  }
  return text;
}

class AuditedModels : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, AuditedModels,
                         ::testing::Range<std::uint64_t>(0, 8));

TEST_P(AuditedModels, AreClean) {
  constexpr std::uint64_t kEach = 25;
  for (std::uint64_t i = 0; i < kEach; ++i) {
    const std::uint64_t seed = GetParam() * kEach + i;
    const RandomGendir random = RandomModel(seed);
    const Report report =
        Audit(MakeGendir(BuildModel(random.model), "model", random.options));
    ASSERT_THAT(Faults(report), IsEmpty())
        << "seed " << seed << ", " << ToString(random.options.version);
    ASSERT_EQ(report.verdict, Verdict::kPass);
  }
}

TEST(AuditedPresets, AreClean) {
  using Kernels = ModelConfig::Kernels;
  using Rope = LatentAttention::Rope;
  const auto clean = [](ModelConfig model) {
    model.layers = 5;
    const Report report = Audit(MakeGendir(BuildModel(model), "model"));
    EXPECT_THAT(Faults(report), IsEmpty());
    EXPECT_EQ(report.verdict, Verdict::kPass);
  };
  clean(Qwen3_8B(Kernels::kAmpere));
  clean(Qwen3_8B(Kernels::kAmpere, 2));
  clean(Qwen3_8B(Kernels::kHopper, 4));
  clean(Llama3_8B());
  clean(Qwen3_30B_A3B());
  clean(DeepSeekV3(1, 5, 0, Rope::kAbsent));
  clean(DeepSeekV3(2, 5, 2, Rope::kOperands));
}

TEST(AuditedShapes, AreClean) {
  for (const Program& program :
       {ForkProgram(), JoinProgram(), DiamondProgram()}) {
    const Report report = Audit(MakeGendir(program, "shape"));
    EXPECT_THAT(Faults(report), IsEmpty());
    EXPECT_EQ(report.verdict, Verdict::kPass);
  }
}

TEST(AuditedGlmExample, OnlyTheTablesAreUnwiredBefore) {
  const Report report = Audit(synthetic::GlmExample(false));
  EXPECT_EQ(report.verdict, Verdict::kFail);
  EXPECT_THAT(report.errors, IsEmpty());
  std::vector<std::string> unwired;
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::kNote) continue;
    EXPECT_EQ(finding.rule, "missing-wiring") << finding.message();
    EXPECT_THAT(finding.ranks, ElementsAre(RankId(0), RankId(1)));
    unwired.insert(unwired.end(), finding.members.begin(),
                   finding.members.end());
  }
  EXPECT_THAT(unwired, ::testing::UnorderedElementsAre("rope_cos", "rope_sin"));
}

TEST(AuditedGlmExample, MendedIsClean) {
  const Report report = Audit(synthetic::GlmExample(true));
  EXPECT_THAT(Faults(report), IsEmpty());
  EXPECT_EQ(report.verdict, Verdict::kPass);
  std::size_t tables = 0;
  for (const TensorCoverage& tensor : report.tensors) {
    if (tensor.name != "rope_cos" && tensor.name != "rope_sin") continue;
    ++tables;
    EXPECT_EQ(tensor.input_refs, 156u);
    EXPECT_THAT(tensor.consumer_task_types, ElementsAre(278u, 296u));
    EXPECT_THAT(tensor.ranks, ElementsAre(RankId(0), RankId(1)));
  }
  EXPECT_EQ(tables, 2u);
}

}  // namespace
}  // namespace graph_coverage::synthetic
