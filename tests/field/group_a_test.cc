// SPDX-License-Identifier: Apache-2.0
//
// What the rules of group A find in each field case: this and no more.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "tests/support/field.h"

namespace graph_coverage {
namespace {

using ::testing::UnorderedElementsAreArray;

// A finding that is due on each rank of a case.
struct Due {
  std::string rule;
  Severity severity;
  std::vector<std::string> names;  // sorted

  friend bool operator==(const Due& a, const Due& b) {
    return a.rule == b.rule && a.severity == b.severity && a.names == b.names;
  }
  friend void PrintTo(const Due& due, std::ostream* out) {
    *out << due.rule << " " << ToString(due.severity);
    for (const std::string& name : due.names) *out << " " << name;
  }
};

struct Case {
  std::string name;
  Verdict verdict;
  std::vector<Due> due;

  friend void PrintTo(const Case& field_case, std::ostream* out) {
    *out << field_case.name;
  }
};

Due MissingWiring(const std::string& name) {
  return {"missing-wiring", Severity::kError, {name}};
}
Due WriteOnlyOutput(const std::string& name) {
  return {"write-only", Severity::kNote, {name}};
}
Due WriteOnlyScratch(const std::string& name) {
  return {"write-only", Severity::kWarning, {name}};
}
Due DeadScratch(const std::vector<std::string>& names) {
  return {"dead-scratch", Severity::kNote, names};
}

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"deepseek_v3_tp1_l4",
       Verdict::kFail,
       {MissingWiring("rope_cos"), MissingWiring("rope_sin"),
        WriteOnlyOutput("output_token"),
        DeadScratch(
            {"attn_proj_out", "attn_unabsorbed", "kv_combined", "mlp_out"})}},
      {"deepseek_v3_tp2_l4_mtp1",
       Verdict::kFail,
       {MissingWiring("rope_cos"), MissingWiring("rope_sin"),
        WriteOnlyOutput("mtp_num_new_tokens"),
        WriteOnlyScratch("mtp_accept_num_new"),
        WriteOnlyScratch("mtp_final_output"),
        WriteOnlyScratch("mtp_new_position"),
        DeadScratch({"allreduce_buf", "attn_proj_out", "attn_unabsorbed",
                     "kv_combined", "mlp_out"})}},
      {"deepseek_v3_tp8",
       Verdict::kFail,
       {MissingWiring("rope_cos"), MissingWiring("rope_sin"),
        WriteOnlyOutput("output_token"),
        DeadScratch({"allreduce_buf", "attn_proj_out", "attn_unabsorbed",
                     "kv_combined", "mlp_out"})}},
      {"llama3_8b_h100",
       Verdict::kPass,
       {WriteOnlyOutput("output_token"),
        DeadScratch({"all_reduce_buf", "attn_allreduce_out", "mlp_final"})}},
      {"qwen3_30b_a3b_b200",
       Verdict::kPass,
       {WriteOnlyOutput("output_token"),
        DeadScratch({"all_reduce_buf", "attn_allreduce_out", "mlp_final"})}},
      {"qwen3_8b_a100",
       Verdict::kPass,
       {WriteOnlyOutput("output_token"),
        DeadScratch({"all_reduce_buf", "attn_allreduce_out", "attn_out_tmp",
                     "lse", "mlp_final"})}},
      {"qwen3_8b_a100_tp2",
       Verdict::kPass,
       {WriteOnlyOutput("output_token"), DeadScratch({"attn_out_tmp", "lse"})}},
      {"qwen3_8b_h100",
       Verdict::kPass,
       {WriteOnlyOutput("output_token"),
        DeadScratch({"all_reduce_buf", "attn_allreduce_out", "attn_out_tmp",
                     "lse", "mlp_final"})}},
      {"qwen3_8b_h100_tp4",
       Verdict::kPass,
       {WriteOnlyOutput("output_token"),
        DeadScratch({"all_reduce_buf", "attn_out_tmp", "lse"})}},
      {"testmode_diamond_fork_join", Verdict::kPass, {WriteOnlyOutput("x_d")}},
      {"testmode_fork_point",
       Verdict::kPass,
       {WriteOnlyOutput("x_b"), WriteOnlyOutput("x_c")}},
      {"testmode_join_point", Verdict::kPass, {WriteOnlyOutput("x_c")}},
      {"testmode_qwen3_mlp", Verdict::kPass, {WriteOnlyOutput("mlp_mid")}},
      {"testmode_residual_stripping", Verdict::kPass, {WriteOnlyOutput("x_c")}},
      {"testmode_rmsnorm", Verdict::kPass, {WriteOnlyOutput("out")}},
  };
  return cases;
}

// The rules that judge declarations; missing-rank is about files.
bool JudgesDeclarations(const std::string& rule) {
  static const std::set<std::string> rules = {
      "missing-wiring",         "unread-attached", "undeclared-tensor",
      "required-tensor-absent", "write-only",      "dead-scratch",
      "shuffle-cover"};
  return rules.count(rule) > 0;
}

class FieldCaseTest : public ::testing::TestWithParam<Case> {};

TEST_P(FieldCaseTest, HasTheFindingsOfGroupA) {
  const Case& expected = GetParam();
  const auto gendir = test_support::FieldCase(expected.name);
  if (!gendir) GTEST_SKIP() << test_support::NoFieldCase(expected.name);
  const std::vector<RankId> ranks = test_support::FieldRanks(*gendir);

  const Report report = Audit(*gendir);
  ASSERT_EQ(report.ranks.size(), ranks.size());
  EXPECT_EQ(report.verdict, expected.verdict);

  std::vector<Due> found;
  for (const Finding& finding : report.findings) {
    if (!JudgesDeclarations(finding.rule)) continue;
    EXPECT_EQ(finding.ranks, ranks) << finding.message();
    EXPECT_EQ(finding.count, finding.members.size()) << finding.message();
    std::vector<std::string> names = finding.members;
    std::sort(names.begin(), names.end());
    found.push_back({finding.rule, finding.severity, std::move(names)});
  }
  EXPECT_THAT(found, UnorderedElementsAreArray(expected.due));
}

INSTANTIATE_TEST_SUITE_P(Field, FieldCaseTest, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.name; });

class SeveralRanks : public ::testing::TestWithParam<const char*> {};

TEST_P(SeveralRanks, AreTheSameForAnyNumberOfJobs) {
  const auto gendir = test_support::FieldCase(GetParam());
  if (!gendir) GTEST_SKIP() << test_support::NoFieldCase(GetParam());
  const auto findings_with = [&gendir](unsigned jobs) {
    AuditOptions options;
    options.jobs = jobs;
    std::vector<std::string> messages;
    for (const Finding& finding : Audit(*gendir, options).findings) {
      messages.push_back(finding.message());
    }
    return messages;
  };
  const std::vector<std::string> one = findings_with(1);
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(findings_with(3), one);
}

INSTANTIATE_TEST_SUITE_P(
    Field, SeveralRanks,
    ::testing::Values("deepseek_v3_tp2_l4_mtp1", "deepseek_v3_tp8",
                      "qwen3_8b_a100_tp2", "qwen3_8b_h100_tp4"),
    [](const auto& info) { return std::string(info.param); });

// Where the variable is set, there must be something to test.
TEST(FieldDir, HoldsCases) {
  if (std::getenv("GRAPH_COVERAGE_FIELD_DIR") == nullptr) {
    GTEST_SKIP() << test_support::NoFieldCase("any");
  }
  const auto unpacked = [](const Case& field_case) {
    return test_support::FieldCase(field_case.name).has_value();
  };
  EXPECT_TRUE(std::any_of(Cases().begin(), Cases().end(), unpacked));
}

}  // namespace
}  // namespace graph_coverage
