// SPDX-License-Identifier: Apache-2.0
//
// What the builder makes is healthy: judged naively, on many small models.
#include <gmock/gmock.h>

#include "graph_coverage/synthetic/presets.h"
#include "tests/generators/synthetic/naive_gendir.h"
#include "tests/generators/synthetic/naive_order.h"
#include "tests/generators/synthetic/random_model.h"

namespace graph_coverage::synthetic {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

void ExpectHealthy(const Program& program, const WriteOptions& options) {
  const Gendir gendir = MakeGendir(program, "model", options);
  for (std::uint32_t rank = 0; rank < program.ranks; ++rank) {
    const NaiveRank read =
        ReadNaively(ContentOf(gendir, KernelFileName(options.naming, rank)),
                    ContentOf(gendir, GraphFileName(options.naming, rank)));
    EXPECT_THAT(EventFaults(read), IsEmpty()) << "rank " << rank;
    EXPECT_THAT(OperandFaults(read), IsEmpty()) << "rank " << rank;
    // Without offsets or a chain the bytes cannot be judged.
    const FormatFacts facts = FactsOf(options.version);
    if (!facts.block_offsets && facts.variant_id && facts.request_id) {
      EXPECT_THAT(MemoryFaults(read), IsEmpty()) << "rank " << rank;
    }
  }
}

class RandomModels : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomModels, AreHealthy) {
  constexpr std::uint64_t kEach = 10;
  for (std::uint64_t i = 0; i < kEach; ++i) {
    const std::uint64_t seed = GetParam() * kEach + i;
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const RandomGendir random = RandomModel(seed);
    SCOPED_TRACE(ToString(random.options.version));
    ExpectHealthy(BuildModel(random.model), random.options);
    if (HasFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomModels,
                         ::testing::Range<std::uint64_t>(0, 12));

TEST(Toys, AreHealthy) {
  ExpectHealthy(BuildModel(Toy()), {});
  ExpectHealthy(BuildModel(ToyExperts()), {});
  ExpectHealthy(BuildModel(ToyLatent()), {});
  ExpectHealthy(BuildModel(ToyLatent(2)), {});
}

TEST(Toys, AreSmall) {
  const Gendir gendir = MakeGendir(BuildModel(Toy()), "toy");
  EXPECT_LT(ContentOf(gendir, "task_graph_0.json").size(), 500'000u);
}

// The judge itself sees faults.
class NaiveJudge : public ::testing::Test {
 protected:
  NaiveRank Read() const {
    const Gendir gendir = MakeGendir(BuildModel(ToyLatent(2)), "toy");
    return ReadNaively(ContentOf(gendir, "kernel_0.cu"),
                       ContentOf(gendir, "task_graph_0.json"));
  }
};

TEST_F(NaiveJudge, SeesMiscountedEvents) {
  NaiveRank rank = Read();
  ++rank.events[5].triggers;
  EXPECT_THAT(EventFaults(rank), ::testing::HasSubstr("wants"));
  EXPECT_THAT(EventFaults(rank), ::testing::HasSubstr("does not end"));
}

TEST_F(NaiveJudge, SeesLostOrder) {
  const NaiveRank rank = Read();
  for (std::size_t t = 3; t < rank.tasks.size(); t += 16) {
    NaiveRank mutant = rank;
    mutant.tasks[t].dependent = mutant.tasks[2].dependent;
    EXPECT_THAT(MemoryFaults(mutant), Not(IsEmpty())) << "task " << t;
  }
}

TEST_F(NaiveJudge, SeesTilesOutOfBounds) {
  NaiveRank rank = Read();
  rank.tasks[3].outputs[0].offset += 1 << 20;
  EXPECT_THAT(OperandFaults(rank), ::testing::HasSubstr("reaches byte"));
}

}  // namespace
}  // namespace graph_coverage::synthetic
