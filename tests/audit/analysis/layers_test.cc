// SPDX-License-Identifier: Apache-2.0
//
// Which layer a run is of, and the forms of layers.
#include "audit/analysis/layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/analysis/analyses.h"
#include "tests/support/tiny_model.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;

// The layer of each run; -1 for none.
std::vector<int> LayersOf(const TinyModel& model) {
  const Rank rank = model.Build();
  const View view(rank);
  Analyses analyses(view);
  std::vector<int> layers;
  for (std::size_t i = 0; i < analyses.runs().size(); ++i) {
    const auto section = analyses.layers().of_run(i);
    layers.push_back(section ? static_cast<int>(section->layer) : -1);
  }
  return layers;
}

TEST(Layers, AreTakenFromWeightsFirst) {
  TinyModel model;
  model.layers = 3;
  // Embedding; norm, qkv, attention, o_proj a layer; the final norm, which
  // reads the last layer's output.
  EXPECT_THAT(LayersOf(model),
              ElementsAre(-1, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2));
}

TEST(Layers, OfARunOutOfOrderAreThoseAroundIt) {
  TinyModel model;
  model.layers = 3;
  model.alter = [](TinyTask& task) {
    if (task.is("qkv", 0)) task.inputs[1].name = "layer_2_qkv_proj";
  };
  EXPECT_THAT(LayersOf(model),
              ElementsAre(-1, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2));
}

TEST(LayerForms, AreEqualForEqualLayersTheLastIncluded) {
  const Rank rank = TinyModel().Build();
  const View view(rank);
  Analyses analyses(view);
  const LayerForms& forms = analyses.layer_forms();
  ASSERT_EQ(forms.all().size(), 10u);
  ASSERT_EQ(forms.classes().size(), 1u);
  for (const LayerForm& form : forms.all()) {
    EXPECT_EQ(form.forms, forms.all()[0].forms) << form.section.layer;
    EXPECT_EQ(form.forms.size(), 4u);
    EXPECT_EQ(form.families.size(), 7u);
  }
}

TEST(LayerForms, DifferWhereAResultComesFromAnotherOperator) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("qkv", 4)) task.inputs[0].name = "embed_out";
  };
  const Rank rank = model.Build();
  const View view(rank);
  Analyses analyses(view);
  const auto& forms = analyses.layer_forms().all();
  EXPECT_NE(forms[4].forms, forms[3].forms);
  EXPECT_EQ(forms[5].forms, forms[3].forms);
}

TEST(LayerForms, LeaveOutAnAxisWithFewWeights) {
  TinyModel model;
  model.alter_declaration = [](Declaration& declaration) {
    if (declaration.name.find("o_proj") == std::string::npos) {
      declaration.kind = TensorKind::kScratch;
    }
  };
  const Rank rank = model.Build();
  const View view(rank);
  Analyses analyses(view);
  EXPECT_TRUE(analyses.layer_forms().all().empty());
  EXPECT_EQ(analyses.layer_forms().layers_left_out(), 10u);
}

}  // namespace
}  // namespace graph_coverage
