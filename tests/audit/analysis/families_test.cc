// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/families.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/small_rank.h"

namespace graph_coverage {
namespace {

// "family@layer" of each name, as declared together.
std::vector<std::string> FamiliesOf(const std::vector<std::string>& names) {
  SmallRank small;
  for (const std::string& name : names) small.Attached(name);
  const Rank rank = small.Build();
  const View view(rank);
  const Families families(view);
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const FamilyName& family = families.of(*view.FindTensor(name));
    found.push_back(family.family +
                    (family.layer ? "@" + std::to_string(*family.layer) : ""));
  }
  return found;
}

using testing::ElementsAre;

TEST(Families, FindsTheLayerOfAName) {
  EXPECT_THAT(
      FamiliesOf({"layer_0_q", "layer_1_q", "layer_1_k", "embed"}),
      ElementsAre("layer_#_q@0", "layer_#_q@1", "layer_#_k@1", "embed"));
  EXPECT_THAT(FamiliesOf({"h3", "h4", "h5"}),
              ElementsAre("h#@3", "h#@4", "h#@5"));
}

TEST(Families, TakesNoOtherNumberForALayer) {
  // Two values are too few without a word for layers; far apart is no axis;
  // only the first number of a name counts.
  EXPECT_THAT(FamiliesOf({"x1", "x2"}), ElementsAre("x1", "x2"));
  EXPECT_THAT(FamiliesOf({"fp8_input_7168", "fp16_input_7168", "fp8_input_1"}),
              ElementsAre("fp8_input_7168", "fp16_input_7168", "fp8_input_1"));
  EXPECT_THAT(FamiliesOf({"layer_0_w13", "layer_9_w13"}),
              ElementsAre("layer_0_w13", "layer_9_w13"));
}

TEST(FamilyPattern, FoldsLayersToRuns) {
  EXPECT_EQ(FamilyPattern("layer_#_q", {0, 1, 2, 5}), "layer_{0..2,5}_q");
  EXPECT_EQ(FamilyPattern("layer_#_q", {7}), "layer_7_q");
  EXPECT_EQ(FamilyPattern("embed", {}), "embed");
}

TEST(RangesText, JoinsRuns) {
  EXPECT_EQ(RangesText({0, 1, 2, 5, 7, 8}), "0-2, 5, 7-8");
  EXPECT_EQ(RangesText({}), "");
}

TEST(LayerOnAxis, ReadsNamesThatNothingDeclares) {
  EXPECT_EQ(LayerOnAxis("layer_#_qkv", "layer_12_v_proj"), 12u);
  EXPECT_EQ(LayerOnAxis("layer_#_qkv", "stage_12_v_proj"), std::nullopt);
  EXPECT_EQ(LayerOnAxis("embed", "layer_1_q"), std::nullopt);
}

}  // namespace
}  // namespace graph_coverage
