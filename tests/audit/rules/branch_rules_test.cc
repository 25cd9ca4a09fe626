// SPDX-License-Identifier: Apache-2.0
//
// Group B: where each rule fires, and where it must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "tests/audit/rules/audit_of.h"
#include "tests/support/sample_gendir.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Branch& BranchOf(std::vector<Branch>& branches, const std::string& type) {
  return *std::find_if(branches.begin(), branches.end(),
                       [&type](const Branch& b) { return b.type == type; });
}

TEST(GroupB, IsSilentOnAHealthyModel) {
  const Report report = AuditOf(TinyModel());
  EXPECT_THAT(RulesThatFire(report, "BC"), IsEmpty());
}

TEST(MissingOperand, NamesTheSlotTheLayerAndTheBranch) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("attention", 3)) task.inputs.pop_back();
  };
  const auto findings = FindingsOf(AuditOf(model), "missing-operand");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::kError);
  EXPECT_EQ(findings[0].message(),
            "TASK_PAGED_ATTENTION_1 has no in6, which its branch dereferences; "
            "expected a tensor in in6. Layers 0-2, 4-9: in6 = sin_table. Pass "
            "the operand, or generate the branch without it.");
  EXPECT_THAT(findings[0].layers, ElementsAre(3u));
  EXPECT_EQ(findings[0].count, 8u);
  ASSERT_EQ(findings[0].places.size(), 1u);
  EXPECT_EQ(findings[0].places[0].line, 1003u);
}

TEST(MissingOperand, QuotesTheSiblingsOfItsOwnOperator) {
  TinyModel model;  // its last norm runs the branch of the layers' norms
  model.alter = [](TinyTask& task) {
    if (task.is("final") && task.tile == 5) task.inputs.pop_back();
  };
  auto findings = FindingsOf(AuditOf(model), "missing-operand");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].siblings, HasSubstr(": in1 = final_norm"));

  // Where none of its operator has one, the nearest of another's.
  model.alter = [](TinyTask& task) {
    if (task.is("final")) task.inputs.pop_back();
  };
  findings = FindingsOf(AuditOf(model), "missing-operand");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].siblings, HasSubstr("in1 = layer_#_norm"));
}

TEST(IgnoredOperand, FiresWhereNoBranchUsesTheSlot) {
  TinyModel model;
  model.alter_branches = [](std::vector<Branch>& branches) {
    BranchOf(branches, "TASK_PAGED_ATTENTION_1").inputs = {0, 1, 2, 3, 4, 5};
  };
  const auto findings = FindingsOf(AuditOf(model), "ignored-operand");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_EQ(findings[0].tensor, "sin_table");
  EXPECT_THAT(findings[0].found, HasSubstr("in6 of TASK_PAGED_ATTENTION_1"));
  EXPECT_EQ(findings[0].count, 80u);
}

TEST(IgnoredOperand, LetsATensorGoWhereTheBranchReadsTheTokensItself) {
  TinyModel model;  // embedding never dereferences in0
  EXPECT_THAT(FindingsOf(AuditOf(model), "ignored-operand"), IsEmpty());
  model.alter_branches = [](std::vector<Branch>& branches) {
    BranchOf(branches, "TASK_EMBEDDING").reads_runtime_tokens = false;
  };
  const auto findings = FindingsOf(AuditOf(model), "ignored-operand");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].tensor, "tokens");
}

TEST(IgnoredOperand, LetsTheResidualGoOnRanksAboveZeroOnly) {
  TinyModel model;
  model.alter_branches = [](std::vector<Branch>& branches) {
    BranchOf(branches, "TASK_LINEAR_WITH_RESIDUAL").inputs = {0, 1};
  };
  EXPECT_FALSE(FindingsOf(AuditOf(model), "ignored-operand").empty());
  model.rank = 1;
  EXPECT_THAT(FindingsOf(AuditOf(model), "ignored-operand"), IsEmpty());
}

TEST(NoDispatch, NamesTheTypeWithoutABranch) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("qkv", 4)) task.variant = 7;
  };
  const auto findings = FindingsOf(AuditOf(model), "no-dispatch");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].found, HasSubstr("of variant 7 has no branch"));
  EXPECT_EQ(findings[0].count, 8u);
}

TEST(NoDispatch, SeesByNumbersThatABranchIsGone) {
  TinyModel model;
  model.alter_branches = [](std::vector<Branch>& branches) {
    branches.erase(branches.begin() + 2);
  };
  EXPECT_FALSE(FindingsOf(AuditOf(model), "no-dispatch").empty());
}

TEST(DeadDispatch, NotesABranchThatNoTaskRuns) {
  TinyModel model;
  model.alter_branches = [](std::vector<Branch>& branches) {
    Branch branch = BranchOf(branches, "TASK_LINEAR");
    branch.variant = 1;
    branch.line = 77;
    branches.insert(branches.begin() + 3, branch);
  };
  const auto findings = FindingsOf(AuditOf(model), "dead-dispatch");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::kNote);
  EXPECT_EQ(findings[0].places[0].line, 77u);
}

TEST(DisabledFeature, FiresWhereASwitchIsOffAndTensorsAreWired) {
  TinyModel model;
  model.alter_branches = [](std::vector<Branch>& branches) {
    BranchOf(branches, "TASK_PAGED_ATTENTION_1").arguments[1].value = 0;
  };
  const auto findings = FindingsOf(AuditOf(model), "disabled-feature");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].tensor, "cos_table");
  EXPECT_THAT(findings[0].found, HasSubstr("switches rope off"));
  EXPECT_EQ(findings[1].tensor, "sin_table");
}

TEST(DisabledFeature, TakesNullWhereTheSwitchIsOff) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (!task.is("attention")) return;
    task.inputs[3].name = "nullptr";
    task.inputs[4].name = "nullptr";
  };
  EXPECT_EQ(FindingsOf(AuditOf(model), "disabled-feature").size(), 2u);
  EXPECT_THAT(FindingsOf(AuditOf(model), "null-dereferenced"), IsEmpty());
  model.alter_branches = [](std::vector<Branch>& branches) {
    BranchOf(branches, "TASK_PAGED_ATTENTION_1").arguments[0].value = 0;
  };
  EXPECT_THAT(RulesThatFire(AuditOf(model), "BC"), IsEmpty());
}

TEST(NullDereferenced, FiresWhereNoSwitchGuardsTheSlot) {
  TinyModel model;
  model.alter = [](TinyTask& task) {
    if (task.is("qkv", 5)) task.inputs[1].name = "nullptr";
  };
  const auto findings = FindingsOf(AuditOf(model), "null-dereferenced");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].layers, ElementsAre(5u));
  EXPECT_THAT(findings[0].siblings,
              HasSubstr("Layers 0-4, 6-9: in1 = layer_#_qkv_proj"));
}

TEST(NullDereferenced, LeavesASlotThatAnUnknownTypeNeverFills) {
  TinyModel model;
  model.alter_branches = [](std::vector<Branch>& branches) {
    BranchOf(branches, "TASK_PAGED_ATTENTION_1").type = "TASK_OWN_ATTENTION";
  };
  std::uint32_t layers = 10;
  model.alter = [&layers](TinyTask& task) {
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
      if (task.is("attention", layer)) task.inputs[3].name = "nullptr";
    }
  };
  const Report report = AuditOf(model);
  EXPECT_THAT(FindingsOf(report, "null-dereferenced"), IsEmpty());
  for (const RuleOutcome& outcome : report.rules) {
    if (outcome.rule != "null-dereferenced") continue;
    EXPECT_EQ(outcome.could_not_judge.size(), 1u);
  }
  layers = 1;  // the others show that it is not left empty on purpose
  EXPECT_EQ(FindingsOf(AuditOf(model), "null-dereferenced").size(), 1u);
}

TEST(UnknownType, NotesATypeThatTheTableLacks) {
  TinyModel model;
  model.alter_branches = [](std::vector<Branch>& branches) {
    BranchOf(branches, "TASK_LINEAR").type = "TASK_OWN_LINEAR";
  };
  const auto findings = FindingsOf(AuditOf(model), "unknown-type");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].task_type, "TASK_OWN_LINEAR");
  EXPECT_EQ(findings[0].severity, Severity::kNote);
}

TEST(UnknownType, IsKnownOnceTheUserDescribesIt) {
  TinyModel model;
  model.alter_branches = [](std::vector<Branch>& branches) {
    BranchOf(branches, "TASK_LINEAR").type = "TASK_OWN_LINEAR";
  };
  AuditOptions options;
  options.semantics = ScratchDirectory("semantics.json");
  std::ofstream(options.semantics)
      << R"({"TASK_OWN_LINEAR": {"reads": ["in0", "in1"],
                                 "writes": ["out0"]}})";
  std::vector<Rank> ranks;
  ranks.push_back(model.Build());
  EXPECT_THAT(FindingsOf(AuditRanks("tiny", ranks, options), "unknown-type"),
              IsEmpty());

  std::ofstream(options.semantics) << "no table";
  const Report report = AuditRanks("tiny", ranks, options);
  EXPECT_EQ(report.verdict, Verdict::kInvalid);
  EXPECT_EQ(report.errors.size(), 1u);
}

TEST(GroupB, SaysThatItCouldNotJudgeWithoutAChain) {
  TinyModel model;
  model.alter_branches = [](std::vector<Branch>& branches) {
    branches.clear();
  };
  const Report report = AuditOf(model);
  const auto outcome = std::find_if(
      report.rules.begin(), report.rules.end(),
      [](const RuleOutcome& rule) { return rule.rule == "missing-operand"; });
  ASSERT_NE(outcome, report.rules.end());
  EXPECT_EQ(outcome->judged, 0u);
  EXPECT_FALSE(outcome->could_not_judge.empty());
}

}  // namespace
}  // namespace graph_coverage
