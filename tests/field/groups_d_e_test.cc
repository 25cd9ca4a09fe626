// SPDX-License-Identifier: Apache-2.0
//
// What the rules of groups D and E find in each field case: this and no more.
#include <gmock/gmock.h>

#include <ostream>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/catalogue.h"
#include "tests/support/field.h"

namespace graph_coverage {
namespace {

using ::testing::UnorderedElementsAreArray;

// A finding that is due on each rank of a case.
struct Due {
  std::string rule;
  std::string name;         // tensor, task type or "event N"
  std::uint64_t count = 0;  // 0: how pairs are counted is free
  std::string root;         // the rule it is a consequence of

  friend bool operator==(const Due& a, const Due& b) {
    return a.rule == b.rule && a.name == b.name && a.root == b.root &&
           (a.count == b.count || a.count == 0 || b.count == 0);
  }
  friend void PrintTo(const Due& due, std::ostream* out) {
    *out << due.rule << " " << due.name << " " << due.count << " " << due.root;
  }
};

struct Case {
  std::string name;
  std::vector<Due> due;
};

Due Order(const std::string& rule, const std::string& tensor) {
  return {rule, tensor, 0, "leaf-operation"};
}

// What the missing edge behind the gather of the compressed cache leads to.
std::vector<Due> WithGather(std::uint64_t layers, std::vector<Due> due) {
  due.push_back({"leaf-operation", "TASK_MLA_KV_GATHER_SM100", layers, ""});
  due.push_back(Order("unordered-read", "contiguous_kv"));
  for (const char* tensor :
       {"c_latent_out", "fp8_input_7168_shared", "fp8_scale_7168_shared",
        "k_pe_out", "rmsnorm_out", "contiguous_kv"}) {
    due.push_back(Order("unordered-overwrite", tensor));
  }
  due.push_back({"twin-writers", "fp8_input_7168_shared", 0, ""});
  due.push_back({"twin-writers", "fp8_scale_7168_shared", 0, ""});
  return due;
}

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"deepseek_v3_tp1_l4",
       WithGather(
           4, {{"trigger-count", "event 121", 1, ""},
               {"starved-task", "event 121", 1810, "trigger-count"},
               {"several-leaves", "TASK_ARGMAX_REDUCE_SM100", 1, ""},
               {"indistinct-siblings", "TASK_QUANTIZE_FP8_SM100", 264, ""}})},
      {"deepseek_v3_tp2_l4_mtp1",
       WithGather(5,
                  {{"trigger-count", "event 97", 2, ""},
                   {"starved-task", "event 97", 5475, "trigger-count"},
                   {"several-leaves", "TASK_MTP_ACCEPT_COMMIT", 1, ""},
                   {"several-leaves", "TASK_MTP_PREPARE_VERIFY", 1, ""},
                   {"uninitialised-read", "mtp_target_token_ids", 1, ""},
                   {"indistinct-siblings", "TASK_QUANTIZE_FP8_SM100", 384, ""},
                   {"indistinct-siblings", "TASK_MTP_VERIFY_STRICT", 8, ""},
                   {"indistinct-siblings", "TASK_MTP_ACCEPT_COMMIT", 8, ""}})},
      {"deepseek_v3_tp8",
       WithGather(
           61, {{"trigger-count", "event 91", 58, ""},
                {"starved-task", "event 91", 101996, "trigger-count"},
                {"several-leaves", "TASK_ARGMAX_REDUCE_SM100", 1, ""},
                {"twin-tasks", "TASK_QUANTIZE_FP8_SM100", 0, ""},
                {"indistinct-siblings", "TASK_QUANTIZE_FP8_SM100", 464, ""}})},
      {"llama3_8b_h100", {}},
      {"qwen3_30b_a3b_b200", {}},
      {"qwen3_8b_a100", {}},
      {"qwen3_8b_a100_tp2", {}},
      {"qwen3_8b_h100", {}},
      {"qwen3_8b_h100_tp4", {}},
      {"testmode_diamond_fork_join",
       {{"twin-tasks", "TASK_LINEAR_SM100", 0, ""},
        {"twin-tasks", "TASK_LINEAR_WITH_RESIDUAL_SM100", 0, ""}}},
      {"testmode_fork_point",
       {{"several-leaves", "TASK_RMS_NORM_HOPPER", 1, ""},
        {"several-leaves", "TASK_RMS_NORM_HOPPER", 1, ""}}},
      {"testmode_join_point",
       {{"twin-tasks", "TASK_LINEAR_WITH_RESIDUAL_SM100", 0, ""}}},
      {"testmode_qwen3_mlp", {}},
      {"testmode_residual_stripping",
       {{"twin-tasks", "TASK_LINEAR_WITH_RESIDUAL_SM100", 0, ""}}},
      {"testmode_rmsnorm", {}},
  };
  return cases;
}

void Collect(const Finding& finding, const std::string& root,
             const std::vector<RankId>& ranks, std::vector<Due>* found) {
  EXPECT_EQ(finding.severity, FindRule(finding.rule)->severity);
  EXPECT_EQ(finding.ranks, ranks) << finding.message();
  std::string name = finding.tensor;
  if (name.empty()) name = finding.task_type;
  if (name.empty() && finding.event) {
    name = "event " + std::to_string(*finding.event);
  }
  found->push_back({finding.rule, name, finding.count, root});
  for (const Finding& consequence : finding.consequences) {
    Collect(consequence, finding.rule, ranks, found);
  }
}

void PrintTo(const Case& field_case, std::ostream* out) {
  *out << field_case.name;
}

class OrderOfFieldCase : public ::testing::TestWithParam<Case> {};

TEST_P(OrderOfFieldCase, HasTheFindingsOfGroupsDAndE) {
  const Case& expected = GetParam();
  const auto gendir = test_support::FieldCase(expected.name);
  if (!gendir) GTEST_SKIP() << test_support::NoFieldCase(expected.name);
  const std::vector<RankId> ranks = test_support::FieldRanks(*gendir);
  std::vector<Due> found;
  for (const Finding& finding : Audit(*gendir).findings) {
    const char group = FindRule(finding.rule)->group;
    if (group != 'D' && group != 'E') continue;
    if (finding.rule == "cross-rank-overwrite") continue;  // below
    Collect(finding, "", ranks, &found);
  }
  EXPECT_THAT(found, UnorderedElementsAreArray(expected.due));
}

INSTANTIATE_TEST_SUITE_P(Field, OrderOfFieldCase, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace graph_coverage
