// SPDX-License-Identifier: Apache-2.0
//
// A gendir is read once, until something of it changes. The same report at the
// same address means that nothing was read.
#include "graph_coverage/audited.h"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "graph_coverage/contract.h"
#include "graph_coverage/matchers.h"
#include "tests/support/sample_gendir.h"

namespace graph_coverage {
namespace {

namespace fs = std::filesystem;
using ::testing::Each;
using ::testing::Not;

// Gives every file of the directory one time of last writing, long ago.
void Age(const std::string& directory, std::chrono::hours ago) {
  for (const auto& entry : fs::directory_iterator(directory)) {
    fs::last_write_time(entry, fs::file_time_type::clock::now() - ago);
  }
}

constexpr std::chrono::hours kDay{24};
constexpr std::chrono::hours kHour{1};

std::string OldSample() {
  const std::string directory =
      WriteSample(ScratchDirectory("gendir"), Wiring::kClean);
  Age(directory, kDay);
  return directory;
}

TEST(Audited, ReadsOnce) {
  const std::string gendir = OldSample();
  const auto report = Audited(gendir);
  EXPECT_EQ(report->verdict, Verdict::kPass);
  EXPECT_EQ(Audited(gendir), report);
  EXPECT_EQ(Audited(gendir + "/../" + fs::path(gendir).filename().string()),
            report);
}

TEST(Audited, ReadsAgainWhatChanged) {
  const std::string gendir = OldSample();
  const auto report = Audited(gendir);
  WriteSample(gendir, Wiring::kBroken);
  Age(gendir, kHour);
  const auto changed = Audited(gendir);
  EXPECT_NE(changed, report);
  EXPECT_EQ(changed->verdict, Verdict::kFail);
  EXPECT_EQ(Audited(gendir), changed);

  WriteSample(gendir, Wiring::kClean);
  Age(gendir, kHour);  // the same times, other sizes
  EXPECT_EQ(Audited(gendir)->verdict, Verdict::kPass);
  fs::remove(gendir + "/kernel_0.cu");
  EXPECT_EQ(Audited(gendir)->verdict, Verdict::kInvalid);
  EXPECT_EQ(report->verdict, Verdict::kPass) << "old reports stay as they are";
}

TEST(Audited, NeverTrustsAFileOfThisMoment) {
  const std::string gendir = OldSample();
  // In the future: later than any moment at which it may be audited.
  fs::last_write_time(gendir + "/kernel_0.cu",
                      fs::file_time_type::clock::now() + kDay);
  EXPECT_NE(Audited(gendir), Audited(gendir));
}

TEST(Audited, TellsOptionsApart) {
  const std::string gendir = OldSample();
  AuditOptions defaults;
  const std::string contract = gendir + ".contract.json";
  std::ofstream(contract) << WriteContract(RecordContract(gendir));
  fs::last_write_time(contract, fs::file_time_type::clock::now() - kDay);
  std::vector<AuditOptions> options(14);
  options[1].policy.critical = std::vector<std::string>{};
  options[2].policy.critical = {"x"};
  options[3].policy.critical = {"x", "w"};
  options[4].policy.fail_on = Severity::kWarning;
  options[5].policy.off = {"dead-scratch"};
  options[6].policy.severities["dead-scratch"] = Severity::kError;
  options[7].ranks = {RankId{0}};
  options[8].policy.required = {"x"};
  options[9].policy.today = "2026-11-30";
  options[10].policy.layer_prefixes = std::vector<std::string>{};
  options[11].policy.semantics = "{}";
  options[12].policy.file = "graph_coverage.json";
  options[13].contract = contract;
  std::vector<std::shared_ptr<const Report>> reports;
  for (const AuditOptions& each : options) {
    reports.push_back(Audited(gendir, each));
    EXPECT_EQ(Audited(gendir, each), reports.back());
  }
  for (std::size_t i = 0; i < reports.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(reports[i], reports[j]);
  }
  AuditOptions threads;
  threads.jobs = 1;
  EXPECT_EQ(Audited(gendir, threads), reports[0])
      << "jobs do not change the report";
}

TEST(Audited, ReadsThePolicyBesideTheGendir) {
  const std::string folder = ScratchDirectory("project");
  const std::string gendir = WriteSample(folder + "/gendir", Wiring::kBroken);
  Age(gendir, kDay);
  EXPECT_EQ(Audited(gendir)->verdict, Verdict::kFail);
  std::ofstream(folder + "/graph_coverage.json")
      << R"({"waivers": [{"tensor": "rope_cos", "reason": "no rope"}]})";
  const auto waived = Audited(gendir);
  EXPECT_EQ(waived->verdict, Verdict::kPass);
  EXPECT_EQ(Audited(gendir), waived);
  std::ofstream(folder + "/graph_coverage.json") << "{\"waiver\": []}";
  EXPECT_EQ(Audited(gendir)->verdict, Verdict::kInvalid);
}

TEST(MatchersOverGendirs, HoldThemAgainstAContract) {
  const std::string good = OldSample();
  const std::string contract = ScratchDirectory("contracts") + ".json";
  std::ofstream(contract) << WriteContract(RecordContract(good));
  EXPECT_THAT(good, MatchesContract(contract));
  const std::string bad =
      WriteSample(ScratchDirectory("gendir"), Wiring::kBroken);
  EXPECT_THAT(bad, Not(MatchesContract(contract)));

  AuditOptions options;
  options.contract = contract;
  const Report report = Audit(bad, options);
  testing::StringMatchResultListener why;
  const testing::Matcher<const Report&> matcher = MatchesContract(contract);
  EXPECT_FALSE(matcher.MatchAndExplain(report, &why));
  EXPECT_NE(why.str().find("rope_cos is not as recorded: is new, attached"), std::string::npos)
      << why.str();
  EXPECT_EQ(testing::DescribeMatcher<const Report&>(matcher),
            "matches the contract " + contract);
  // A report that was not held against it says nothing of it.
  EXPECT_THROW(matcher.Matches(*Audited(good)), InputError);
  options.contract = "no/such.json";
  EXPECT_EQ(Audit(good, options).verdict, Verdict::kInvalid);
}

TEST(Audited, DoesNotKeepGendirsInMemory) {
  const Gendir gendir("sample", SampleFiles(Wiring::kClean));
  EXPECT_NE(Audited(gendir), Audited(gendir));
  EXPECT_EQ(Audited(gendir)->verdict, Verdict::kPass);
}

TEST(Audited, ServesManyThreads) {
  const std::string gendir = OldSample();
  std::vector<std::shared_ptr<const Report>> reports(8);
  std::vector<std::thread> threads;
  for (auto& report : reports) {
    threads.emplace_back([&] { report = Audited(gendir); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(reports, Each(reports[0]));
}

// Matchers over anything that names a gendir.

TEST(MatchersOverGendirs, TakeEveryKindOfPath) {
  const std::string gendir = OldSample();
  EXPECT_THAT(gendir, ConsumesAllCritical());
  EXPECT_THAT(gendir.c_str(), IsClean());
  EXPECT_THAT(fs::path(gendir), Consumes("x"));
  EXPECT_THAT(Gendir(gendir), Not(HasFinding("missing-wiring")));
  EXPECT_THAT(Gendir("sample", SampleFiles(Wiring::kBroken)),
              HasFinding("missing-wiring", "rope_cos"));
  const std::vector<std::string> gendirs = {gendir, gendir};
  EXPECT_THAT(gendirs, Each(IsClean()));
}

TEST(MatchersOverGendirs, ThrowOnAPathWithoutAGendir) {
  const testing::Matcher<std::string> matchers[] = {IsClean(), Not(IsClean())};
  for (const auto& matcher : matchers) {
    EXPECT_THROW(matcher.Matches("no/such/gendir"), InputError);
  }
  const testing::Matcher<const char(&)[15]> literal = IsClean();
  EXPECT_THROW(literal.Matches("no/such/gendir"), InputError);
}

}  // namespace
}  // namespace graph_coverage
