// SPDX-License-Identifier: Apache-2.0
#include "audit/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace graph_coverage {
namespace {

TEST(InParallel, DoesEachPieceOnceForAnyNumberOfJobs) {
  for (const unsigned jobs : {0u, 1u, 3u, 100u}) {
    std::vector<std::atomic<int>> done(50);
    InParallel(done.size(), jobs, [&done](std::size_t i) { ++done[i]; });
    for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(InParallel, RethrowsTheFirstFailureAndBeginsNoMore) {
  for (const unsigned jobs : {1u, 4u}) {
    std::atomic<int> ended{0};
    const auto work = [&ended](std::size_t i) {
      ++ended;
      if (i == 3 || i == 7) throw std::runtime_error(std::to_string(i));
    };
    try {
      InParallel(10, jobs, work);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "3");
    }
    if (jobs == 1) {
      EXPECT_EQ(ended, 4);
    }
  }
}

TEST(InParallel, HasNothingToDoForNoPieces) {
  InParallel(0, 4, [](std::size_t) { FAIL() << "there is no piece"; });
}

}  // namespace
}  // namespace graph_coverage
