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
#include "graph_coverage/dot.h"
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

std::vector<Rank> SampleRanks() {
  std::vector<Rank> ranks;
  ranks.push_back(RankOf(0));
  ranks.push_back(RankOf(1));
  return ranks;
}

Report SampleReport(const Policy& policy) {
  AuditOptions options;
  options.policy = policy;
  // Groups A and F alone, so that the goldens change only with the outputs.
  for (const RuleInfo& rule : Catalogue()) {
    if (rule.group != 'A' && rule.group != 'F') {
      options.policy.off.emplace_back(rule.id);
    }
  }
  return AuditRanks("out/gendir", SampleRanks(), options);
}

Report InvalidReport() { return Audit(Gendir("out/empty", {})); }

Policy WaivingPolicy() {
  Policy policy;
  policy.waivers.push_back({"missing-wiring",
                            "layer_2_norm",
                            {2},
                            {},
                            "tracked in issue 12",
                            "2027-03-31"});
  policy.today = "2026-11-30";
  policy.file = "out/graph_coverage.json";
  return policy;
}

// A name that means something in every format.
constexpr const char* kEvil = "w\"'<b>&{0}[a](b)%\n::error::\x1b[31m\xff,\\";

// All that a finding can have, with such names.
Report EvilReport() {
  Report report;
  report.gendir = std::string("out/") + kEvil;
  report.verdict = Verdict::kFail;
  report.rules = {{"attention-slot", 4, {}}, {"layer-gap", 0, {{kEvil, 2}}}};
  Finding finding;
  finding.rule = "attention-slot";
  finding.id = "3fa9c1d2";
  finding.ranks = {RankId{0}};
  finding.tensor = kEvil;
  finding.members = {kEvil};
  finding.task_type = kEvil;
  finding.event = 7;
  finding.layers = {3};
  finding.tasks = {{TaskId{3}, TaskId{17}}};
  finding.count = 2;
  finding.found = std::string("is read as ") + kEvil;
  finding.places = {{report.gendir + "/kernel 0.cu", 12, 3, 400},
                    {report.gendir + "/task,graph:0.json", 0, 0, 0}};
  Finding consequence = finding;
  consequence.id = "4fa9c1d2";
  finding.consequences = {consequence};
  report.findings = {finding};
  report.waived = {{consequence, kEvil}};
  report.ranks.resize(1);
  report.ranks[0].kernel_file = finding.places[0].file;
  TensorCoverage& tensor = report.tensors.emplace_back();
  tensor.name = kEvil;
  tensor.ranks = {RankId{0}};
  tensor.line = 5;
  return report;
}

// SARIF without its rules, which are those of the catalogue each time.
std::string WithoutRules(std::string sarif) {
  const std::string start = "          \"rules\": [\n";
  const std::string end = "\n          ]";
  for (std::size_t at = 0; (at = sarif.find(start, at)) != std::string::npos;
       at += start.size()) {
    const std::size_t first = at + start.size();
    sarif.erase(first, sarif.find(end, first) - first);
  }
  return sarif;
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

TEST(Golden, Sarif) {
  ExpectGolden("report.sarif",
               WithoutRules(WriteSarif({SampleReport(WaivingPolicy())})));
  ExpectGolden(
      "reports.sarif",
      WithoutRules(WriteSarif({SampleReport(WaivingPolicy()), InvalidReport()},
                              {"/src", true})));
  ExpectGolden("evil.sarif",
               WithoutRules(WriteSarif({EvilReport()}, {"/src", true})));
}

TEST(Golden, Junit) {
  ExpectGolden("report_junit.xml",
               WriteJunit({SampleReport(WaivingPolicy()), InvalidReport()}));
  ExpectGolden("evil_junit.xml", WriteJunit({EvilReport()}));
}

TEST(Golden, Github) {
  ExpectGolden("report_github.txt",
               WriteGithub({SampleReport({}), InvalidReport()}));
  ExpectGolden("evil_github.txt", WriteGithub({EvilReport()}));
}

TEST(Golden, Dot) {
  const Report report = SampleReport({});
  ExpectGolden("finding.dot", WriteDot(SampleRanks(), report.findings[1]));
  ExpectGolden("evil.dot", WriteDot(SampleRanks(), EvilReport().findings[0]));
}

}  // namespace
}  // namespace graph_coverage
