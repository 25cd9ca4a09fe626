// SPDX-License-Identifier: Apache-2.0
//
// The gate, the registered suite and the main, seen from outside: what programs
// that use them print, and how they exit.
#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/run_program.h"
#include "tests/support/sample_gendir.h"

namespace graph_coverage {
namespace {

using ::testing::AllOf;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Matcher;
using ::testing::Not;

constexpr char kMain[] = GUARDED_CHILD;
constexpr char kAttached[] = ATTACHED_CHILD;

Matcher<const ProgramRun&> Exits(int code) {
  return Field("exit_code", &ProgramRun::exit_code, code);
}
Matcher<const ProgramRun&> Says(const std::string& text) {
  return Field("output", &ProgramRun::output, HasSubstr(text));
}
Matcher<const ProgramRun&> RunsNo(const std::string& what) {
  return Field("output", &ProgramRun::output, Not(HasSubstr("RAN " + what)));
}

std::string Clean() {
  return WriteSample(ScratchDirectory("clean"), Wiring::kClean);
}
std::string Broken() {
  return WriteSample(ScratchDirectory("broken"), Wiring::kBroken);
}

ProgramRun RunMain(const std::string& arguments) {
  return RunProgram(std::string(kMain) + " " + arguments);
}
ProgramRun RunAttached(const std::string& arguments) {
  return RunProgram(std::string(kAttached) + " " + arguments);
}

// The main.

TEST(GuardedMain, RunsTestsOnACleanGendir) {
  const std::string gendir = Clean();
  EXPECT_THAT(RunMain("--gendir=" + gendir),
              AllOf(Exits(0), Says("RAN RmsNorm"), Says("RAN Attention"),
                    Says("GENDIR " + gendir),
                    Says("[       OK ] GraphCoverageGate.IsOpen")));
}

TEST(GuardedMain, TakesTheGendirFromTheEnvironment) {
  const std::string gendir = Clean();
  EXPECT_THAT(RunProgram("GRAPH_COVERAGE_GENDIR=" + gendir + " " + kMain),
              AllOf(Exits(0), Says("RAN RmsNorm"), Says("GENDIR " + gendir)));
  EXPECT_THAT(RunProgram("GRAPH_COVERAGE_GENDIR=/nowhere " +
                         std::string(kMain) + " --gendir=" + gendir),
              AllOf(Exits(0), Says("GENDIR " + gendir)));
}

TEST(GuardedMain, RunsNothingOnABrokenGendir) {
  const std::string gendir = Broken();
  EXPECT_THAT(
      RunMain("--gendir=" + gendir),
      AllOf(Exits(1), RunsNo(""),
            Says("The gate is closed: 4 tests will not run.\n  Gendir: " +
                 gendir + "\nExpected: is clean\n"),
            Says("[ RUN      ] Numerics.RmsNorm\n"),
            Says("Skipped\nHeld back by the gate: " + gendir +
                 " is not clean: missing-wiring: rope_cos"),
            Says("[  SKIPPED ] Numerics.RmsNorm"),
            Says("[  FAILED  ] GraphCoverageGate.IsOpen")));
}

TEST(GuardedMain, RunsNothingWithoutAGendir) {
  EXPECT_THAT(RunMain("--gendir=/no/such/gendir"),
              AllOf(Exits(1), RunsNo(""),
                    Says("/no/such/gendir: nothing was audited\n"),
                    Says("Held back by the gate: nothing was audited: ")));
  EXPECT_THAT(RunMain(""),
              AllOf(Exits(2), RunsNo(""), Says("no gendir: give --gendir=")));
  EXPECT_THAT(RunMain("--gendir="), AllOf(Exits(2), RunsNo("")));
}

TEST(GuardedMain, RunsNothingOnAnEmptyGendir) {
  const std::string gendir = Clean();
  EXPECT_EQ(RunProgram("rm " + gendir + "/*").exit_code, 0);
  EXPECT_THAT(RunMain("--gendir=" + gendir),
              AllOf(Exits(1), RunsNo(""), Says("nothing was audited")));
}

TEST(GuardedMain, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(RunMain("--gendri=x"),
              AllOf(Exits(2), Says("unknown argument --gendri=x")));
}

TEST(GuardedMain, HelpsWithoutAGendir) {
  EXPECT_THAT(RunMain("--help"), AllOf(Exits(0), Says("--gendir=DIRECTORY"),
                                       Says("--gtest_filter")));
}

TEST(GuardedMain, ListsWithoutAGendir) {
  EXPECT_THAT(RunMain("--gtest_list_tests"),
              AllOf(Exits(0), Says("GraphCoverageGate.\n  IsOpen\n"),
                    Says("Numerics.\n  RmsNorm\n")));
}

TEST(GuardedMain, FailsWhereTheFilterSelectsNothing) {
  const std::string gendir = Clean();
  EXPECT_THAT(RunMain("--gendir=" + gendir + " --gtest_filter=Numrics.*"),
              AllOf(Exits(2), Says("no test was run: none matches "
                                   "--gtest_filter=Numrics.*")));
  EXPECT_THAT(RunMain("--gendir=" + gendir + " --gtest_filter=*Slow"),
              AllOf(Exits(2), Says("or all that do are disabled")));
}

TEST(GuardedMain, AllowsEmptyShardsOnly) {
  const std::string shards = "GTEST_TOTAL_SHARDS=9 GTEST_SHARD_INDEX=";
  const std::string run = " " + std::string(kMain) + " --gendir=" + Clean();
  EXPECT_THAT(RunProgram(shards + "8" + run),
              AllOf(Exits(0), Says("Running 0 tests")));
  EXPECT_THAT(RunProgram(shards + "0" + run), AllOf(Exits(0), Says("RAN ")));
  EXPECT_THAT(RunProgram(shards + "0" + run + " --gtest_filter=Numrics.*"),
              AllOf(Exits(2), Says("no test was run")));
}

TEST(GuardedMain, FailsWhereAllSkipThemselves) {
  const std::string gendir = "--gendir=" + Clean();
  EXPECT_THAT(RunMain(gendir + " --gtest_filter=NeedsDevice.*"),
              AllOf(Exits(2), Says("no device here"),
                    Says("nothing was tested: all tests that were selected "
                         "skipped themselves")));
  EXPECT_THAT(RunMain(gendir + " --gtest_filter=NeedsDevice.*:HostOnly.*"),
              Exits(0));
}

TEST(GuardedMain, RunsTheGatesTestByItself) {
  const std::string filter = " --gtest_filter=GraphCoverageGate.IsOpen";
  EXPECT_THAT(RunMain("--gendir=" + Clean() + filter), Exits(0));
  EXPECT_THAT(RunMain("--gendir=" + Broken() + filter),
              AllOf(Exits(1), Says("error[missing-wiring]: rope_cos")));
  EXPECT_THAT(RunMain("--gendir=/no/such/gendir" + filter), Exits(1));
}

TEST(GuardedMain, StaysClosedWhenRepeated) {
  EXPECT_THAT(RunMain("--gendir=" + Broken() + " --gtest_repeat=3"),
              AllOf(Exits(1), RunsNo("")));
}

// The gate in a main of one's own.

TEST(Gate, HoldsBackAllTests) {
  EXPECT_THAT(RunAttached("guard " + Clean()),
              AllOf(Exits(0), Says("RAN RmsNorm")));
  EXPECT_THAT(RunAttached("guard " + Broken()),
              AllOf(Exits(1), RunsNo(""), Says("Held back by the gate")));
}

TEST(Gate, HoldsBackTheTestsOfAFilter) {
  const ProgramRun run = RunAttached("guard " + Broken() + " 'Numerics.*'");
  EXPECT_THAT(run, AllOf(Exits(1), RunsNo("RmsNorm"), RunsNo("Attention"),
                         Says("RAN Tokenizer"),
                         Says("The gate is closed: 2 tests will not run."),
                         Says("[  SKIPPED ] Numerics.RmsNorm"),
                         Says("[       OK ] HostOnly.Tokenizer"),
                         Says("[  FAILED  ] GraphCoverageGate.IsOpen")));
  EXPECT_THAT(RunAttached("guard " + Broken() + " '*-HostOnly.*:Needs*'"),
              AllOf(Exits(1), RunsNo("RmsNorm"), Says("RAN Tokenizer")));
  EXPECT_THAT(RunAttached("guard " + Broken() + " '-HostOnly.*'"),
              AllOf(Exits(1), RunsNo("RmsNorm"), Says("RAN Tokenizer")));
}

TEST(Gate, MakesNoFixtureWhereOnlyGuardedTestsAreSelected) {
  const std::string guard = "guard " + Broken() + " 'Numerics.*'";
  EXPECT_THAT(RunAttached(guard + " --gtest_filter=Numerics.*"),
              AllOf(Exits(1), RunsNo("")));
}

TEST(Gate, AuditsNothingWhereNoGuardedTestIsSelected) {
  EXPECT_THAT(RunAttached("guard /no/such/gendir 'Numerics.*' "
                          "--gtest_filter=HostOnly.*"),
              AllOf(Exits(0), Says("RAN Tokenizer")));
}

TEST(Gate, FailsWhereItGuardsNothing) {
  EXPECT_THAT(RunAttached("guard " + Clean() + " 'Numrics.*'"),
              AllOf(Exits(1), Says("guards nothing: no test of this program "
                                   "matches its filter \"Numrics.*\"")));
}

// The suite made at run time.

TEST(RegisteredSuite, HasATestForEachRankAndFamily) {
  const std::string gendir =
      WriteSample(ScratchDirectory("ranks"), Wiring::kBroken, 2);
  EXPECT_THAT(
      RunAttached("register " + gendir + " --gtest_filter=GraphCoverage.*"),
      AllOf(Exits(1), Says("[       OK ] GraphCoverage.Rank0/x"),
            Says("[       OK ] GraphCoverage.Rank1/w"),
            Says("[  FAILED  ] GraphCoverage.Rank0/rope_cos"),
            Says("[  FAILED  ] GraphCoverage.Rank1/rope_cos"),
            Says("[  FAILED  ] GraphCoverage.GendirIsClean"),
            Says("error[missing-wiring]: rope_cos")));
  EXPECT_THAT(RunAttached("register " + gendir +
                          " --gtest_filter=GraphCoverage.Rank1/w"),
              AllOf(Exits(0), Says("[  PASSED  ] 1 test.")));
}

TEST(RegisteredSuite, ShowsItselfAndItsCountsInXml) {
  const std::string gendir = Broken();
  RunAttached("register " + gendir + " --gtest_output=xml:" + gendir + "/x");
  std::stringstream xml;
  xml << std::ifstream(gendir + "/x").rdbuf();
  EXPECT_THAT(xml.str(),
              AllOf(HasSubstr("<testcase name=\"Rank0/rope_cos\""),
                    HasSubstr("name=\"graph_coverage_errors\" value=\"1\"")));
}

TEST(RegisteredSuite, HasOneTestThatFailsWhereThereIsNoGendir) {
  EXPECT_THAT(RunAttached("register /no/such/gendir --gtest_list_tests "
                          "--gtest_filter=GraphCoverage*"),
              AllOf(Exits(0), Says("GraphCoverage.\n  GendirIsClean\n"),
                    Field(&ProgramRun::output, Not(HasSubstr("Rank")))));
  EXPECT_THAT(
      RunAttached("register /no/such/gendir --gtest_filter=GraphCoverage.*"),
      AllOf(Exits(1), Says("[  FAILED  ] GraphCoverage.GendirIsClean"),
            Says("nothing was audited")));
}

TEST(RegisteredSuite, IsToldOfBehindAClosedGate) {
  EXPECT_THAT(RunAttached("both " + Broken()),
              AllOf(Exits(1), RunsNo(""),
                    Says("[  FAILED  ] GraphCoverage.Rank0/rope_cos"),
                    Says("[  SKIPPED ] GraphCoverage.Rank0/x"),
                    Says("It passes; with the gate closed GoogleTest calls it "
                         "skipped.")));
}

// The page about all of them.

// The block of docs/gtest.md that begins with that line: what it shows is in
// the output, in this order. `…` stands for any text, and times differ.
void ExpectShown(const std::string& first, const std::string& output) {
  std::ifstream page(GTEST_PAGE);
  std::string line;
  while (std::getline(page, line) && line != "    " + first) continue;
  ASSERT_EQ(line, "    " + first) << "is no block of " << GTEST_PAGE;
  std::size_t at = 0;
  do {
    std::string text = line.substr(4, line.find(" (0 ms)") - 4);
    for (std::size_t end = 0; end != std::string::npos;) {
      end = text.find("…");
      const std::string part = text.substr(0, end);
      at = output.find(part, at);
      ASSERT_NE(at, std::string::npos) << part << "\nis not in\n" << output;
      at += part.size();
      if (end != std::string::npos) text.erase(0, end + std::strlen("…"));
    }
  } while (std::getline(page, line) && line.rfind("    ", 0) == 0);
}

TEST(Page, ShowsTheGateAndTheSuite) {
  const std::string folder = ScratchDirectory("page");
  WriteSample(folder + "/build/gendir", Wiring::kBroken);
  const std::string run = "cd " + folder + " && " + kAttached;
  ExpectShown("[----------] Global test environment set-up.",
              RunProgram(run + " guard build/gendir 'Numerics.*'").output);
  ExpectShown("[       OK ] GraphCoverage.Rank0/w (0 ms)",
              RunProgram(run + " register build/gendir").output);
}

}  // namespace
}  // namespace graph_coverage
