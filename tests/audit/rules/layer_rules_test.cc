// SPDX-License-Identifier: Apache-2.0
//
// layer-gap and layer-kind: where each fires, and where it must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/audit/rules/audit_of.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(LayerGap, QuotesTheHealthyLayersBesideTheOddOne) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("attention", 6)) task.inputs[5].name = "sin_table";
  };
  const auto findings = FindingsOf(AuditOf(model), "layer-gap");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].task_type, "TASK_PAGED_ATTENTION_1");
  EXPECT_EQ(findings[0].found, "has in5 = sin_table");
  EXPECT_EQ(findings[0].siblings, "Layers 0-5, 7-9: in5 = cos_table");
  EXPECT_THAT(findings[0].layers, ElementsAre(6u));
  EXPECT_EQ(findings[0].places.at(0).line, 1003u);
}

TEST(LayerGap, SeesAnOperatorThatALayerLacks) {
  TinyModel model;
  model.alter = [](TinyTask& task) { task.dropped = task.is("qkv", 6); };
  const auto findings = FindingsOf(AuditOf(model), "layer-gap");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].layers, ElementsAre(6u));
}

TEST(LayerGap, BlamesTheOperatorThatReadsTheWrongTensor) {
  // Where the norm is given the embedding's result, the projection that adds
  // the residual reads another tensor than the norm: it is right.
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("norm", 6)) task.inputs[0].name = "embed_out";
  };
  const auto findings = FindingsOf(AuditOf(model), "layer-gap");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].task_type, HasSubstr("NORM"));
  EXPECT_EQ(findings[0].found, "has in0 = embed_out");
  EXPECT_EQ(findings[0].siblings, "Layers 1-5, 7-9: in0 = layer_#_out");
}

TEST(LayerGap, NamesTheWeightOfAnotherLayer) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("attention", 6)) task.inputs[3].name = "layer_5_q_norm";
  };
  const auto findings = FindingsOf(AuditOf(model), "layer-gap");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].found, "has in3 = layer_5_q_norm");
  EXPECT_EQ(findings[0].expected, "in3 of the task's own layer");
}

TEST(LayerGap, SeesAWeightThatOneLayerDoesNotDeclare) {
  TinyModel model;
  model.alter_declaration = [](Declaration& declaration) {
    if (declaration.name == "layer_4_q_norm") declaration.name.clear();
  };
  model.alter = [](TinyTask& task) {
    if (task.is("attention", 4)) task.inputs[3].name = "layer_5_q_norm";
  };
  const auto findings = FindingsOf(AuditOf(model), "layer-gap");
  ASSERT_FALSE(findings.empty());
  EXPECT_THAT(findings[0].found, HasSubstr("has no layer_#_q_norm"));
  EXPECT_THAT(findings[0].layers, ElementsAre(4u));
}

// A model whose last layer has projections of its own, as one layer of experts
// among dense ones.
TinyModel WithALayerOfItsOwnKind() {
  TinyModel model;
  const auto other = [](std::string& name) {
    if (name == "layer_9_qkv_proj") name = "layer_9_experts_in";
    if (name == "layer_9_o_proj") name = "layer_9_experts_out";
  };
  model.alter_declaration = [other](Declaration& declaration) {
    other(declaration.name);
  };
  model.alter = [other](TinyTask& task) {
    for (TinyTile& tile : task.inputs) other(tile.name);
  };
  return model;
}

TinyModel WithALayerOfItsOwnKind(
    const std::function<void(TinyTask&)>& and_then) {
  TinyModel model = WithALayerOfItsOwnKind();
  model.alter = [first = model.alter, and_then](TinyTask& task) {
    first(task);
    and_then(task);
  };
  return model;
}

TEST(LayerGap, IsSilentAboutALayerOfItsOwnKind) {
  EXPECT_THAT(FindingsOf(AuditOf(WithALayerOfItsOwnKind()), "layer-gap"),
              IsEmpty());
}

TEST(LayerGap, SeesATaskLessInAnOperatorThatAllKindsHave) {
  const auto findings =
      FindingsOf(AuditOf(WithALayerOfItsOwnKind([](TinyTask& task) {
                   if (task.is("attention", 9) && task.tile == 3)
                     task.dropped = true;
                 })),
                 "layer-gap");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].task_type, "TASK_PAGED_ATTENTION_1");
  EXPECT_EQ(findings[0].found, "has 7 tasks");
  EXPECT_EQ(findings[0].siblings, "Layers 0-8: 8 tasks");
  EXPECT_THAT(findings[0].layers, ElementsAre(9u));
}

TEST(LayerGap, HoldsNoLayerOfAConfirmedKindAgainstTheOthers) {
  const TinyModel model = WithALayerOfItsOwnKind([](TinyTask& task) {
    if (task.is("attention", 9) && task.tile == 3) task.dropped = true;
  });
  AuditOptions options;
  LayerKind kind;
  kind.prefix = "layer_";
  kind.layers = {9};
  kind.reason = "the layer of experts";
  options.policy.layer_kinds = {kind};
  const std::vector<Rank> ranks = {model.Build()};
  EXPECT_THAT(FindingsOf(AuditRanks("tiny", ranks, options), "layer-gap"),
              IsEmpty());
}

TEST(LayerGap, IsSilentWhereALayerOfItsOwnKindIsSmallerThroughout) {
  const auto findings =
      FindingsOf(AuditOf(WithALayerOfItsOwnKind([](TinyTask& task) {
                   if (task.layer == 9 && task.tile > 3) task.dropped = true;
                 })),
                 "layer-gap");
  EXPECT_THAT(findings, IsEmpty());
}

TEST(LayerGap, SeesAnOldOrOverwrittenResultInAnOperatorThatAllKindsHave) {
  for (const auto& [name, found] :
       std::vector<std::pair<const char*, const char*>>{
           {"embed_out",
            "has in0 = embed_out, which was written before the "
            "last layer"},
           {"h", "has in0 = h, which it overwrites"}}) {
    const auto findings = FindingsOf(
        AuditOf(WithALayerOfItsOwnKind([name = name](TinyTask& task) {
          if (task.is("norm", 9)) task.inputs[0].name = name;
        })),
        "layer-gap");
    ASSERT_EQ(findings.size(), 1u) << name;
    EXPECT_EQ(findings[0].found, found);
    EXPECT_THAT(findings[0].layers, ElementsAre(9u));
  }
}

TEST(LayerKind, NotesLayersThatDifferInAPeriod) {
  TinyModel model;
  model.layers = 16;
  model.alter = [](TinyTask& task) {
    if (!task.is("attention") || task.layer % 4 != 3) return;
    task.variant = 1;
    task.inputs.resize(5);
  };
  model.alter_branches = [](std::vector<Branch>& branches) {
    Branch branch = branches[3];
    branch.variant = 1;
    branch.inputs = {0, 1, 2, 3, 4};
    branch.arguments[1].value = 0;
    branches.insert(branches.begin() + 4, branch);
  };
  const Report report = AuditOf(model);
  const auto findings = FindingsOf(report, "layer-kind");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::kNote);
  EXPECT_THAT(findings[0].layers, ElementsAre(3u, 7u, 11u, 15u));
  EXPECT_THAT(FindingsOf(report, "layer-gap"), IsEmpty());
}

TEST(LayerKind, NotesTwoHalvesOfWhichNeitherIsTheSlip) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("attention") && task.layer >= 5) {
      task.inputs[5].name = "sin_table";
    }
  };
  const Report report = AuditOf(model);
  const auto findings = FindingsOf(report, "layer-kind");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].layers.size(), 5u);
  EXPECT_THAT(FindingsOf(report, "layer-gap"), IsEmpty());
}

}  // namespace
}  // namespace graph_coverage
