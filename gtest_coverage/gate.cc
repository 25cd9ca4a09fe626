// SPDX-License-Identifier: Apache-2.0
//
// The gate: a listener that audits before the first environment is set up and,
// where the gendir is not clean, marks each guarded test as skipped when it
// starts, so that GoogleTest does not run it.
//
// GoogleTest runs nothing at all, not even SetUpTestSuite, after a fatal
// failure outside of all tests; so that is what the gate reports where it holds
// back every test that is selected.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "audit/model/one_line.h"
#include "graph_coverage/policy.h"
#include "gtest_coverage/assertions.h"
#include "gtest_coverage/suite.h"

namespace graph_coverage {
namespace {

using ::testing::TestInfo;
using ::testing::TestPartResult;
using ::testing::TestSuite;
using ::testing::UnitTest;

bool gate_is_closed = false;

// Whether one of the patterns, separated by colons, matches the whole name.
bool MatchesAny(const std::string& patterns, const std::string& name) {
  for (std::size_t first = 0; first <= patterns.size();) {
    const std::size_t colon =
        std::min(patterns.find(':', first), patterns.size());
    if (MatchesGlob(patterns.substr(first, colon - first), name)) return true;
    first = colon + 1;
  }
  return false;
}

// As --gtest_filter: "A*:B*", "A*:B*-C*", or "-C*" for all but C*.
bool MatchesFilter(const std::string& filter, const TestInfo& test) {
  const std::string name =
      std::string(test.test_suite_name()) + "." + test.name();
  const std::size_t dash = filter.find('-');
  const std::string wanted = filter.substr(0, dash);
  return MatchesAny(wanted.empty() ? "*" : wanted, name) &&
         (dash == filter.npos || !MatchesAny(filter.substr(dash + 1), name));
}

int CountTests(const UnitTest& program,
               const std::function<bool(const TestInfo&)>& is_counted) {
  int count = 0;
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const TestSuite& suite = *program.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      if (is_counted(*suite.GetTestInfo(j))) ++count;
    }
  }
  return count;
}

void Record(TestPartResult::Type type, const char* file, int line,
            const std::string& message) {
  GTEST_MESSAGE_AT_(file, line, message.c_str(), type);
}

// Why the report closes a gate, in one line.
std::string ShortReason(const Report& report) {
  if (report.verdict == Verdict::kInvalid) {
    return "nothing was audited: " + (report.errors.empty()
                                          ? report.gendir
                                          : OneLine(report.errors[0].what()));
  }
  const Finding& worst = report.findings.at(0);  // the worst comes first
  const auto failing = std::count_if(
      report.findings.begin(), report.findings.end(),
      [&](const Finding& f) { return f.severity >= report.fail_on; });
  std::string reason = report.gendir + " is not clean: " + worst.rule + ": " +
                       (worst.tensor.empty() ? worst.task_type : worst.tensor) +
                       " " + OneLine(worst.found);
  if (failing > 1) reason += " (and " + std::to_string(failing - 1) + " more)";
  return reason;
}

class Gate : public testing::EmptyTestEventListener {
 public:
  Gate(Gendir gendir, AuditOptions options, std::string filter)
      : gendir_(std::move(gendir)),
        options_(std::move(options)),
        filter_(std::move(filter)) {}

  void OnTestProgramStart(const UnitTest& program) override {
    if (CountTests(program, [this](auto& test) { return Guards(test); }) > 0) {
      return;
    }
    Record(
        TestPartResult::kNonFatalFailure, gendir_.name().c_str(), -1,
        "The gate of " + gendir_.name() +
            " guards nothing: no test of this program matches its filter \"" +
            filter_ + "\". --gtest_list_tests lists the tests there are.");
  }

  void OnEnvironmentsSetUpStart(const UnitTest& program) override {
    // The child of a death test runs what its parent let through.
    if (was_asked_ || !GTEST_FLAG_GET(internal_run_death_test).empty()) return;
    const int guarded = CountTests(program, [this](const TestInfo& test) {
      return test.should_run() && Guards(test);
    });
    if (guarded == 0) return;
    was_asked_ = true;
    const auto report = Audited(gendir_, options_);
    const testing::AssertionResult clean = internal::Check(*report, IsClean());
    if (clean) return;

    gate_is_closed = true;
    reason_ = "Held back by the gate: " + ShortReason(*report);
    const int others = CountTests(program, [this](const TestInfo& test) {
      return test.should_run() && !Guards(test) && !internal::OwnTest(test);
    });
    holds_back_all_ = others == 0;
    Record(holds_back_all_ ? TestPartResult::kFatalFailure
                           : TestPartResult::kNonFatalFailure,
           gendir_.name().c_str(), -1,
           "The gate is closed: " +
               Counted(static_cast<std::uint64_t>(guarded), "test") +
               " will not run.\n" + clean.message());
  }

  void OnTestStart(const TestInfo& test) override {
    if (reason_.empty()) return;
    if (Guards(test)) {
      Record(TestPartResult::kSkip, test.file(), test.line(), reason_);
    } else if (const auto* check = internal::OwnTest(test);
               check != nullptr && holds_back_all_) {
      RunHere(*check, test);
    }
  }

 private:
  bool Guards(const TestInfo& test) const {
    return internal::OwnTest(test) == nullptr && MatchesFilter(filter_, test);
  }

  // GoogleTest is about to report the test as skipped with all others, unless
  // it has failed.
  static void RunHere(const std::function<void()>& check,
                      const TestInfo& test) {
    check();
    if (testing::Test::HasFailure()) return;
    Record(TestPartResult::kSkip, test.file(), test.line(),
           "It passes; with the gate closed GoogleTest calls it skipped.");
  }

  Gendir gendir_;
  AuditOptions options_;
  std::string filter_;
  bool was_asked_ = false;
  std::string reason_;  // why guarded tests do not run; empty: they do
  bool holds_back_all_ = false;
};

}  // namespace

void GuardTests(const Gendir& gendir, const AuditOptions& options,
                const std::string& filter) {
  static int calls = 0;
  internal::RegisterOwnTest(
      internal::NumberedName("GraphCoverageGate", ++calls), "IsOpen",
      [gendir, options] { EXPECT_GENDIR_CLEAN(gendir, options); });
  UnitTest::GetInstance()->listeners().Append(
      new Gate(gendir, options, filter));
}

bool GateIsClosed() { return gate_is_closed; }

}  // namespace graph_coverage
