// SPDX-License-Identifier: Apache-2.0
//
// Every public type of an audit prints as what it is: a finding as the text
// report has it, all others in one line.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/model/one_line.h"
#include "graph_coverage/audit.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/report.h"
#include "graph_coverage/write.h"

namespace graph_coverage {
namespace {

using ::testing::PrintToString;

Finding MissingRope() {
  Finding finding;
  finding.rule = "missing-wiring";
  finding.id = "3fa9c1d2";
  finding.ranks = {RankId{0}, RankId{1}};
  finding.tensor = "rope_cos";
  finding.found = "is attached and no task reads it";
  return finding;
}

TEST(PrintReport, Finding) {
  Finding finding = MissingRope();
  EXPECT_EQ(PrintToString(finding),
            "error[missing-wiring]: rope_cos is attached and no task reads "
            "it.\n"
            "  ranks 0-1; id 3fa9c1d2");
  finding.count = 36;
  finding.places = {{"kernel_0.cu", 12, 0, 0}, {"kernel_1.cu", 12, 0, 0}};
  finding.layers = {0, 1, 2};
  finding.tasks = {{TaskId{7}, TaskId{7}}};
  finding.found = "is\nbroken";
  EXPECT_EQ(PrintToString(finding),
            "error[missing-wiring]: rope_cos is\\x0abroken.\n"
            "  kernel_0.cu:12, kernel_1.cu:12; ranks 0-1; layers 0-2; task 7; "
            "36 places; id 3fa9c1d2");
  EXPECT_EQ(PrintToString(WaivedFinding{MissingRope(), "no rope here"}),
            "waived (no rope here) error[missing-wiring]: rope_cos is attached "
            "and no task reads it.\n"
            "  ranks 0-1; id 3fa9c1d2");
}

TEST(PrintReport, FindingWithTheFirstOfItsConsequences) {
  Finding finding = MissingRope();
  finding.consequences = {MissingRope()};
  finding.consequences[0].tasks = {{TaskId{3}, TaskId{9}}};
  const std::string one =
      "error[missing-wiring]: rope_cos is attached and no task reads it.\n"
      "  ranks 0-1; id 3fa9c1d2\n"
      "  Mend this and the following are gone:\n"
      "    error[missing-wiring]: rope_cos is attached and no task reads it.\n"
      "      ranks 0-1; tasks 3-9; id 3fa9c1d2";
  EXPECT_EQ(PrintToString(finding), one);
  EXPECT_EQ(WriteText(finding), one + "\n");
  finding.consequences.resize(3, MissingRope());
  EXPECT_EQ(PrintToString(finding), one + "\n    … and 2 more");
}

TEST(PrintReport, Findings) {
  EXPECT_EQ(PrintToString(std::vector<Finding>()), "{}");
  EXPECT_EQ(PrintToString(std::vector<Finding>{MissingRope(), MissingRope()}),
            "{\n"
            "  error[missing-wiring]: rope_cos is attached and no task reads "
            "it.\n"
            "    ranks 0-1; id 3fa9c1d2\n"
            "  error[missing-wiring]: rope_cos is attached and no task reads "
            "it.\n"
            "    ranks 0-1; id 3fa9c1d2\n"
            "}");
}

TEST(PrintReport, Places) {
  EXPECT_EQ(PrintToString(Place{"kernel_0.cu", 12, 3, 400}),
            "kernel_0.cu:12:3");
  EXPECT_EQ(PrintToString(Place{"kernel_0.cu", 0, 0, 0}), "kernel_0.cu");
  EXPECT_EQ(PrintToString(TaskRange{TaskId{3}, TaskId{17}}), "tasks 3-17");
  EXPECT_EQ(PrintToString(TaskRange{TaskId{3}, TaskId{3}}), "task 3");
  EXPECT_EQ(PrintToString(InputError::Of("gendir", "no\nsuch directory")),
            "gendir: no\\x0asuch directory");
}

TEST(PrintReport, Gendir) {
  EXPECT_EQ(PrintToString(Gendir("build/gendir")), "gendir build/gendir");
  EXPECT_EQ(PrintToString(Gendir("tiny", {{"kernel_0.cu", "abc"}})),
            "gendir tiny (in memory, 1 file)");
  const char* unset = nullptr;
  EXPECT_EQ(PrintToString(Gendir(unset)), "gendir (null)");
  EXPECT_EQ(PrintToString(MemoryFile{"kernel_0.cu", "abc"}),
            "kernel_0.cu (3 bytes)");
}

TEST(PrintReport, Policy) {
  EXPECT_EQ(PrintToString(Policy{}),
            "policy: default critical set, fails on error");
  Policy policy;
  policy.critical = {"rope_cos", "rope_sin"};
  policy.required = {"lm_head"};
  policy.severities["layer-kind"] = Severity::kError;
  policy.off = {"dead-scratch"};
  policy.waivers.push_back({"*", "x", {1, 2}, {RankId{0}}, "known"});
  policy.require = {"B"};
  policy.fail_on = Severity::kWarning;
  EXPECT_EQ(PrintToString(policy),
            "policy: critical rope_cos, rope_sin, required lm_head, layer-kind "
            "is error, dead-scratch is off, 1 waiver, requires groups B, fails "
            "on warning");
  EXPECT_EQ(PrintToString(policy.waivers[0]),
            "waiver of * on x, layers 1, 2, rank 0: known");
  policy.waivers[0].expires = "2027-03-31";
  EXPECT_EQ(PrintToString(policy.waivers[0]),
            "waiver of * on x, layers 1, 2, rank 0, until 2027-03-31: known");
  EXPECT_EQ(PrintToString(LayerKind{{0, 1}, "dense", "layer_"}),
            "kind of layers layer_0, 1: dense");
  EXPECT_EQ(PrintToString(PolicySummary{"p.json", {"x"}, 2, 0, ""}),
            "policy p.json: 2 waivers, 1 rule off");
}

TEST(PrintReport, AuditOptions) {
  AuditOptions options;
  EXPECT_EQ(PrintToString(options),
            "all ranks, policy: default critical set, fails on error");
  options.ranks = {RankId{0}, RankId{2}};
  options.runtime_header = "runtime_header.h";
  options.semantics = "mine.json";
  EXPECT_EQ(PrintToString(options),
            "ranks 0, 2, policy: default critical set, fails on error, types "
            "of runtime_header.h, semantics of mine.json");
}

TEST(PrintReport, Tensor) {
  TensorCoverage tensor;
  tensor.name = "rope_cos";
  tensor.critical = true;
  tensor.ranks = {RankId{0}};
  tensor.input_refs = 156;
  tensor.consumer_task_types = {278, 296};
  EXPECT_EQ(PrintToString(tensor),
            "rope_cos (attached, critical): input_refs=156 "
            "consumer_task_types=[278, 296], rank 0");
}

TEST(PrintReport, Summaries) {
  RankSummary summary;
  summary.kernel_file = "kernel_0.cu";
  summary.graph_file = "task_graph_0.json";
  summary.tasks = 1;
  EXPECT_EQ(PrintToString(summary),
            "rank 0: kernel_0.cu and task_graph_0.json, 0 declarations, 1 "
            "task");
  EXPECT_EQ(PrintToString(RuleOutcome{"layer-gap", 36, {{"unknown type", 2}}}),
            "layer-gap: judged 36, could not judge 2 (unknown type)");
}

TEST(PrintReport, Report) {
  Report report;
  report.gendir = "build/gendir";
  report.errors.push_back(InputError::Of("build/gendir", "is empty"));
  EXPECT_EQ(PrintToString(report),
            "report of build/gendir: invalid, 1 input error");
  report.errors.clear();
  report.verdict = Verdict::kFail;
  report.ranks.resize(2);
  report.findings.push_back(MissingRope());
  EXPECT_EQ(PrintToString(report),
            "report of build/gendir: fail, 2 ranks, 1 error, 0 warnings, 0 "
            "notes");
}

TEST(PrintReport, Catalogue) {
  EXPECT_EQ(PrintToString(RuleInfo{"missing-wiring", 'A', "is wired",
                                   Severity::kError, Scope::kDeclaration, "",
                                   "", "", "", ""}),
            "rule missing-wiring (group A, error): is wired");
  EXPECT_EQ(PrintToString(Scope::kLayer), "layer");
  EXPECT_EQ(PrintToString(Severity::kWarning), "warning");
  EXPECT_EQ(PrintToString(Verdict::kPass), "pass");
}

TEST(OneLine, RankList) {
  EXPECT_EQ(RankList({}), "no rank");
  EXPECT_EQ(RankList({RankId{3}}), "rank 3");
  EXPECT_EQ(RankList({RankId{0}, RankId{1}, RankId{2}, RankId{5}}),
            "ranks 0-2, 5");
}

}  // namespace
}  // namespace graph_coverage
