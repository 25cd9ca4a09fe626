// SPDX-License-Identifier: Apache-2.0
//
// The audit of a megakernel's wiring inside the test binary that holds its
// numerics tests. Four ways in, from the smallest:
//
// 1. An assertion, in a test of its own or at the head of another:
//
//      TEST(Wiring, IsComplete) {
//        ASSERT_ALL_CRITICAL_CONSUMED("build/gendir");
//      }
//
//    EXPECT_ALL_CRITICAL_CONSUMED(gendir)
//    ASSERT_ALL_CRITICAL_CONSUMED(gendir, options)
//        Fails on errors of group A: a critical tensor that no task reads, a
//        task that names a tensor that is not declared, and their like. Errors
//        of other rules are mentioned.
//    EXPECT_GENDIR_CLEAN(gendir)
//    ASSERT_GENDIR_CLEAN(gendir, options)
//        Fails on any finding of the policy's `fail_on` severity, by default
//        `error`.
//    EXPECT_MATCHES_CONTRACT(gendir, contract)
//    ASSERT_MATCHES_CONTRACT(gendir, contract)
//        Fails where the coverage is not as the file `contract` records it.
//
//    `gendir` is a path or a Gendir; `options` (audit.h) choose what is
//    critical, which ranks are audited, and the policy; without them, the
//    policy file beside the gendir counts (policy_file.h). Where nothing could
//    be audited, all fail and say why. All record the properties
//    graph_coverage_verdict, _ranks, _critical, _errors, _warnings, _notes and
//    _waived for the XML output. More is to be had with matchers.h.
//
// 2. A fixture that audits once a suite:
//
//      struct Wiring : graph_coverage::GendirTest<Wiring> {
//        static graph_coverage::Gendir gendir() { return "build/gendir"; }
//      };
//      TEST_F(Wiring, ReadsRope) { EXPECT_THAT(report(), Consumes("rope_*")); }
//
// 3. A suite made at run time, with a test for each rank and each family of
//    critical tensors, so that filters and XML show them:
//
//      int main(int argc, char** argv) {
//        testing::InitGoogleTest(&argc, argv);
//        graph_coverage::RegisterCoverageTests("build/gendir");
//        return RUN_ALL_TESTS();
//      }
//
// 4. The gate, one line in a main, which keeps numerics tests from running on
//    broken wiring:
//
//      graph_coverage::GuardTests("build/gendir");
//
//    or no main at all: link graph_coverage::gtest_main instead of
//    GTest::gtest_main, and run with --gendir=build/gendir or with the
//    environment variable GRAPH_COVERAGE_GENDIR.
//
// All of them read a gendir once in a process (audited.h).
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "graph_coverage/audited.h"
#include "graph_coverage/matchers.h"

#define EXPECT_ALL_CRITICAL_CONSUMED(...)                                   \
  EXPECT_PRED_FORMAT1(::graph_coverage::internal::CheckAllCriticalConsumed, \
                      ::graph_coverage::internal::Subject(__VA_ARGS__))
#define ASSERT_ALL_CRITICAL_CONSUMED(...)                                   \
  ASSERT_PRED_FORMAT1(::graph_coverage::internal::CheckAllCriticalConsumed, \
                      ::graph_coverage::internal::Subject(__VA_ARGS__))
#define EXPECT_GENDIR_CLEAN(...)                                    \
  EXPECT_PRED_FORMAT1(::graph_coverage::internal::CheckGendirClean, \
                      ::graph_coverage::internal::Subject(__VA_ARGS__))
#define ASSERT_GENDIR_CLEAN(...)                                    \
  ASSERT_PRED_FORMAT1(::graph_coverage::internal::CheckGendirClean, \
                      ::graph_coverage::internal::Subject(__VA_ARGS__))

#define EXPECT_MATCHES_CONTRACT(gendir, contract)                       \
  EXPECT_PRED_FORMAT2(::graph_coverage::internal::CheckMatchesContract, \
                      ::graph_coverage::internal::Subject(gendir), contract)
#define ASSERT_MATCHES_CONTRACT(gendir, contract)                       \
  ASSERT_PRED_FORMAT2(::graph_coverage::internal::CheckMatchesContract, \
                      ::graph_coverage::internal::Subject(gendir), contract)

namespace graph_coverage {

// Registers, before RUN_ALL_TESTS(), the tests of the suite GraphCoverage:
//
//   GraphCoverage.GendirIsClean         the gendir as a whole
//   GraphCoverage.Rank0/layer_N_q_norm  a rank and a family of critical tensors
//
// For their names the gendir is audited at once. Where that cannot be, since it
// does not exist yet, only the first test is there, and fails when it is run.
// A second call makes the suite GraphCoverage2, and so on.
void RegisterCoverageTests(const Gendir& gendir,
                           const AuditOptions& options = {});

// Puts a gate, before RUN_ALL_TESTS(), in front of the tests that `filter`
// matches (patterns as in --gtest_filter; by default all tests). The gendir is
// audited before any environment is set up, and only if one of them is selected
// to run. If it is not clean, or nothing could be audited:
//   - the findings are printed once;
//   - none of these tests runs: each is reported as skipped, with the reason;
//   - the test program fails, whatever else passes;
//   - where no other test is selected, no fixture of theirs is made and no
//     SetUpTestSuite is run either. Where others are (GoogleTest has no way to
//     hold back one suite), both happen: ask GateIsClosed() there.
//
// A `filter` that matches no test of the program is a failure. The test
// GraphCoverageGate.IsOpen stands for the gate itself: it is never skipped, so
// that a runner that takes skipped tests for passed ones, as ctest does, has
// one that fails. A second gate has the suite GraphCoverageGate2, and so on.
void GuardTests(const Gendir& gendir, const AuditOptions& options = {},
                const std::string& filter = "*");

// Whether a gate keeps tests from running. False before the tests start.
bool GateIsClosed();

namespace internal {

// What an assertion is about. It refers to the options, for as long as the
// assertion is evaluated: copying them would cost every test file compile time.
struct Subject {
  template <typename T>
  explicit Subject(const T& path) : gendir(path) {}
  template <typename T>
  Subject(const T& path, const AuditOptions& audit_options)
      : gendir(path), options(&audit_options) {}

  Gendir gendir;
  const AuditOptions* options = nullptr;  // null: default options
};
void PrintTo(const Subject& subject, std::ostream* out);

testing::AssertionResult CheckAllCriticalConsumed(const char* expression,
                                                  const Subject& subject);
testing::AssertionResult CheckGendirClean(const char* expression,
                                          const Subject& subject);
testing::AssertionResult CheckMatchesContract(const char* gendir_expression,
                                              const char* contract_expression,
                                              const Subject& subject,
                                              const std::string& contract);
// Success if something was audited.
testing::AssertionResult CheckAudited(const Report& report);

}  // namespace internal

// A fixture whose report is made once a suite. `Suite` is the derived class; it
// has a public `static Gendir gendir()`, and may have a public
// `static AuditOptions options()`. Where nothing could be audited, no test of
// the suite runs and the suite fails.
template <typename Suite>
class GendirTest : public testing::Test {
 public:
  static void SetUpTestSuite() {
    report_ = Audited(Suite::gendir(), Suite::options());
    ASSERT_TRUE(internal::CheckAudited(*report_));
  }
  static void TearDownTestSuite() { report_.reset(); }

  static AuditOptions options() { return AuditOptions(); }
  static const Report& report() { return *report_; }

 private:
  static inline std::shared_ptr<const Report> report_;
};

}  // namespace graph_coverage
