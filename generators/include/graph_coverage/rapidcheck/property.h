// SPDX-License-Identifier: Apache-2.0
//
// Properties as GoogleTest tests, the same on every run and replayable:
//
//   TEST(Audit, SeesEveryDrop) {
//     graph_coverage::CheckProperty([] {
//       const auto healthy = *graph_coverage::HealthyModels();
//       …
//       RC_ASSERT(…);  // or EXPECT_THAT(…)
//     });
//   }
//
// The seed comes from the test's name. The environment may say otherwise:
// GRAPH_COVERAGE_SEED is another seed, GRAPH_COVERAGE_RUNS a number of cases.
// Seed, cases run and, after a failure, the value of RC_PARAMS that replays it
// are properties of the test (in its XML); the failure says them, too.
#pragma once

#include <rapidcheck.h>
#include <rapidcheck/gmock.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

namespace graph_coverage {

struct PropertyRun {
  rc::detail::TestResult result = rc::detail::Error();
  std::string id;  // "Audit/SeesEveryDrop"
  std::uint64_t seed = 0;
  int runs = 0;        // cases asked for
  std::string replay;  // a value of RC_PARAMS; empty where nothing failed

  bool passed() const { return result.is<rc::detail::SuccessResult>(); }
  std::string message() const {
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    text << "\nseed " << seed << ", " << runs << " cases asked for";
    if (!replay.empty()) text << "; to replay: RC_PARAMS=\"" << replay << '"';
    return text.str();
  }
};

namespace property_internal {

// FNV-1a: the same on every machine.
inline std::uint64_t SeedOf(const std::string& id) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : id) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}

inline std::uint64_t Environment(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise
                                            : std::strtoull(value, nullptr, 10);
}

// Once a process, however many properties there are: each listener would tell
// every failure again.
inline void InstallListener() {
  static const bool installed = [] {
    rc::gmock::RapidCheckListener::install();
    return true;
  }();
  static_cast<void>(installed);
}

class Silent : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&,
                      const rc::detail::TestResult&) override {}
};

}  // namespace property_internal

// Runs a property within a test and says what came of it. Sizes go up to 100.
template <typename Testable>
PropertyRun RunProperty(Testable&& testable, int runs = 100) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  PropertyRun run;
  run.id = std::string(test->test_suite_name()) + "/" + test->name();
  run.seed = property_internal::Environment("GRAPH_COVERAGE_SEED",
                                            property_internal::SeedOf(run.id));
  run.runs = static_cast<int>(property_internal::Environment(
      "GRAPH_COVERAGE_RUNS", static_cast<std::uint64_t>(runs)));

  rc::detail::TestMetadata metadata;
  metadata.id = run.id;
  metadata.description = test->name();
  rc::detail::TestParams params;
  params.seed = run.seed;
  params.maxSuccess = run.runs;
  params.maxSize = 100;
  property_internal::Silent listener;
  run.result = rc::detail::checkProperty(
      rc::detail::toProperty(std::forward<Testable>(testable)), metadata,
      params, listener, rc::detail::configuration().reproduce);
  if (run.result.template is<rc::detail::FailureResult>()) {
    rc::detail::Configuration replay;
    replay.reproduce[run.id] =
        run.result.template get<rc::detail::FailureResult>().reproduce;
    run.replay = rc::detail::configToMinimalString(replay);
  }
  return run;
}

// The same, and fails the test where the property does not hold. Failures of
// EXPECT_ and ASSERT_ within the property count, and shrink, like RC_ASSERT.
template <typename Testable>
void CheckProperty(Testable&& testable, int runs = 100) {
  property_internal::InstallListener();
  const PropertyRun run = RunProperty(std::forward<Testable>(testable), runs);
  ::testing::Test::RecordProperty("seed", std::to_string(run.seed));
  ::testing::Test::RecordProperty("cases", run.runs);
  if (run.passed()) return;
  ::testing::Test::RecordProperty("replay", run.replay);
  ADD_FAILURE() << run.message();
}

}  // namespace graph_coverage
