// SPDX-License-Identifier: Apache-2.0
//
// docs/messages.md: what each assertion and matcher prints when it fails, as
// it prints it here. To write it anew: GRAPH_COVERAGE_WRITE_GOLDEN=1, and read
// what changed.
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "graph_coverage/contract.h"
#include "graph_coverage/gtest_campaign.h"
#include "graph_coverage/mutation/mutation_space.h"
#include "graph_coverage/mutation/write_mutant.h"
#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/shapes.h"
#include "graph_coverage/synthetic/write.h"

namespace graph_coverage {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Eq;
using ::testing::Ge;
using ::testing::Not;

// A heading of the page, or a statement with what it says.
struct Sample {
  std::string heading;
  std::string code;
  std::string message;
};

// What follows "file:line: Failure" in the output of a test.
std::string FailureOf(const std::function<void()>& statement) {
  testing::TestPartResultArray results;
  try {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::
            INTERCEPT_ONLY_CURRENT_THREAD,
        &results);
    statement();
  } catch (const std::exception& error) {
    return std::string("C++ exception with description \"") + error.what() +
           "\" thrown in the test body.";
  }
  std::string text;
  for (int i = 0; i < results.size(); ++i) {
    text += results.GetTestPartResult(i).message();
  }
  return text;
}

// A statement as it would stand in one line.
std::string OneLine(std::string code) {
  for (std::size_t at = 0; (at = code.find("( ", at)) != std::string::npos;) {
    code.erase(at + 1, 1);
  }
  return code;
}

#define GRAPH_COVERAGE_SAMPLE(...) \
  samples.push_back(               \
      {"", OneLine(#__VA_ARGS__), FailureOf([&] { __VA_ARGS__; })})

// In the current folder: a small model whose rope tables no task reads, one
// where they are wired, its contract, one where a layer reads no rope_cos, and
// four operators.
void WriteGendirs() {
  synthetic::ModelConfig model = synthetic::ToyLatent();
  model.layers = 4;
  model.latent->rope = synthetic::LatentAttention::Rope::kUnwired;
  synthetic::WriteGendir(synthetic::BuildModel(model), "build/gendir");
  model.latent->rope = synthetic::LatentAttention::Rope::kOperands;
  synthetic::WriteGendir(synthetic::BuildModel(model), "build/good");
  std::ofstream("coverage.contract.json")
      << WriteContract(RecordContract("build/good"));

  const Rank rank = ReadRanks("build/good").front();
  const MutationSpace space(rank);
  const Overlay overlay =
      space.Apply(ParseMutation("drop-layer:rank=0:layer=2:rope_cos"));
  WriteMutant("build/dropped", {View(rank, overlay)});
  synthetic::WriteGendir(synthetic::DiamondProgram(), "build/small");
}

std::vector<Sample> Samples() {
  std::vector<Sample> samples;
  samples.push_back({"Assertions", "", ""});
  GRAPH_COVERAGE_SAMPLE(EXPECT_ALL_CRITICAL_CONSUMED("build/gendir"));
  GRAPH_COVERAGE_SAMPLE(EXPECT_ALL_CRITICAL_CONSUMED("build/gendri"));
  GRAPH_COVERAGE_SAMPLE(EXPECT_GENDIR_CLEAN("build/gendir"));
  AuditOptions options;
  options.ranks = {RankId{0}, RankId{7}};
  GRAPH_COVERAGE_SAMPLE(EXPECT_GENDIR_CLEAN("build/gendir", options));
  GRAPH_COVERAGE_SAMPLE(
      EXPECT_MATCHES_CONTRACT("build/dropped", "coverage.contract.json"));
  GRAPH_COVERAGE_SAMPLE(
      EXPECT_AUDIT_CATCHES_EVERY_DROPPED_EDGE("build/gendir"));
  AuditOptions blind;
  blind.policy.off = {"operand-shape", "missing-operand", "null-dereferenced"};
  GRAPH_COVERAGE_SAMPLE(
      EXPECT_AUDIT_CATCHES_EVERY_DROPPED_EDGE("build/small", blind));

  samples.push_back({"Matchers of a gendir or a report", "", ""});
  const Report report = Audit("build/gendir");
  GRAPH_COVERAGE_SAMPLE(EXPECT_THAT("build/gendir", ConsumesAllCritical()));
  GRAPH_COVERAGE_SAMPLE(EXPECT_THAT("build/gendir", IsClean()));
  GRAPH_COVERAGE_SAMPLE(
      EXPECT_THAT("build/dropped", MatchesContract("coverage.contract.json")));
  GRAPH_COVERAGE_SAMPLE(EXPECT_THAT(report, HasFinding("undeclared-tensor")));
  GRAPH_COVERAGE_SAMPLE(
      EXPECT_THAT(report, Not(HasFinding("missing-wiring", "rope_cos"))));
  GRAPH_COVERAGE_SAMPLE(EXPECT_THAT(report, Consumes("rope_*")));
  GRAPH_COVERAGE_SAMPLE(EXPECT_THAT(report, Consumes("rope_tan")));
  GRAPH_COVERAGE_SAMPLE(
      EXPECT_THAT("build/good", ConsumesInEveryLayer("rope_cos", Eq(4))));
  GRAPH_COVERAGE_SAMPLE(
      EXPECT_THAT("build/gendri", Not(HasFinding("missing-wiring"))));

  samples.push_back({"Matchers of a tensor's coverage", "", ""});
  GRAPH_COVERAGE_SAMPLE(
      EXPECT_THAT("build/good", Consumes("rope_cos", Times(Ge(156)))));
  GRAPH_COVERAGE_SAMPLE(
      EXPECT_THAT("build/good", Consumes("rope_cos", ByTaskTypes({278}))));
  GRAPH_COVERAGE_SAMPLE(EXPECT_THAT(
      "build/good", Consumes("rope_cos", ByTaskTypesNamed({"TASK_OWN_ROPE"}))));

  samples.push_back({"Matchers of a finding", "", ""});
  GRAPH_COVERAGE_SAMPLE(
      EXPECT_THAT(report.findings, Each(IsFinding("layer-gap", "rope_*"))));

  samples.push_back({"Matchers of a campaign", "", ""});
  CampaignOptions campaign;
  campaign.operators = {"drop"};
  campaign.audit.policy.off = blind.policy.off;
  GRAPH_COVERAGE_SAMPLE(EXPECT_THAT(RunCampaign("build/small", campaign),
                                    MutationScore("drop", Ge(0.98))));
  return samples;
}

std::string Indented(const std::string& text) {
  std::istringstream lines(text);
  std::string indented;
  for (std::string line; std::getline(lines, line);) {
    indented += line.empty() ? "\n" : "    " + line + "\n";
  }
  return indented;
}

std::string MessagesPage() {
  std::string page = R"(# What failures say

Each assertion and matcher with what it prints when it fails, written by a test
from what it prints ([gtest.md](gtest.md) says what they are for). GoogleTest
puts `file:line: Failure` before it. `ASSERT_…` says the same as `EXPECT_…`.

`build/gendir` is a small model of four layers whose rope tables no task reads;
in `build/good` they are wired, `coverage.contract.json` is its contract, and in
`build/dropped` one layer does not read `rope_cos`. `report` is that of
`build/gendir`, `build/small` four operators, and there is no `build/gendri`.
`options` asks for ranks 0 and 7; `blind` and `campaign` switch off the rules
that see a dropped operand at once.
)";
  for (const Sample& sample : Samples()) {
    if (!sample.heading.empty()) {
      page += "\n## " + sample.heading + "\n";
      continue;
    }
    EXPECT_NE(sample.message, "") << sample.code << " does not fail";
    page += "\n```cpp\n" + sample.code + ";\n```\n\n";
    page += Indented(sample.message);
  }
  return page;
}

std::string ContentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path << " is not there";
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

class MessagesPageTest : public testing::Test {
 protected:
  MessagesPageTest() {
    std::filesystem::remove_all(scratch_);
    std::filesystem::create_directories(scratch_);
    std::filesystem::current_path(scratch_);
    WriteGendirs();
  }
  ~MessagesPageTest() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(scratch_);
  }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  std::filesystem::path scratch_ = before_ / "messages_page_test";
};

TEST_F(MessagesPageTest, IsWhatFailuresSay) {
  const std::string file = PROJECT_SOURCE "/docs/messages.md";
  const std::string page = MessagesPage();
  if (std::getenv("GRAPH_COVERAGE_WRITE_GOLDEN") != nullptr) {
    std::ofstream(file, std::ios::binary) << page;
  }
  EXPECT_EQ(ContentOf(file), page);
}

// A public macro or matcher that has no sample fails.
TEST(MessagesPageTable, HasEveryMacroAndMatcher) {
  const std::string page = ContentOf(PROJECT_SOURCE "/docs/messages.md");
  const std::regex name(R"(\n(?:#define EXPECT_|(?:internal::ReportMatcher|)"
                        R"(testing::Matcher<[\w &]+>) )(\w+)\()");
  std::set<std::string> names;
  for (const char* header :
       {"gtest_coverage/include/graph_coverage/gtest_coverage.h",
        "gtest_campaign/include/graph_coverage/gtest_campaign.h",
        "matchers/include/graph_coverage/matchers.h"}) {
    const std::string text =
        ContentOf(std::string(PROJECT_SOURCE "/") + header);
    for (std::sregex_iterator at(text.begin(), text.end(), name), end;
         at != end; ++at) {
      names.insert((*at)[1]);
    }
  }
  EXPECT_EQ(names.size(), 15u);
  for (const std::string& each : names) {
    EXPECT_THAT(page, testing::HasSubstr(each + "("));
  }
}

}  // namespace
}  // namespace graph_coverage
