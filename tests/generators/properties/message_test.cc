// SPDX-License-Identifier: Apache-2.0
//
// What a property that does not hold says: once, and how to replay it.
#include <gmock/gmock.h>

#include <cstddef>
#include <string>

#include "tests/support/run_program.h"

namespace graph_coverage {
namespace {

using ::testing::HasSubstr;

std::size_t Count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;
       at += part.size()) {
    ++count;
  }
  return count;
}

TEST(CheckProperty, SaysEachFailureOnceWithSeedAndReplay) {
  const ProgramRun run = RunProgram(FAILING_CHILD);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(Count(run.output, "Expected: (drawn) < (50), actual: 50 vs 50"), 1u)
      << run.output;
  EXPECT_EQ(Count(run.output, "Falsifiable after"), 1u) << run.output;
  EXPECT_THAT(run.output, HasSubstr("cases asked for; to replay: RC_PARAMS="));
}

}  // namespace
}  // namespace graph_coverage
