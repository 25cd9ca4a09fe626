// SPDX-License-Identifier: Apache-2.0
//
// Matchers about every layer, on reports made by hand and on a model.
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include "graph_coverage/audit.h"
#include "graph_coverage/matchers.h"
#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"
#include "tests/matchers/sample.h"

namespace graph_coverage {
namespace {

using ::testing::Eq;
using ::testing::Ge;
using ::testing::Not;

// Three layers and a draft step; rope_cos is read twice in each layer.
Report Layered() {
  Report report = CleanReport();
  report.layers = {"layer_0", "layer_1", "layer_2", "mtp_step0"};
  report.tensors[0].reads_by_layer = {
      {"layer_0", 2}, {"layer_1", 2}, {"layer_2", 2}};
  return report;
}

TEST(ConsumesInEveryLayer, AsksEachLayerOfTheKindsThatReadIt) {
  EXPECT_THAT(Layered(), ConsumesInEveryLayer("rope_cos"));
  EXPECT_THAT(Layered(), ConsumesInEveryLayer("rope_cos", Eq(2)));
  EXPECT_THAT(Layered(), Not(ConsumesInEveryLayer("rope_cos", Ge(3))));
  Report report = Layered();
  report.tensors[0].reads_by_layer.erase(
      report.tensors[0].reads_by_layer.begin() + 1);
  EXPECT_THAT(report, Not(ConsumesInEveryLayer("rope_cos")));
}

TEST(ConsumesInEveryLayer, IsNotTrueOfWhatNoLayerReads) {
  EXPECT_THAT(Layered(), Not(ConsumesInEveryLayer("rope_sin")));
  EXPECT_THAT(Layered(), Not(ConsumesInEveryLayer("rope_tan")));
  EXPECT_THAT(Layered(), Not(ConsumesInEveryLayer("rope_cos", Eq(0))));
}

TEST(ConsumesInEveryLayer, NamesTheLayersThatDiffer) {
  Report report = Layered();
  report.tensors[0].reads_by_layer.pop_back();
  report.tensors[0].reads_by_layer[1].input_refs = 1;
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(report, ConsumesInEveryLayer("rope_cos", Eq(2))),
      "which reads\n"
      "  rope_cos 1 times in layer_1\n"
      "  rope_cos 0 times in layer_2");
}

TEST(ConsumesInEveryLayer, IsTrueOfAModel) {
  synthetic::ModelConfig model = synthetic::Toy();
  model.layers = 4;
  const Report report =
      Audit(synthetic::MakeGendir(synthetic::BuildModel(model), "toy"));
  EXPECT_EQ(report.layers.size(), 4u);
  EXPECT_THAT(report, ConsumesInEveryLayer("cos_position_embedding"));
  EXPECT_THAT(report, Not(ConsumesInEveryLayer("lm_head")));
}

TEST(ByTaskTypesNamed, MatchesTheNames) {
  TensorCoverage tensor = SampleTensor("x", 3);
  tensor.consumer_type_names = {"TASK_B", "TASK_A"};
  EXPECT_THAT(tensor, ByTaskTypesNamed({"TASK_A", "TASK_B"}));
  EXPECT_THAT(tensor, Not(ByTaskTypesNamed({"TASK_A"})));
  EXPECT_EQ(Description(ByTaskTypesNamed({"TASK_A"})),
            "is read by tasks of exactly the types {TASK_A}");
}

}  // namespace
}  // namespace graph_coverage
