// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "graph_coverage/contract.h"
#include "graph_coverage/gtest_coverage.h"
#include "tests/support/sample_gendir.h"

namespace graph_coverage {
namespace {

using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::Pair;

Gendir InMemory(Wiring wiring) { return {"sample", SampleFiles(wiring)}; }

AuditOptions WithPolicy(Policy policy) {
  AuditOptions options;
  options.policy = std::move(policy);
  return options;
}

AuditOptions OnlyX() {
  Policy policy;
  policy.critical = {"x"};
  return WithPolicy(policy);
}

std::map<std::string, std::string> Properties() {
  const testing::TestResult& result =
      *testing::UnitTest::GetInstance()->current_test_info()->result();
  std::map<std::string, std::string> properties;
  for (int i = 0; i < result.test_property_count(); ++i) {
    properties[result.GetTestProperty(i).key()] =
        result.GetTestProperty(i).value();
  }
  return properties;
}

TEST(AllCriticalConsumed, PassesOnAPathAGendirAndWithOptions) {
  const std::string path =
      WriteSample(ScratchDirectory("clean"), Wiring::kClean);
  EXPECT_ALL_CRITICAL_CONSUMED(path);
  EXPECT_ALL_CRITICAL_CONSUMED(path.c_str());
  EXPECT_ALL_CRITICAL_CONSUMED(std::filesystem::path(path));
  ASSERT_ALL_CRITICAL_CONSUMED(InMemory(Wiring::kClean));
  EXPECT_ALL_CRITICAL_CONSUMED(InMemory(Wiring::kBroken), OnlyX())
      << "rope_cos is not critical here";
}

TEST(ContractMatched, PassesAndFails) {
  const std::string contract = ScratchDirectory("contract") + ".json";
  std::ofstream(contract) << WriteContract(
      RecordContract(InMemory(Wiring::kClean)));
  EXPECT_MATCHES_CONTRACT(InMemory(Wiring::kClean), contract);
  ASSERT_MATCHES_CONTRACT(InMemory(Wiring::kClean), contract.c_str());
  EXPECT_NONFATAL_FAILURE(
      EXPECT_MATCHES_CONTRACT(InMemory(Wiring::kBroken), contract),
      "rope_cos is not as recorded: is new, attached");
  EXPECT_NONFATAL_FAILURE(
      EXPECT_MATCHES_CONTRACT(InMemory(Wiring::kClean), "no/such.json"),
      "no/such.json: cannot be read");
}

TEST(AllCriticalConsumed, FailsWithTheFindings) {
  EXPECT_NONFATAL_FAILURE(
      EXPECT_ALL_CRITICAL_CONSUMED(InMemory(Wiring::kBroken)),
      "  Gendir: sample\n"
      "Expected: consumes all critical tensors\n"
      "  Actual: report of sample: fail, 1 rank, 1 error, 0 warnings, 1 note, "
      "which has 1 error in what it declares and consumes:\n"
      "  error[missing-wiring]: rope_cos ");
  EXPECT_FATAL_FAILURE(ASSERT_ALL_CRITICAL_CONSUMED(InMemory(Wiring::kBroken)),
                       "missing-wiring]: rope_cos");
}

TEST(AllCriticalConsumed, FailsWhereNothingCanBeAudited) {
  EXPECT_NONFATAL_FAILURE(EXPECT_ALL_CRITICAL_CONSUMED("no/such/gendir"),
                          "Expected: consumes all critical tensors\n"
                          "  Actual: no/such/gendir: nothing was audited\n");
  EXPECT_NONFATAL_FAILURE(EXPECT_ALL_CRITICAL_CONSUMED(Gendir("empty", {})),
                          "empty: nothing was audited\n");
}

TEST(Assertions, SayThatAGendirIsANullPointer) {
  constexpr const char* kProblem =
      "  (null): the gendir is a null pointer: is the environment variable "
      "that names it set?";
  const char* unset = nullptr;  // as std::getenv gives it
  EXPECT_NONFATAL_FAILURE(EXPECT_ALL_CRITICAL_CONSUMED(unset), kProblem);
  EXPECT_NONFATAL_FAILURE(EXPECT_ALL_CRITICAL_CONSUMED(unset, OnlyX()),
                          kProblem);
  EXPECT_NONFATAL_FAILURE(EXPECT_GENDIR_CLEAN(unset), kProblem);
  EXPECT_NONFATAL_FAILURE(EXPECT_MATCHES_CONTRACT(unset, "x.json"), kProblem);
}

TEST(AllCriticalConsumed, FailsOnARankThatIsNotThere) {
  AuditOptions options;
  options.ranks = {RankId{0}, RankId{7}};
  EXPECT_NONFATAL_FAILURE(
      EXPECT_ALL_CRITICAL_CONSUMED(InMemory(Wiring::kClean), options),
      "sample: nothing was audited\n");
}

TEST(AllCriticalConsumed, RecordsTheCounts) {
  EXPECT_ALL_CRITICAL_CONSUMED(InMemory(Wiring::kClean));
  EXPECT_THAT(Properties(), IsSupersetOf({
                                Pair("graph_coverage_verdict", "pass"),
                                Pair("graph_coverage_ranks", "1"),
                                Pair("graph_coverage_critical", "2"),
                                Pair("graph_coverage_errors", "0"),
                                Pair("graph_coverage_waived", "0"),
                            }));
}

TEST(GendirClean, Passes) {
  EXPECT_GENDIR_CLEAN(InMemory(Wiring::kClean));
  ASSERT_GENDIR_CLEAN(InMemory(Wiring::kClean));
}

TEST(GendirClean, FailsWithTheFindings) {
  EXPECT_NONFATAL_FAILURE(EXPECT_GENDIR_CLEAN(InMemory(Wiring::kBroken)),
                          "Expected: is clean\n");
  EXPECT_FATAL_FAILURE(ASSERT_GENDIR_CLEAN(InMemory(Wiring::kBroken)),
                       "which has 1 finding of severity error:\n"
                       "  error[missing-wiring]: rope_cos");
}

TEST(GendirClean, FailsOnWhatThePolicyMakesAnError) {
  Policy policy;
  policy.critical = {"x"};
  policy.fail_on = Severity::kWarning;  // rope_cos is now an unread-attached
  EXPECT_NONFATAL_FAILURE(
      EXPECT_GENDIR_CLEAN(InMemory(Wiring::kBroken), WithPolicy(policy)),
      "warning[unread-attached]: rope_cos");
  EXPECT_ALL_CRITICAL_CONSUMED(InMemory(Wiring::kBroken), WithPolicy(policy));
}

TEST(GendirClean, FailsWhereNothingCanBeAudited) {
  EXPECT_NONFATAL_FAILURE(EXPECT_GENDIR_CLEAN("no/such/gendir"),
                          "no/such/gendir: nothing was audited\n");
}

// The fixture audits once a suite, also where the gendir is in memory.
struct SampleSuite : GendirTest<SampleSuite> {
  static Gendir gendir() {
    ++gendirs_made;
    return InMemory(Wiring::kBroken);
  }
  static AuditOptions options() { return OnlyX(); }
  static inline int gendirs_made = 0;
};

TEST_F(SampleSuite, HasAReport) {
  EXPECT_THAT(report(), Consumes("x"));
  EXPECT_EQ(gendirs_made, 1);
}

TEST_F(SampleSuite, HasTheSameReport) {
  EXPECT_THAT(report(), Not(Consumes("rope_cos")));
  EXPECT_EQ(report().verdict, Verdict::kPass);
  EXPECT_EQ(gendirs_made, 1);
}

}  // namespace
}  // namespace graph_coverage
