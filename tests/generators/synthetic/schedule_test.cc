// SPDX-License-Identifier: Apache-2.0
//
// Events of forks, joins and diamonds, as the artifacts show them.
#include <gmock/gmock.h>

#include "graph_coverage/synthetic/shapes.h"
#include "graph_coverage/synthetic/write.h"
#include "tests/generators/synthetic/naive_gendir.h"
#include "tests/generators/synthetic/naive_order.h"

namespace graph_coverage::synthetic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr DataType kBf16 = DataType::kBf16;

class Schedules : public ::testing::Test {
 protected:
  TensorRef Input(const std::string& name) {
    return program_.Attach(name, kBf16, {4, 32});
  }
  // Norms `from` row by row.
  TensorRef Norm(TensorRef from, const std::string& name) {
    const TensorRef to = program_.Scratch(name, kBf16, {4, 32});
    program_.Add(
        {"TASK_RMS_NORM",
         {4},
         {Tile(from, {0}), Tile(program_.Attach("w_" + name, kBf16, {32}))},
         {Tile(to, {0})},
         Indexing::kBlock,
         {}});
    return to;
  }
  TensorRef Linear(TensorRef from, const std::string& name) {
    const TensorRef to = program_.Scratch(name, kBf16, {4, 32});
    program_.Add(
        {"TASK_LINEAR",
         {8},
         {Tile(from), Tile(program_.Attach("w_" + name, kBf16, {32, 32}), {0})},
         {Tile(to, {1})},
         Indexing::kBlock,
         {}});
    return to;
  }
  TensorRef Join(TensorRef a, TensorRef b, const std::string& name) {
    const TensorRef to = program_.Scratch(name, kBf16, {4, 32});
    program_.Add(
        {"TASK_LINEAR_WITH_RESIDUAL",
         {8},
         {Tile(a), Tile(program_.Attach("w_" + name, kBf16, {32, 32}), {0}),
          Tile(b, {1})},
         {Tile(to, {1})},
         Indexing::kBlock,
         {}});
    return to;
  }
  NaiveRank Read() const {
    const Gendir gendir = MakeGendir(program_, "model");
    const NaiveRank rank = ReadNaively(ContentOf(gendir, "kernel_0.cu"),
                                       ContentOf(gendir, "task_graph_0.json"));
    EXPECT_THAT(EventFaults(rank), IsEmpty());
    EXPECT_THAT(MemoryFaults(rank), IsEmpty());
    return rank;
  }
  static std::vector<std::uint64_t> Triggers(const NaiveRank& rank) {
    std::vector<std::uint64_t> counts;
    for (const NaiveEvent& event : rank.events)
      counts.push_back(event.triggers);
    return counts;
  }

  Program program_;
};

TEST_F(Schedules, ForkHasOneEventForBothBranches) {
  program_ = ForkProgram();
  // Termination, launch, the norm's, the end by both leaves.
  EXPECT_THAT(Triggers(Read()), ElementsAre(1, 1, 4, 16));
}

TEST_F(Schedules, JoinHasOneEventOfBothProducers) {
  program_ = JoinProgram();
  const NaiveRank rank = Read();
  EXPECT_THAT(Triggers(rank), ElementsAre(1, 1, 8, 8));
  EXPECT_EQ(rank.first_tasks.size(), 8u);
}

TEST_F(Schedules, DiamondJoinsItsBranches) {
  program_ = DiamondProgram();
  EXPECT_THAT(Triggers(Read()), ElementsAre(1, 1, 4, 16, 8));
}

TEST_F(Schedules, TilesThatPairUpHaveEventsOfTheirOwn) {
  const TensorRef a = Norm(Input("x"), "a");
  Norm(a, "b");
  EXPECT_THAT(Triggers(Read()), ElementsAre(1, 1, 1, 1, 1, 1, 4));
}

// The last operator overwrites, in columns, what the rows of the first read:
// its rows' events would not tell it that all of these are done.
TEST_F(Schedules, PairsAreGivenUpWhereOrderWouldBeLost) {
  const TensorRef x = program_.Scratch("x", kBf16, {4, 32});
  Norm(Norm(Norm(Input("y"), "x"), "a"), "b");
  program_.Add({"TASK_SILU_MUL",
                {4},
                {Tile(program_.Scratch("b", kBf16, {4, 32}), {0})},
                {Tile(x, {1})},
                Indexing::kBlock,
                {}});
  const NaiveRank rank = Read();
  // Three norms row by row; between the last two events a row no longer does.
  EXPECT_THAT(Triggers(rank), ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4));
}

// A needs-both whose first producer already has a waiter.
TEST_F(Schedules, LateJoinWaitsForEverythingBefore) {
  const TensorRef a = Norm(Input("x"), "a");
  const TensorRef b = Linear(a, "b");
  const TensorRef c = Linear(Input("y"), "c");
  const TensorRef d = Join(a, c, "d");
  Join(d, b, "e");
  Read();
}

TEST_F(Schedules, SharedScratchIsOverwrittenAfterItsReaders) {
  TensorRef x = Input("x");
  for (int layer = 0; layer < 3; ++layer) {
    const TensorRef normed = Norm(x, "shared");
    x = Linear(normed, layer % 2 == 0 ? "even" : "odd");
  }
  Read();
}

TEST_F(Schedules, LeavesAllTriggerTheEnd) {
  Norm(Input("x"), "a");
  Norm(Input("y"), "b");
  EXPECT_THAT(Triggers(Read()), ElementsAre(1, 1, 8));
}

}  // namespace
}  // namespace graph_coverage::synthetic
