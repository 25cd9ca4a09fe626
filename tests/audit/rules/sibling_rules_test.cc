// SPDX-License-Identifier: Apache-2.0
//
// Group C: where each rule fires, and where it must not. The healthy model is
// held to silence in branch_rules_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/audit/rules/audit_of.h"
#include "tests/audit/rules/wired_audit.h"

namespace graph_coverage {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

TEST(OperandShape, NamesTheOddLayerAndQuotesTheOthers) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("attention", 3)) task.inputs[5].dims = {256, 64};
  };
  const auto findings = FindingsOf(AuditOf(model), "operand-shape");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].message(),
            "TASK_PAGED_ATTENTION_1 of variant 0 has bf16[256, 64] in in5; "
            "expected bf16[512, 64]. Layers 0-2, 4-9: in5 = bf16[512, 64]. A "
            "branch is compiled for one shape: give each task's operand that "
            "shape, or the odd ones a variant of their own.");
  EXPECT_THAT(findings[0].layers, ElementsAre(3u));
}

TEST(OperandShape, SeesADroppedAndANullOperand) {
  TinyModel dropped;
  dropped.alter = [](TinyTask& task) {
    if (task.is("o_proj", 2) && task.tile == 4) task.inputs.pop_back();
  };
  EXPECT_THAT(RulesThatFire(AuditOf(dropped), "C"), Contains("operand-shape"));
  TinyModel null;
  null.alter = [](TinyTask& task) {
    if (task.is("qkv", 2) && task.tile == 4) task.inputs[0].name = "nullptr";
  };
  EXPECT_THAT(RulesThatFire(AuditOf(null), "C"), Contains("operand-shape"));
}

TEST(ForeignLayer, SeesAWeightOfTheNextLayer) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("attention", 3)) task.inputs[3].name = "layer_4_q_norm";
  };
  const auto findings = FindingsOf(AuditOf(model), "foreign-layer");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].tensor, "layer_4_q_norm");
  EXPECT_THAT(findings[0].layers, ElementsAre(3u));
}

TEST(ForeignLayer, SeesAStaleResult) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("norm", 5)) task.inputs[0].name = "layer_2_out";
  };
  const auto findings = FindingsOf(AuditOf(model), "foreign-layer");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].tensor, "layer_2_out");
  EXPECT_THAT(findings[0].expected, HasSubstr("the layer before"));
}

TEST(AttentionSlot, SeesCosineAndSineSwappedInAllLayers) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("attention")) std::swap(task.inputs[5], task.inputs[6]);
  };
  const auto findings = FindingsOf(AuditOf(model), "attention-slot");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].tensor, "sin_table");
  EXPECT_EQ(findings[0].expected, "a cos there");
}

TEST(ScaleMissing, WantsATensorAndItsScaleInOneTask) {
  TinyModel model;
  model.alter_declaration = [](Declaration& declaration) {
    // The second norm of each layer becomes the scale of the first.
    const std::size_t at = declaration.name.find("k_norm");
    if (at != std::string::npos)
      declaration.name.replace(at, 6, "q_norm_scale");
  };
  const auto scaled = [](TinyTask& task) {
    if (!task.is("attention")) return;
    std::string& name = task.inputs[4].name;
    name.replace(name.find("k_norm"), 6, "q_norm_scale");
  };
  model.alter = scaled;
  EXPECT_THAT(FindingsOf(AuditOf(model), "scale-missing"), IsEmpty());
  model.alter = [&scaled](TinyTask& task) {
    scaled(task);
    if (task.is("attention", 2)) task.inputs[4].name = "layer_2_norm";
  };
  const auto findings = FindingsOf(AuditOf(model), "scale-missing");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].tensor, "layer_2_q_norm");
  EXPECT_THAT(findings[0].found, HasSubstr("without its scale"));
}

TEST(SlotKind, SeesAResultWhereAWeightBelongs) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("qkv")) task.inputs[1].name = "embed_out";
  };
  const auto findings = FindingsOf(AuditOf(model), "slot-kind");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].tensor, "embed_out");
  EXPECT_THAT(findings[0].expected, HasSubstr("an attached tensor of bf16"));
}

TEST(SlotKind, WarnsOfATensorThatIsAddedToItself) {
  const auto sum = [](const char* other) {
    WiredRank rank = TensorsOfTwoLayers();
    rank.source.branches.clear();
    rank.Branch("TASK_RMS_NORM", {0, 1}, {0});
    rank.Branch("TASK_ELEMENTWISE_ADD_SM100", {0, 1}, {0});
    rank.Task(kNorm, {"x", "w"}, {"h"}, kNothing, 2);
    rank.Task(kNorm, {"h", "w"}, {"a"}, 2, 3);
    rank.Task(281, {"h", other}, {"out"}, 3, kEnd);
    return FindingsOf(AuditOf(rank.Wire()), "slot-kind");
  };
  const auto added_to_itself = [](const std::vector<Finding>& findings) {
    return std::count_if(
        findings.begin(), findings.end(), [](const Finding& f) {
          return f.severity == Severity::kWarning && f.tensor == "h" &&
                 f.found.find("added to itself") != std::string::npos;
        });
  };
  EXPECT_EQ(added_to_itself(sum("a")), 0);
  EXPECT_EQ(added_to_itself(sum("h")), 1);
}

TEST(SlotKind, TakesFp16ForBf16) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    for (auto* tiles : {&task.inputs, &task.outputs}) {
      for (TinyTile& tile : *tiles) {
        if (tile.data_type == DataType::kBf16) tile.data_type = DataType::kFp16;
      }
    }
  };
  EXPECT_THAT(FindingsOf(AuditOf(model), "slot-kind"), IsEmpty());
}

TEST(ResidualShape, WantsTheShapeOfTheOutput) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("o_proj")) task.inputs[2].dims = {1, 192};
  };
  const auto findings = FindingsOf(AuditOf(model), "residual-shape");
  ASSERT_FALSE(findings.empty());
  EXPECT_THAT(findings[0].found, HasSubstr("bf16[1, 192]"));
  EXPECT_THAT(findings[0].expected, HasSubstr("bf16[1, 64]"));
}

TEST(MixedTile, SeesOneTileThatReadsAnotherTensor) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("qkv", 3) && task.tile == 5) task.inputs[0].name = "attn";
  };
  const auto findings = FindingsOf(AuditOf(model), "mixed-tile");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].tensor, "attn");
  EXPECT_EQ(findings[0].count, 1u);
  EXPECT_THAT(findings[0].layers, ElementsAre(3u));
}

TEST(MixedTile, LetsAnOperatorAlternateOverTensors) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("qkv") && task.tile % 2 == 1) {
      task.inputs[1].name = "layer_" + std::to_string(task.layer) + "_o_proj";
    }
  };
  EXPECT_THAT(FindingsOf(AuditOf(model), "mixed-tile"), IsEmpty());
}

TEST(TilePattern, SeesAnOffsetThatOccursTwice) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("norm", 3) && task.tile == 5) task.inputs[0].offset = 0;
  };
  const auto findings = FindingsOf(AuditOf(model), "tile-pattern");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].found, HasSubstr("has offset"));
}

TEST(TilePattern, SeesATileOutOfStep) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("norm", 3) && task.tile == 5) task.inputs[0].offset += 16;
  };
  EXPECT_EQ(FindingsOf(AuditOf(model), "tile-pattern").size(), 1u);
}

std::vector<TinyModel> Ranks(std::uint32_t count) {
  std::vector<TinyModel> ranks(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    ranks[i].rank = i;
    ranks[i].num_gpus = count;
  }
  return ranks;
}

TEST(RankDifference, IsSilentOnEqualRanksAndOnTheResidual) {
  std::vector<TinyModel> ranks = Ranks(3);
  for (std::uint32_t i = 1; i < 3; ++i) {
    ranks[i].alter_branches = [](std::vector<Branch>& branches) {
      Branch& branch = branches[4];
      branch.inputs = {0, 1};
      branch.body =
          "task_desc -> input_ptrs [ 0 ] task_desc -> input_ptrs [ 1 ] false";
    };
  }
  EXPECT_THAT(RulesThatFire(AuditOf(ranks), "BC"), IsEmpty());
}

TEST(RankDifference, LetsAnUnknownTypeLeaveOutASlotButNotSwapTwo) {
  constexpr const char* kFirst = "task_desc -> input_ptrs [ 0 ] ";
  constexpr const char* kSecond = "task_desc -> input_ptrs [ 1 ] ";
  const auto audit = [](const std::string& other) {
    std::vector<TinyModel> ranks = Ranks(3);
    for (std::uint32_t i = 0; i < 3; ++i) {
      ranks[i].alter_branches = [&other, i](std::vector<Branch>& branches) {
        branches[4].type = "TASK_OWN_LINEAR";
        branches[4].body =
            i == 2 ? other : std::string(kFirst) + kSecond + "my_gpu_id == 0";
      };
    }
    return AuditOf(ranks);
  };
  EXPECT_THAT(
      FindingsOf(audit(std::string(kSecond) + "nullptr"), "rank-difference"),
      IsEmpty());
  EXPECT_EQ(FindingsOf(audit(std::string(kSecond) + kFirst), "rank-difference")
                .size(),
            1u);
}

TEST(RankDifference, NamesTheOddRankOfThree) {
  std::vector<TinyModel> ranks = Ranks(3);
  ranks[0].alter = [](TinyTask& task) {
    if (task.is("qkv", 3)) task.inputs[1].name = "layer_3_o_proj";
  };
  const auto findings = FindingsOf(AuditOf(ranks), "rank-difference");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].ranks, ElementsAre(RankId(0)));
  EXPECT_EQ(findings[0].tensor, "layer_3_o_proj");
  EXPECT_THAT(findings[0].expected, HasSubstr("layer_3_qkv_proj"));
  EXPECT_THAT(findings[0].layers, ElementsAre(3u));
  EXPECT_EQ(findings[0].count, 8u);
}

TEST(RankDifference, OfTwoNamesWhatBothHave) {
  std::vector<TinyModel> ranks = Ranks(2);
  ranks[1].alter_declaration = [](Declaration& declaration) {
    if (declaration.name == "h") declaration.bytes = 99;
  };
  ranks[0].alter = [](TinyTask& task) {
    if (task.is("qkv", 3)) task.inputs[1].name = "layer_3_o_proj";
  };
  const auto findings = FindingsOf(AuditOf(ranks), "rank-difference");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_THAT(findings[0].message(),
              AllOf(StartsWith("h has 99 bytes; expected the same on both "
                               "ranks. Ranks 0 and 1 differ: "),
                    HasSubstr(" bytes on rank 0, 99 bytes on rank 1. ")));
  EXPECT_THAT(findings[0].ranks, ElementsAre(RankId(1)));
  ASSERT_EQ(findings[0].places.size(), 2u);
  EXPECT_NE(findings[0].places[0].file, findings[0].places[1].file);
  EXPECT_EQ(findings[0].places[0].line, findings[0].places[1].line);
  EXPECT_THAT(findings[1].message(),
              HasSubstr("Ranks 0 and 1 differ: layer_3_o_proj on rank 0, "
                        "layer_3_qkv_proj on rank 1. "));
}

TEST(RankDifference, OfTwoNamesWhatTheFirstOddTasksHave) {
  std::vector<TinyModel> ranks = Ranks(2);
  ranks[1].alter = [](TinyTask& task) {
    if (task.is("norm", 3) && task.tile == 1) task.inputs[0].offset += 2;
    if (task.is("qkv", 3)) task.inputs[1].dims = {64, 192};
    if (task.is("o_proj", 3)) task.inputs.pop_back();
  };
  std::vector<std::string> said;
  for (const Finding& finding : FindingsOf(AuditOf(ranks), "rank-difference")) {
    said.push_back(finding.siblings);
  }
  EXPECT_THAT(
      said,
      UnorderedElementsAre(
          "Ranks 0 and 1 differ: 3 inputs and 1 output on rank 0, 2 inputs and "
          "1 output on rank 1",
          "Ranks 0 and 1 differ: bf16 dims [192, 64] strides [64, 1] on rank "
          "0, bf16 dims [64, 192] strides [192, 1] on rank 1",
          "Ranks 0 and 1 differ: byte 128 on rank 0, byte 130 on rank 1"));
}

TEST(RankDifference, SeesOffsetsDeclarationsAndCode) {
  std::vector<TinyModel> ranks = Ranks(3);
  ranks[1].alter = [](TinyTask& task) {
    if (task.is("norm", 3) && task.tile == 1) task.inputs[0].offset += 2;
  };
  ranks[2].alter_declaration = [](Declaration& declaration) {
    if (declaration.name == "h") declaration.bytes = 99;
  };
  ranks[2].alter_branches = [](std::vector<Branch>& branches) {
    branches[1].body += "epsilon";
  };
  const auto findings = FindingsOf(AuditOf(ranks), "rank-difference");
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_THAT(findings[0].ranks, ElementsAre(RankId(1)));
  EXPECT_EQ(findings[1].tensor, "h");
  EXPECT_EQ(findings[2].task_type, "TASK_RMS_NORM");
}

TEST(UnreducedOutput, NamesTheWeightWhoseProductReachesANorm) {
  std::vector<TinyModel> ranks = Ranks(2);
  EXPECT_THAT(FindingsOf(AuditOf(ranks), "unreduced-output"), IsEmpty());
  for (TinyModel& rank : ranks) rank.collective = false;
  const auto findings = FindingsOf(AuditOf(ranks), "unreduced-output");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_EQ(findings[0].tensor, "layer_{0..9}_o_proj");
  EXPECT_EQ(findings[0].count, 10u);
}

TEST(UnreducedOutput, IsSilentOnOneRank) {
  EXPECT_THAT(FindingsOf(AuditOf(TinyModel()), "unreduced-output"), IsEmpty());
}

}  // namespace
}  // namespace graph_coverage
