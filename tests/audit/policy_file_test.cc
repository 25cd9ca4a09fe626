// SPDX-License-Identifier: Apache-2.0
//
// Policy files: what they say, where they are found, and what is refused.
#include "graph_coverage/policy_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "tests/audit/artifacts/error_of.h"
#include "tests/support/sample_gendir.h"
#include "tests/support/small_rank.h"

namespace graph_coverage {
namespace {

std::string ErrorIn(const std::string& text) {
  return ErrorOf([&text] { ParsePolicy(text, "p.json"); });
}

// The indented block of a page that starts with this line.
std::string BlockOf(const std::string& page, const std::string& first) {
  std::ifstream file(std::string(DOCS) + "/" + page);
  std::string block;
  for (std::string line; std::getline(file, line);) {
    if (block.empty() && line != "    " + first) continue;
    if (!line.empty() && line.rfind("    ", 0) != 0) break;
    block += line.substr(std::min<std::size_t>(4, line.size())) + "\n";
  }
  return block;
}

TEST(PolicyFile, OfTheDocsIsRead) {
  const Policy policy = ParsePolicy(BlockOf("policy.md", "{"), "policy.md");
  EXPECT_EQ(policy.critical,
            (std::vector<std::string>{"rope_*", "layer_*_norm"}));
  EXPECT_EQ(policy.runtime_buffers.back(), "seed");
  EXPECT_EQ(policy.required, std::vector<std::string>{"lm_head"});
  EXPECT_EQ(policy.severities.at("write-only"), Severity::kError);
  EXPECT_EQ(policy.off, std::vector<std::string>{"dead-scratch"});
  EXPECT_EQ(policy.require, std::vector<std::string>{"B"});
  EXPECT_EQ(policy.fail_on, Severity::kWarning);
  EXPECT_EQ(policy.layer_prefixes,
            (std::vector<std::string>{"layer_", "mtp_step"}));
  ASSERT_EQ(policy.layer_kinds.size(), 1u);
  EXPECT_EQ(policy.layer_kinds[0].layers,
            (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(policy.layer_kinds[0].prefix, "layer_");
  EXPECT_NE(policy.semantics.find("TASK_MY_NORM"), std::string::npos);
  ASSERT_EQ(policy.waivers.size(), 2u);
  EXPECT_EQ(policy.waivers[0].layers, (std::vector<std::uint32_t>{5, 6, 7}));
  EXPECT_EQ(policy.waivers[1].ranks, (std::vector<RankId>{RankId(1)}));
  EXPECT_EQ(policy.waivers[1].expires, "2027-03-31");
  EXPECT_EQ(policy.file, "policy.md");
}

TEST(PolicyFile, MayBeEmpty) {
  EXPECT_EQ(ParsePolicy("{}", "p").waivers.size(), 0u);
  EXPECT_EQ(ParsePolicy("/* none */ { // yet\n }", "p").off.size(), 0u);
}

TEST(PolicyFile, HasCommentsAndLastCommas) {
  EXPECT_EQ(
      ParsePolicy(R"({"critical": ["a//b", "c,]", /* d */ ], })", "p").critical,
      (std::vector<std::string>{"a//b", "c,]"}));
  EXPECT_NE(ErrorIn("{,}"), "no error");
  EXPECT_NE(ErrorIn(R"({"critical": [,]})"), "no error");
  EXPECT_NE(ErrorIn(R"({"critical": ["a",,]})"), "no error");
  EXPECT_EQ(ErrorIn("{ /* x"),
            "p.json:1:3: byte 2: found a comment without an end, expected "
            "\"*/\"");
}

TEST(PolicyFile, SaysWhereAndWhatWasMeant) {
  EXPECT_EQ(ErrorIn("{\n  \"waiver\": []\n}"),
            "p.json:2:3: byte 4: found the key \"waiver\", expected a key of a "
            "policy; did you mean \"waivers\"?");
  EXPECT_EQ(ErrorIn(R"({"severities": {"layer-gpa": "note"}})"),
            "p.json:1:17: byte 16: found \"layer-gpa\", expected a rule; did "
            "you mean \"layer-gap\"?");
  EXPECT_EQ(ErrorIn(R"({"severities": {"layer-gap": "eror"}})"),
            "p.json:1:30: byte 29: found \"eror\", expected \"error\", "
            "\"warning\", \"note\" or \"off\"; did you mean \"error\"?");
  EXPECT_EQ(ErrorIn(R"({"waivers": [{"rule": "mising-wiring"}]})"),
            "p.json:1:23: byte 22: found \"mising-wiring\", expected a rule; "
            "did you mean \"missing-wiring\"?");
  EXPECT_EQ(ErrorIn(R"({"waivers": [{"reasn": "x"}]})"),
            "p.json:1:15: byte 14: found the key \"reasn\", expected a key of "
            "a waiver; did you mean \"reason\"?");
  EXPECT_EQ(ErrorIn(R"({"waivers": [{"rule": "*"}]})"),
            "p.json:1:14: byte 13: found a waiver without \"reason\", expected "
            "why it is accepted");
  EXPECT_EQ(ErrorIn(R"({"waivers": [{"reason": " \t"}]})").substr(0, 14),
            "p.json:1:25: b");
  EXPECT_EQ(ErrorIn(R"({"semantics": {"TASK_X": {"raeds": []}}})"),
            "p.json:1:27: byte 26: found the key \"raeds\", expected a key of "
            "a task type; did you mean \"reads\"?");
}

TEST(PolicyFile, RefusesWhatIsNoPolicy) {
  const std::string deep(100000, '[');
  const std::string many = R"({"waivers": [{"reason": "x", "layers": [)";
  std::string ranges;
  for (int i = 0; i < 100; ++i) ranges += "\"0-65535\",";
  for (const std::string& text :
       {std::string(),
        std::string("["),
        std::string("[]"),
        std::string("7"),
        std::string("{} {}"),
        std::string("{\"critical\": [\"\xff\"]}"),
        std::string("{\"critical\": [\"\x01\"]}"),
        deep,
        "{\"off\":" + deep,
        std::string(R"({"off": []})"),
        std::string(R"({"critical": "a"})"),
        std::string(R"({"critical": [1]})"),
        std::string(R"({"critical": [""]})"),
        std::string(R"({"critical": [], "critical": []})"),
        std::string(R"({"require": ["Z"]})"),
        std::string(R"({"fail_on": "off"})"),
        std::string(R"({"fail_on": 1})"),
        std::string(R"({"layer_kinds": [{"reason": "x"}]})"),
        many + "-1]}]}",
        many + "65536]}]}",
        many + "1.5]}]}",
        many + "99999999999999999999]}]}",
        many + "\"7-3\"]}]}",
        many + "\"3-\"]}]}",
        many + "\"\"]}]}",
        many + "]}]}",
        many + ranges + "]}]}",
        std::string(R"({"waivers": [{"reason":"x","expires":"2027-02-29"}]})"),
        std::string(R"({"waivers": [{"reason":"x","expires":"soon"}]})")}) {
    const std::string error = ErrorIn(text);
    EXPECT_EQ(error.rfind("p.json:", 0), 0u)
        << text.substr(0, 60) << " gives: " << error;
  }
  EXPECT_NE(ErrorOf([] { ReadPolicy("no/such.json"); }), "no error");
}

TEST(PolicyFile, IsFoundInTheGendirThenBesideIt) {
  const std::string folder = ScratchDirectory("policy");
  const std::string gendir = WriteSample(folder + "/gendir", Wiring::kBroken);
  const auto write =
      [](const std::string& file, const std::string& reason) {
        std::ofstream(file)
            << R"({"waivers": [{"rule": "missing-wiring", "reason": ")" +
                   reason + "\"}]}";
      };
  EXPECT_EQ(FindPolicyFile(gendir), "");
  EXPECT_EQ(Audit(gendir).verdict, Verdict::kFail);

  write(folder + "/graph_coverage.json", "beside");
  const Report beside = Audit(gendir);
  EXPECT_EQ(beside.verdict, Verdict::kPass);
  ASSERT_EQ(beside.waived.size(), 1u);
  EXPECT_EQ(beside.waived[0].reason, "beside");
  EXPECT_EQ(beside.policy.file, FindPolicyFile(gendir));
  EXPECT_EQ(beside.policy.waivers, 1u);

  write(gendir + "/graph_coverage.json", "inside");
  EXPECT_EQ(Audit(gendir).waived.at(0).reason, "inside");

  // What is said in the call counts instead.
  AuditOptions options;
  options.policy.off = {"dead-scratch"};
  EXPECT_EQ(Audit(gendir, options).verdict, Verdict::kFail);

  std::ofstream(gendir + "/graph_coverage.json") << "{";
  const Report broken = Audit(gendir);
  EXPECT_EQ(broken.verdict, Verdict::kInvalid);
  ASSERT_EQ(broken.errors.size(), 1u);
  EXPECT_EQ(broken.errors[0].place().line, 1u);
}

// A norm of each of four blocks; that of block 2 is not read.
Report AuditOfBlocks(const Policy& policy) {
  SmallRank rank;
  rank.Attached("x").Attached("y");
  for (int i = 0; i < 4; ++i) {
    const std::string norm = "h" + std::to_string(7 * i) + "_norm";
    rank.Attached(norm);
    if (i != 2) rank.Task(119, {"x", norm}, {"y"});
  }
  std::vector<Rank> ranks;
  ranks.push_back(rank.Build());
  AuditOptions options;
  options.policy = policy;
  return AuditRanks("blocks", ranks, options);
}

TEST(Policy, SaysWhatComesBeforeALayer) {
  Policy policy;
  EXPECT_TRUE(AuditOfBlocks(policy).findings.at(0).layers.empty());
  policy.layer_prefixes = {"h"};
  EXPECT_EQ(AuditOfBlocks(policy).findings.at(0).layers,
            std::vector<std::uint32_t>{14});
}

TEST(Policy, WaivesUntilADay) {
  Policy policy = ParsePolicy(
      R"({"waivers": [{"rule": "missing-wiring", "tensor": "h14_norm",
          "reason": "next week", "expires": "2027-03-31"}]})",
      "p.json");
  policy.today = "2027-03-31";
  const Report before = AuditOfBlocks(policy);
  EXPECT_EQ(before.verdict, Verdict::kPass);
  EXPECT_EQ(before.waived.at(0).expires, "2027-03-31");
  policy.today = "2027-04-01";
  const Report after = AuditOfBlocks(policy);
  EXPECT_EQ(after.verdict, Verdict::kFail);
  EXPECT_EQ(after.waived.size(), 0u);
  EXPECT_EQ(after.findings.at(0).rule, "missing-wiring");
  EXPECT_EQ(after.findings.at(1).rule, "expired-waiver");
  // An error stays one when its rule's severity is asked to be.
  policy.severities["expired-waiver"] = Severity::kNote;
  EXPECT_EQ(AuditOfBlocks(policy).Count(Severity::kError), 1u);
}

TEST(Policy, OfCodeIsHeldToTheSameRules) {
  Policy policy;
  policy.waivers = {{"*", "*", {}, {}, " ", "2027-02-30"}};
  policy.layer_kinds = {{{1}, ""}};
  policy.today = "today";
  EXPECT_EQ(AuditOfBlocks(policy).errors.size(), 4u);
}

TEST(WriteWaivers, AsksForADecision) {
  const std::string written = WriteWaivers(AuditOfBlocks({}));
  EXPECT_NE(written.find("    // error missing-wiring: h14_norm is attached"),
            std::string::npos)
      << written;
  EXPECT_NE(written.find("    // {\"rule\": \"missing-wiring\", \"tensor\": "
                         "\"h14_norm\",\n    //  \"expires\": \"YYYY-MM-DD\","
                         "\n    //  \"reason\": \"\"},\n"),
            std::string::npos)
      << written;
  EXPECT_EQ(ParsePolicy(written, "w").waivers.size(), 0u)
      << "nothing is waived before anybody decides";
}

}  // namespace
}  // namespace graph_coverage
