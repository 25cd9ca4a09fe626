// SPDX-License-Identifier: Apache-2.0
//
// Outputs that are cut to what their readers take say so.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "audit/report/xml.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/dot.h"
#include "graph_coverage/write.h"
#include "tests/support/small_rank.h"

namespace graph_coverage {
namespace {

std::size_t CountOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;
       at += part.size()) {
    ++count;
  }
  return count;
}

Report ReportOf(std::size_t findings, const std::string& found) {
  Report report;
  report.gendir = "out";
  report.verdict = Verdict::kFail;
  Finding finding;
  finding.rule = "missing-wiring";
  finding.id = "3fa9c1d2";
  finding.tensor = "w";
  finding.found = found;
  finding.places = {{"kernel_0.cu", 1, 0, 0}};
  report.findings.assign(findings, finding);
  return report;
}

constexpr const char* kResult = "\"partialFingerprints\"";

TEST(SarifLimits, Results) {
  const std::string cut = WriteSarif({ReportOf(5001, "")});
  EXPECT_EQ(CountOf(cut, kResult), 5000u);
  EXPECT_EQ(CountOf(cut, "1 of 5001 findings are left out"), 1u);
}

TEST(SarifLimits, Bytes) {
  const std::string log = WriteSarif({ReportOf(4000, std::string(3000, 'x'))});
  EXPECT_LT(log.size(), 10'000'000u);
  EXPECT_GT(CountOf(log, kResult), 1000u);
  EXPECT_EQ(CountOf(log, " of 4000 findings are left out"), 1u);
}

TEST(SarifLimits, Locations) {
  Report report = ReportOf(1, "");
  report.findings[0].places.assign(101, {"kernel_0.cu", 1, 0, 0});
  const std::string log = WriteSarif({report});
  EXPECT_EQ(CountOf(log, "\"physicalLocation\""), 100u);
  EXPECT_EQ(
      CountOf(log, "Of finding 3fa9c1d2, 100 of 101 locations are given."), 1u);
}

TEST(SarifLimits, MessagesAreCutBetweenCharacters) {
  // Three bytes each, after two of "w ": no cut at 4000 is between two.
  std::string found;
  for (int i = 0; i < 2000; ++i) found += "…";
  const std::string log = WriteSarif({ReportOf(1, found)});
  EXPECT_EQ(CountOf(log, "…… (2005 more bytes)"), 1u);
  EXPECT_EQ(CountOf(log, "\xef\xbf\xbd"), 0u) << "a character was cut";
}

// GitHub takes 1,024 characters of a description and 255 of a name.
TEST(SarifLimits, RulesFit) {
  for (const RuleInfo& rule : Catalogue()) {
    EXPECT_LE(rule.id.size(), 255u);
    EXPECT_LT(rule.title.size(), 1024u);
    EXPECT_LE(rule.why.size(), 1024u);
  }
}

TEST(GithubLimits, TenAnnotationsAndASummary) {
  const std::string ten = WriteGithub({ReportOf(10, "")});
  EXPECT_EQ(CountOf(ten, "::error "), 10u);
  EXPECT_EQ(CountOf(ten, "are shown here"), 0u);
  Report many = ReportOf(10, "");
  many.findings.back().severity = Severity::kWarning;
  const std::string cut = WriteGithub({many, ReportOf(3, "")});
  EXPECT_EQ(CountOf(cut, "::error "), 10u) << "errors come first";
  EXPECT_EQ(CountOf(cut, "::warning "), 0u);
  EXPECT_EQ(CountOf(cut, "%0A10 of 13 errors and warnings are shown here\n"),
            1u);
}

// A tensor that 60 operators read, and one of them writes.
TEST(DotLimits, FortyBoxes) {
  SmallRank rank(0);
  rank.Attached("w").Scratch("y");
  for (std::uint32_t i = 0; i < 60; ++i) {
    rank.Scratch("y" + std::to_string(i));
    rank.Task(101 + i, {"w"}, {"y" + std::to_string(i)});
  }
  std::vector<Rank> ranks;
  ranks.push_back(rank.Build());
  Finding finding = ReportOf(1, "is odd").findings[0];
  finding.ranks = {RankId{0}};
  finding.members = {"w"};
  const std::string dot = WriteDot(ranks, finding);
  EXPECT_LE(CountOf(dot, "[shape="), 40u);
  EXPECT_GT(CountOf(dot, "[shape="), 10u);
  EXPECT_EQ(CountOf(dot, "Left out: 50 operators of its own."), 1u) << dot;
}

TEST(DotLimits, OfARankThatIsNotThere) {
  Finding finding = ReportOf(1, "has no files").findings[0];
  finding.ranks = {RankId{3}};
  EXPECT_EQ(CountOf(WriteDot({}, finding), "None of its ranks was audited."),
            1u);
}

TEST(XmlEscaped, LeavesNothingThatXmlCannotHold) {
  EXPECT_EQ(XmlEscaped("a<b>&\"c\" \xc3\xa4"),
            "a&lt;b&gt;&amp;&quot;c&quot; \xc3\xa4");
  EXPECT_EQ(XmlEscaped("\x01\n\xff\xef\xbf\xbe\xef\xbf\xbf"),
            "\\x01\\x0a\\xff\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
}

}  // namespace
}  // namespace graph_coverage
