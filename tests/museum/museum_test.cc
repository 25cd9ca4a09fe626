// SPDX-License-Identifier: Apache-2.0
//
// Each exhibit: the healthy twin is clean, and the edit gives these findings
// and no others. docs/museum.md is written from the same table; to write it
// anew: GRAPH_COVERAGE_WRITE_GOLDEN=1, and read what changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "graph_coverage/policy_file.h"
#include "tests/museum/exhibit.h"
#include "tests/museum/page.h"
#include "tests/museum/parameters.h"

namespace graph_coverage::museum {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

// What a clean gendir does not have.
std::vector<std::string> FaultsOf(const Report& report) {
  std::vector<std::string> faults;
  for (const InputError& error : report.errors) {
    faults.emplace_back(error.what());
  }
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::kNote) continue;
    faults.push_back(finding.rule + ": " + finding.message());
  }
  return faults;
}

class Museum : public ::testing::TestWithParam<const Exhibit*> {};

TEST_P(Museum, TwinIsClean) {
  const Report report = AuditHealthy(GetParam()->specimen);
  EXPECT_THAT(FaultsOf(report), IsEmpty());
  EXPECT_EQ(report.verdict, Verdict::kPass);
}

TEST_P(Museum, EditGivesTheseFindings) {
  const FaultyAudit faulty = AuditFaulty(GetParam()->specimen);
  EXPECT_THAT(LinesOf(faulty.report), ElementsAreArray(GetParam()->expected));
}

// An exhibit without a new finding says why.
TEST_P(Museum, ShowsTheFaultOrSaysWhyNot) {
  const Exhibit& exhibit = *GetParam();
  const bool seen = LinesOf(AuditHealthy(exhibit.specimen)) != exhibit.expected;
  EXPECT_TRUE(seen || !exhibit.unseen.empty());
}

// What `waivers` gives, once its reader has decided to keep it all for
// good.
std::string KeptForGood(const std::string& written) {
  std::istringstream lines(written);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    const bool waiver =
        line.rfind("    // {", 0) == 0 || line.rfind("    //  \"", 0) == 0;
    if (!waiver || line.find("\"expires\"") != std::string::npos) continue;
    kept += line.substr(6) + "\n";
  }
  const std::string blank = "\"reason\": \"\"";
  for (std::size_t at = 0; (at = kept.find(blank, at)) != std::string::npos;) {
    kept.replace(at, blank.size(), "\"reason\": \"on purpose\"");
  }
  return "{\"waivers\": [" + kept + "]}";
}

// Written, applied, silent, and nothing stale.
TEST_P(Museum, WaiversThatAreWrittenSilenceIt) {
  Specimen specimen = GetParam()->specimen;
  const Report before = AuditFaulty(specimen).report;
  const Policy written = ParsePolicy(KeptForGood(WriteWaivers(before)), "kept");
  // What is stale or expired is no finding to waive: it is removed, or renewed.
  specimen.later.clear();
  Policy& policy = specimen.policy;
  if (std::any_of(before.findings.begin(), before.findings.end(),
                  [](const Finding& f) { return f.rule == "stale-waiver"; })) {
    policy.waivers.clear();
    policy.layer_kinds.clear();
  }
  policy.waivers.insert(policy.waivers.end(), written.waivers.begin(),
                        written.waivers.end());
  EXPECT_THAT(FaultsOf(AuditFaulty(specimen).report), IsEmpty())
      << WriteWaivers(before);
}

INSTANTIATE_TEST_SUITE_P(Exhibits, Museum,
                         ::testing::ValuesIn(ExhibitsWhere([](const Exhibit&) {
                           return true;
                         })),
                         NameOf);

TEST(MuseumTable, HasEveryRowAndNoNameTwice) {
  constexpr int kRows = 33;
  std::set<int> rows;
  std::set<std::string> names;
  for (const Exhibit& exhibit : Exhibits()) {
    rows.insert(exhibit.row);
    EXPECT_TRUE(names.insert(exhibit.name).second) << exhibit.name;
  }
  std::set<int> all;
  for (int row = 1; row <= kRows; ++row) all.insert(row);
  EXPECT_EQ(rows, all);
}

TEST(MuseumPage, IsWrittenFromTheTable) {
  const std::string page = WritePage();
  if (std::getenv("GRAPH_COVERAGE_WRITE_GOLDEN") != nullptr) {
    std::ofstream(MUSEUM_PAGE, std::ios::binary) << page;
  }
  std::ifstream file(MUSEUM_PAGE, std::ios::binary);
  ASSERT_TRUE(file) << MUSEUM_PAGE << " is not there";
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(page, golden.str());
}

}  // namespace
}  // namespace graph_coverage::museum
