// SPDX-License-Identifier: Apache-2.0
//
// The main of graph_coverage::gtest_main: GoogleTest's, behind the gate of a
// gendir. Exit codes are GoogleTest's, and 2 where nothing was tested.
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "graph_coverage/gtest_coverage.h"
#include "gtest_coverage/suite.h"

namespace {

constexpr int kNothingTested = 2;
constexpr char kVariable[] = "GRAPH_COVERAGE_GENDIR";
constexpr char kFlag[] = "--gendir=";
constexpr char kUsage[] =
    "Tests guarded by the audit of a megakernel's gendir:\n"
    "  --gendir=DIRECTORY\n"
    "      Where the megakernel's artifacts are. The environment variable\n"
    "      GRAPH_COVERAGE_GENDIR does as well; the tests find it set to the\n"
    "      directory, however it was given.\n";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int Refuse(const std::string& problem) {
  std::fprintf(stderr, "%s\n", problem.c_str());
  return kNothingTested;
}

bool IsHelp(const std::string& argument) {
  return argument == "--help" || argument == "-h" || argument == "-?" ||
         argument == "/?";
}

// The first test falls to the first shard: where that one is empty, all are.
bool MayBeAnEmptyShard() {
  return std::atoi(Variable("GTEST_TOTAL_SHARDS").c_str()) > 1 &&
         std::atoi(Variable("GTEST_SHARD_INDEX").c_str()) > 0;
}

bool IsSharded() {
  return std::atoi(Variable("GTEST_TOTAL_SHARDS").c_str()) > 1;
}

// Whether tests of the program's own were selected, and all skipped themselves.
bool AllWereSkipped(const testing::UnitTest& program) {
  int selected = 0, skipped = 0;
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *program.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      if (!test.should_run() || graph_coverage::internal::OwnTest(test)) {
        continue;
      }
      ++selected;
      if (test.result()->Skipped()) ++skipped;
    }
  }
  return selected > 0 && skipped == selected;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);  // takes out the flags that it knows
  const bool lists = GTEST_FLAG_GET(list_tests);
  std::string gendir = Variable(kVariable);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (IsHelp(argument)) {
      std::printf("\n%s", kUsage);
      return EXIT_SUCCESS;
    }
    if (argument.rfind(kFlag, 0) != 0) {
      return Refuse("unknown argument " + argument + "\n" + kUsage);
    }
    gendir = argument.substr(sizeof(kFlag) - 1);
  }
  if (gendir.empty() && !lists) {
    return Refuse("no gendir: give --gendir=DIRECTORY, or set " +
                  std::string(kVariable) +
                  ", so that its wiring is audited before the tests run");
  }
  setenv(kVariable, gendir.c_str(), 1);
  graph_coverage::GuardTests(gendir);

  const int result = RUN_ALL_TESTS();
  const testing::UnitTest& program = *testing::UnitTest::GetInstance();
  if (lists || result != EXIT_SUCCESS) return result;
  if (program.test_to_run_count() == 0 && !MayBeAnEmptyShard()) {
    return Refuse("no test was run: none matches --gtest_filter=" +
                  GTEST_FLAG_GET(filter) +
                  ", or all that do are disabled; --gtest_list_tests lists "
                  "those there are");
  }
  if (!IsSharded() && AllWereSkipped(program)) {
    return Refuse(
        "nothing was tested: all tests that were selected skipped themselves, "
        "for the reasons above; run them where they can run");
  }
  return EXIT_SUCCESS;
}
