// SPDX-License-Identifier: Apache-2.0
//
// The same case in every form of the artifacts: the same findings.
#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/catalogue.h"
#include "tests/support/convert.h"
#include "tests/support/field.h"

namespace graph_coverage {
namespace {

using test_support::AllForms;
using test_support::Convert;
using test_support::Form;

// What a form has to say of a case. F0 has no dispatch chain, so its task types
// have numbers only, and messages name types.
bool NamesTypes(Form form) { return form != Form::kF0; }

// Whether the form has what the rule needs: code (F0 has no chain), bytes and
// what types do with them (F0 has no types, X2 no offsets), or what tells
// siblings apart.
bool CanSay(Form form, const std::string& rule) {
  if (FindRule(rule)->group == 'B' || rule == "unreduced-output") {
    return NamesTypes(form);
  }
  const bool has_bytes = form != Form::kF0 && form != Form::kX2;
  const bool has_metadata = form != Form::kF2 && form != Form::kF4;
  if (rule == "indistinct-siblings" || rule.rfind("twin-", 0) == 0) {
    return has_bytes && has_metadata;
  }
  const bool of_memory = FindRule(rule)->group == 'E' ||
                         rule == "leaf-operation" || rule == "several-leaves";
  return has_bytes || !of_memory;
}

// The findings that the form can say, without their places: they name files,
// and forms rename those. Where types have no names, without messages, too.
std::vector<std::string> Described(const Report& report, Form form) {
  std::vector<std::string> lines;
  for (const Finding& finding : report.findings) {
    if (!CanSay(form, finding.rule)) continue;
    std::string line = finding.rule + " " + ToString(finding.severity) +
                       " count " + std::to_string(finding.count) + " ranks";
    for (const RankId rank : finding.ranks) {
      line += " " + std::to_string(Index(rank));
    }
    if (finding.event) line += " event " + std::to_string(*finding.event);
    line += " members";
    for (const std::string& member : finding.members) line += " " + member;
    line += " layers";
    for (const std::uint32_t layer : finding.layers) {
      line += " " + std::to_string(layer);
    }
    if (NamesTypes(form)) line += ": " + finding.message();
    lines.push_back(line);
  }
  return lines;
}

// One small case; one with a tensor of each kind; one that fails, on 2 ranks;
// one with operands that are "nullptr".
class EveryForm : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryForm, HasTheSameFindings) {
  const auto gendir = test_support::FieldCase(GetParam());
  if (!gendir) GTEST_SKIP() << test_support::NoFieldCase(GetParam());
  const std::vector<MemoryFile> files = test_support::ReadArtifacts(*gendir);
  const Report today = Audit(Gendir("case", files));
  ASSERT_NE(today.verdict, Verdict::kInvalid);
  ASSERT_FALSE(today.findings.empty());

  int expressed = 0;
  for (const Form form : AllForms()) {
    SCOPED_TRACE(ToString(form));
    std::vector<MemoryFile> converted;
    try {
      converted = Convert(files, form);
    } catch (const std::invalid_argument&) {
      continue;  // this form has no way to say what the case says
    }
    ++expressed;
    const Report report = Audit(Gendir("case", std::move(converted)));
    for (const InputError& error : report.errors) {
      ADD_FAILURE() << error.what();
    }
    EXPECT_EQ(report.verdict, today.verdict);
    EXPECT_EQ(Described(report, form), Described(today, form));
  }
  EXPECT_GE(expressed, 8);
}

INSTANTIATE_TEST_SUITE_P(Field, EveryForm,
                         ::testing::Values("testmode_fork_point",
                                           "testmode_rmsnorm", "qwen3_8b_a100",
                                           "llama3_8b_h100",
                                           "deepseek_v3_tp2_l4_mtp1"),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace graph_coverage
