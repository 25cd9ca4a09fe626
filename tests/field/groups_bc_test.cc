// SPDX-License-Identifier: Apache-2.0
//
// What the rules of groups B and C find in each field case: this and no more.
#include <gmock/gmock.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/catalogue.h"
#include "tests/support/field.h"

namespace graph_coverage {
namespace {

using ::testing::UnorderedElementsAreArray;

// A finding that is due on each rank: rule, tensor, places.
using Due = std::tuple<std::string, std::string, std::uint64_t>;

struct Case {
  std::string name;
  std::vector<Due> due;
};

const std::vector<Case>& Cases() {
  static const std::string rule = "unreduced-output";
  static const std::vector<Case> cases = {
      {"deepseek_v3_tp1_l4", {}},
      {"deepseek_v3_tp2_l4_mtp1",
       {{rule, "layer_{0..3}_o_proj", 4},
        {rule, "layer_{0..2}_down_proj", 3},
        {rule, "mtp_model_layers_61_self_attn_o_proj", 1}}},
      {"deepseek_v3_tp8",
       {{rule, "layer_{0..60}_o_proj", 61},
        {rule, "layer_{0..2}_down_proj", 3}}},
      {"llama3_8b_h100", {}},
      {"qwen3_30b_a3b_b200", {}},
      {"qwen3_8b_a100", {}},
      {"qwen3_8b_a100_tp2", {}},
      {"qwen3_8b_h100", {}},
      {"qwen3_8b_h100_tp4", {}},
      {"testmode_diamond_fork_join", {}},
      {"testmode_fork_point", {}},
      {"testmode_join_point", {}},
      {"testmode_qwen3_mlp", {}},
      {"testmode_residual_stripping", {}},
      {"testmode_rmsnorm", {}},
  };
  return cases;
}

void PrintTo(const Case& field_case, std::ostream* out) {
  *out << field_case.name;
}

class FieldCaseOfGroupsBC : public ::testing::TestWithParam<Case> {};

TEST_P(FieldCaseOfGroupsBC, HasTheFindingsThatAreDue) {
  const Case& expected = GetParam();
  const auto gendir = test_support::FieldCase(expected.name);
  if (!gendir) GTEST_SKIP() << test_support::NoFieldCase(expected.name);

  const Report report = Audit(*gendir);
  std::vector<Due> found;
  for (const Finding& finding : report.findings) {
    const char group = FindRule(finding.rule)->group;
    if (group != 'B' && group != 'C') continue;
    EXPECT_EQ(finding.ranks.size(), report.ranks.size()) << finding.message();
    EXPECT_EQ(finding.severity, FindRule(finding.rule)->severity);
    found.emplace_back(finding.rule, finding.tensor, finding.count);
  }
  EXPECT_THAT(found, UnorderedElementsAreArray(expected.due));
}

INSTANTIATE_TEST_SUITE_P(Field, FieldCaseOfGroupsBC,
                         ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace graph_coverage
