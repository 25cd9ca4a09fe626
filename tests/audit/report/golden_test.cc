// SPDX-License-Identifier: Apache-2.0
//
// Each output, whole, against its file in tests/golden. To write the files
// anew: GRAPH_COVERAGE_WRITE_GOLDEN=1, and read what changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/write.h"
#include "tests/support/small_rank.h"

namespace graph_coverage {
namespace {

std::string GoldenPath(const std::string& name) {
  return std::string(GOLDEN_DIRECTORY) + "/" + name;
}

void ExpectGolden(const std::string& name, const std::string& text) {
  if (std::getenv("GRAPH_COVERAGE_WRITE_GOLDEN") != nullptr) {
    std::ofstream(GoldenPath(name), std::ios::binary) << text;
  }
  std::ifstream file(GoldenPath(name), std::ios::binary);
  ASSERT_TRUE(file) << GoldenPath(name) << " is not there";
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str());
}

// Four layers; rank 1 lacks the wire of layer 2's norm, and both ranks that of
// the rope table.
Rank RankOf(std::uint32_t number) {
  constexpr std::uint32_t kNorm = 119;
  constexpr std::uint32_t kLinear = 120;
  SmallRank rank(number);
  rank.NumGpus(4).Attached("rope_cos").Attached("x").Attached("out");
  rank.Scratch("h").Scratch("spare").Scratch("unused\x1b[31m_red");
  rank.Branch("TASK_RMS_NORM", {0, 1}, {0}).Branch("TASK_LINEAR", {0}, {0});
  for (int i = 0; i < 4; ++i) {
    const std::string layer = "layer_" + std::to_string(i);
    rank.Attached(layer + "_norm").Attached(layer + "_proj");
    const bool wired = number == 0 || i != 2;
    rank.Task(kNorm, {"x", layer + (wired ? "_norm" : "_proj")}, {"h"});
    rank.Task(kLinear, {"h", layer + "_proj"}, {"out"});
  }
  return rank.Build();
}

Report SampleReport(const Policy& policy) {
  std::vector<Rank> ranks;
  ranks.push_back(RankOf(0));
  ranks.push_back(RankOf(1));
  AuditOptions options;
  options.policy = policy;
  // Groups A and F alone, so that the goldens change only with the outputs.
  for (const RuleInfo& rule : Catalogue()) {
    if (rule.group != 'A' && rule.group != 'F') {
      options.policy.off.emplace_back(rule.id);
    }
  }
  return AuditRanks("out/gendir", ranks, options);
}

Report InvalidReport() { return Audit(Gendir("out/empty", {})); }

Policy WaivingPolicy() {
  Policy policy;
  policy.waivers.push_back(
      {"missing-wiring", "layer_2_norm", {2}, {}, "tracked in issue 12"});
  return policy;
}

TEST(Golden, Text) {
  ExpectGolden("report.txt", WriteText(SampleReport({})));
  ExpectGolden("report_colour.txt", WriteText(SampleReport({}), {true}));
  ExpectGolden("report_waived.txt", WriteText(SampleReport(WaivingPolicy())));
  ExpectGolden("report_invalid.txt", WriteText(InvalidReport()));
}

TEST(Golden, TextWithACriticalList) {
  Policy policy;
  policy.critical = {"rope_cos", "layer_*_norm"};
  ExpectGolden("report_critical.txt", WriteText(SampleReport(policy)));
}

TEST(Golden, Json) {
  ExpectGolden("report.json", WriteJson({SampleReport(WaivingPolicy())}));
  ExpectGolden("reports.json", WriteJson({SampleReport({}), InvalidReport()}));
}

}  // namespace
}  // namespace graph_coverage
