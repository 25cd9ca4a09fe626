// SPDX-License-Identifier: Apache-2.0
//
// Runs of equal tasks, and operators by what they read and write.
#include "audit/analysis/operators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/analysis/analyses.h"
#include "tests/support/small_rank.h"
#include "tests/support/tiny_model.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;

constexpr std::uint32_t kNorm = 119;
constexpr std::uint32_t kLinear = 120;

SmallRank Small() {
  SmallRank rank;
  for (const char* name : {"x", "w", "v"}) rank.Attached(name);
  for (const char* name : {"h", "y"}) rank.Scratch(name);
  return rank;
}

// The operator of each run.
std::vector<std::uint32_t> OperatorsOf(SmallRank& small) {
  const Rank rank = small.Build();
  const View view(rank);
  Analyses analyses(view);
  std::vector<std::uint32_t> operators;
  for (std::size_t i = 0; i < analyses.runs().size(); ++i) {
    operators.push_back(analyses.operators().of_run(i));
  }
  return operators;
}

TEST(Runs, JoinConsecutiveEqualTasks) {
  SmallRank small = Small();
  for (int i = 0; i < 3; ++i) small.Task(kNorm, {"x", "w"}, {"h"});
  small.Task(kNorm, {"x", "v"}, {"h"}).Task(kLinear, {"h", "w"}, {"y"});
  const Rank rank = small.Build();
  const View view(rank);
  const Runs runs(view);
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].count, 3u);
  EXPECT_EQ(runs[1].first, TaskId(3));
  EXPECT_EQ(runs.of_task(TaskId(2)), 0u);
  EXPECT_EQ(runs.of_task(TaskId(4)), 2u);
  EXPECT_FALSE(runs.of_task(TaskId(5)));
  ASSERT_EQ(runs.kinds().size(), 2u);
  EXPECT_EQ(runs.kinds()[0].task_count, 4u);
  EXPECT_THAT(runs.kinds()[0].runs, ElementsAre(0u, 1u));
}

TEST(Runs, AreAsManyTasksAsTheGraphHas) {
  const Rank rank = TinyModel().Build();
  const View view(rank);
  const Runs runs(view);
  std::size_t tasks = 0;
  for (const auto& run : runs.all()) tasks += run.count;
  EXPECT_EQ(tasks + 2, view.task_count());
  EXPECT_EQ(runs.size(), 2u + 4u * 10u);
}

TEST(Operators, KeepInterleavedBranchesTogether) {
  SmallRank small = Small();
  for (int i = 0; i < 3; ++i) {
    small.Task(kNorm, {"x", "w"}, {"h"}).Task(kLinear, {"x", "v"}, {"y"});
  }
  EXPECT_THAT(OperatorsOf(small), ElementsAre(0, 1, 0, 1, 0, 1));
}

TEST(Operators, KeepTilesOfOneOutputTogether) {
  SmallRank small = Small();
  for (int i = 0; i < 2; ++i) {
    small.Task(kNorm, {"x", "w"}, {"h"}).Task(kNorm, {"x", "v"}, {"h"});
  }
  EXPECT_THAT(OperatorsOf(small), ElementsAre(0, 1, 0, 1));
}

TEST(Operators, PartWhereTheirResultsWereRead) {
  SmallRank small = Small();
  for (int i = 0; i < 2; ++i) {
    small.Task(kNorm, {"x", "w"}, {"h"}).Task(kLinear, {"h", "w"}, {"y"});
  }
  EXPECT_THAT(OperatorsOf(small), ElementsAre(0, 1, 2, 3));
}

TEST(Operators, StayOneWhereTheyWriteInPlace) {
  SmallRank small = Small();
  small.Task(kLinear, {"x", "w"}, {"h"});
  for (int i = 0; i < 2; ++i) {
    small.Task(kNorm, {"h", "w"}, {"h"}).Task(kLinear, {"x", "v"}, {"y"});
  }
  EXPECT_THAT(OperatorsOf(small), ElementsAre(0, 1, 2, 1, 2));
}

TEST(Operators, KnowWhoseResultsTheyRead) {
  SmallRank small = Small();
  small.Task(kNorm, {"x", "w"}, {"h"}).Task(kNorm, {"x", "v"}, {"h"});
  small.Task(kLinear, {"h", "w"}, {"y"});
  const Rank rank = small.Build();
  const View view(rank);
  Analyses analyses(view);
  const Operators& operators = analyses.operators();
  ASSERT_EQ(operators.size(), 3u);
  EXPECT_THAT(operators[2].sources,
              ElementsAre(ElementsAre(0u, 1u), ElementsAre()));
}

}  // namespace
}  // namespace graph_coverage
