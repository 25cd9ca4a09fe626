// SPDX-License-Identifier: Apache-2.0
//
// Group E: where each rule fires, and where it must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "tests/audit/rules/wired_audit.h"
#include "tests/support/wired_rank.h"

namespace graph_coverage {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(GroupE, IsSilentOnAHealthyRank) {
  EXPECT_THAT(RulesOf(AuditOf(TwoLayers()), "DE"), IsEmpty());
}

TEST(UnorderedRead, NamesBothTasksTheBytesAndTheEdgeThatIsMissing) {
  WiredRank rank = TwoLayers();
  // The norm of the second layer no longer waits for one of the two tiles.
  rank.tasks[4].trigger = EventId::Of(4);
  rank.Wire();
  const Report report = AuditOf(rank);
  ASSERT_THAT(RulesOf(report, "DE"), testing::Contains("unordered-read"));
  const Finding finding = FindingsOf(report, "unordered-read")[0];
  EXPECT_EQ(finding.tensor, "a");
  EXPECT_EQ(finding.found,
            "is read by task 5 (TASK_RMS_NORM) in input slot 0, bytes 16 to "
            "32, and nothing orders that after task 4 (TASK_LINEAR), which "
            "writes them in output slot 0: task 4 waits for event 2 and "
            "triggers event 4, task 5 waits for event 3 and triggers event 4; "
            "no path leads from event 4 to event 3");
}

TEST(UnorderedRead, HangsUnderAnEventThatFiresEarly) {
  WiredRank rank = TwoLayers();
  rank.events[3].num_triggers = 1;
  const Report report = AuditOf(rank);
  ASSERT_THAT(RulesOf(report, "DE"), ElementsAre("trigger-count"));
  EXPECT_THAT(
      FindingsOf(report, "trigger-count")[0].consequences,
      testing::Contains(testing::Field(&Finding::rule, "unordered-read")));

  Policy policy;
  policy.off = {"trigger-count"};
  EXPECT_THAT(RulesOf(AuditOf(rank, policy), "DE"),
              testing::Contains("unordered-read"));
  policy.off = {"unordered-read", "unordered-overwrite"};
  EXPECT_THAT(
      FindingsOf(AuditOf(rank, policy), "trigger-count")[0].consequences,
      IsEmpty());
}

TEST(UnorderedRead, StandsByItselfWhereNoCountExplainsIt) {
  WiredRank rank = TwoLayers();
  rank.events[3].num_triggers = 1;
  // The last reader of the first layer waits for another event as well as can
  // be, so that mending the count orders it no better.
  rank.tasks[5].dependent = EventId::Of(2);
  EXPECT_THAT(RulesOf(AuditOf(rank), "DE"),
              testing::IsSupersetOf({"trigger-count", "unordered-read"}));
}

TEST(UnorderedOverwrite, SeesAReaderThatTheNextWriterDoesNotWaitFor) {
  WiredRank rank = TwoLayers();
  // A reader of h beside the rest: the next writer of h does not wait for it.
  rank.Scratch("z");
  rank.tasks.insert(rank.tasks.begin() + 5, rank.tasks[4]);
  rank.tasks[5].outputs = {"z"};
  rank.tasks[5].trigger = EventId::Of(6);
  rank.tasks[7].inputs[1] = "z";
  rank.tasks[7].dependent = EventId::Of(6);
  rank.tasks[6].trigger = EventId::Of(6);
  rank.Wire();
  const Report report = AuditOf(rank);
  ASSERT_THAT(RulesOf(report, "DE"), ElementsAre("unordered-overwrite"));
  const Finding finding = FindingsOf(report, "unordered-overwrite")[0];
  EXPECT_EQ(finding.tensor, "h");
  EXPECT_THAT(
      finding.found,
      HasSubstr("is written by task 6 (TASK_RMS_NORM) in output slot 0, "
                "bytes 0 to 16, and nothing orders that after task 5 "
                "(TASK_LINEAR), which reads them in input slot 0"));
}

TEST(IndistinctSiblings, AskWhetherTheBranchReadsMetadata) {
  for (const bool metadata : {false, true}) {
    WiredRank rank = TensorsOfTwoLayers();
    rank.source.branches[1].reads_task_metadata = metadata;
    rank.Task(kNorm, {"x", "w"}, {"h"}, kNothing, 2);
    rank.Task(kLinear, {"h", "w"}, {"a"}, 2, 3, 0);
    rank.Task(kLinear, {"h", "w"}, {"a"}, 2, 3, 1);
    rank.Task(kNorm, {"a", "w"}, {"out"}, 3, kEnd);
    const Report report = AuditOf(rank.Wire());
    const std::vector<Finding> found =
        FindingsOf(report, "indistinct-siblings");
    if (metadata) {
      EXPECT_THAT(found, IsEmpty());
      continue;
    }
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].task_type, "TASK_LINEAR");
    EXPECT_EQ(found[0].count, 2u);
  }
}

TEST(IndistinctSiblings, SeeOutputsThatOverlapOrThatInputsDoNotTellApart) {
  WiredRank rank = TwoLayers();
  rank.tasks[4].outputs[0].offset = 8;
  EXPECT_THAT(RulesOf(AuditOf(rank), "DE"),
              testing::Contains("indistinct-siblings"));
  rank = TwoLayers();
  rank.tasks[4].inputs = rank.tasks[3].inputs;
  EXPECT_THAT(RulesOf(AuditOf(rank), "DE"), ElementsAre("indistinct-siblings"));
}

TEST(TwinTasks, AreANote) {
  WiredRank rank = TwoLayers();
  rank.tasks[4] = rank.tasks[3];
  rank.tasks[5].inputs[0] = "a";
  rank.Wire();
  const Report report = AuditOf(rank);
  ASSERT_THAT(RulesOf(report, "DE"), ElementsAre("twin-tasks"));
  EXPECT_EQ(FindingsOf(report, "twin-tasks")[0].severity, Severity::kNote);
}

TEST(TwinWriters, AreANoteWhereTheReaderWaitsForOne) {
  WiredRank rank = TwoLayers();
  rank.Scratch("z");
  rank.tasks[4] = rank.tasks[3];
  rank.tasks[4].trigger = EventId::Of(4);
  rank.tasks[5].inputs[0] = "a";
  rank.tasks[5].outputs[0] = "z";
  rank.tasks[6].inputs[0] = "z";
  rank.Wire();
  EXPECT_THAT(RulesOf(AuditOf(rank), "DE"),
              testing::UnorderedElementsAre("twin-tasks", "twin-writers"));
}

TEST(UninitialisedRead, SeesScratchThatNothingWroteBefore) {
  WiredRank rank = TwoLayers();
  rank.Scratch("never");
  rank.tasks[6].inputs[1] = "never";
  const std::vector<Finding> found =
      FindingsOf(AuditOf(rank.Wire()), "uninitialised-read");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].tensor, "never");
  EXPECT_THAT(found[0].found, HasSubstr("no task writes it"));

  WiredRank partly = TwoLayers();
  partly.tasks.erase(partly.tasks.begin() + 4);
  const std::vector<Finding> hole =
      FindingsOf(AuditOf(partly.Wire()), "uninitialised-read");
  ASSERT_THAT(hole, SizeIs(1));
  EXPECT_THAT(hole[0].found, HasSubstr("nothing wrote bytes 16 to 32 before"));
}

TEST(UninitialisedRead, LeavesWhatAnUnknownTypeMayHaveWritten) {
  WiredRank rank = TensorsOfTwoLayers();
  rank.Scratch("kv").Branch("TASK_OF_A_FORK", {0, 1}, {});
  rank.Task(kNorm, {"x", "w"}, {"h"}, kNothing, 2);
  rank.Task(300, {"h", "kv"}, {}, 2, 3);
  rank.Task(kLinear, {"kv", "w"}, {"out"}, 3, kEnd);
  const Report report = AuditOf(rank.Wire());
  EXPECT_THAT(FindingsOf(report, "uninitialised-read"), IsEmpty());
  for (const RuleOutcome& outcome : report.rules) {
    if (outcome.rule != "uninitialised-read") continue;
    EXPECT_THAT(outcome.could_not_judge, SizeIs(1));
  }
}

TEST(UninitialisedAccumulator, WantsAWriterThatDoesNotAdd) {
  for (const bool zeroed : {false, true}) {
    WiredRank rank = TensorsOfTwoLayers();
    rank.source.branches.clear();
    rank.Branch("TASK_RMS_NORM", {0, 1}, {0});
    rank.Branch("TASK_SPLITK_LINEAR_SM100", {0, 1}, {0});
    rank.Task(kNorm, {"x", "w"}, {"h"}, kNothing, 2);
    rank.Task(kNorm, {"x", "w"}, {zeroed ? "a" : "h"}, 2, 3);
    rank.Task(251, {"h", "w"}, {"a"}, 3, 4);
    rank.Task(kNorm, {"a", "w"}, {"out"}, 4, kEnd);
    EXPECT_THAT(FindingsOf(AuditOf(rank.Wire()), "uninitialised-accumulator"),
                SizeIs(zeroed ? 0 : 1));
  }
}

TEST(OutOfBounds, HoldsTilesToTheAllocation) {
  WiredRank rank = TwoLayers();
  rank.tasks[4].outputs[0].offset = 18;
  const std::vector<Finding> found = FindingsOf(AuditOf(rank), "out-of-bounds");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].found,
            "has a tile from byte 18 to 34 in output slot 0 of TASK_LINEAR");
  rank.tasks[4].outputs[0].offset = -2;
  EXPECT_THAT(FindingsOf(AuditOf(rank), "out-of-bounds"), SizeIs(1));
}

TEST(MisalignedOffset, WantsMultiplesOfTheElement) {
  WiredRank rank = TwoLayers();
  rank.tasks[4].inputs[0].offset = 1;
  EXPECT_THAT(FindingsOf(AuditOf(rank), "misaligned-offset"), SizeIs(1));
}

TEST(EmptyTile, SeesADimOfZero) {
  WiredRank rank = TwoLayers();
  rank.tasks[6].inputs[0].dims = {0};
  const Report report = AuditOf(rank);
  EXPECT_THAT(FindingsOf(report, "empty-tile"), SizeIs(1));
  for (const RuleOutcome& outcome : report.rules) {
    if (outcome.rule != "unordered-read") continue;
    EXPECT_THAT(outcome.could_not_judge,
                ElementsAre(testing::Pair("h: a tile of it is empty", 1)));
  }
}

// The bytes that dims and strides span, and where a tile ends, may be more than
// numbers of 64 bits hold: what wraps around would lie within the tensor.
TEST(EmptyTile, SeesATileThatSpansMoreThanAnAddressCanCount) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t k32Bits = std::int64_t{1} << 32;
  const Tile tiles[] = {Tile("a", 0, {k32Bits, k32Bits}, {k32Bits, 1}),
                        Tile("a", 0, {kMost, kMost}, {kMost, kMost}),
                        Tile("a", 0, {2, 1}, {kMost, 1}),
                        Tile("a", 0, {kMost / 2 + 2}, {1})};
  for (const Tile& tile : tiles) {
    WiredRank rank = TwoLayers();
    rank.tasks[4].outputs[0] = tile;
    const std::vector<Finding> found = FindingsOf(AuditOf(rank), "empty-tile");
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].found,
              "has a tile with dims and strides that span more than 2^63 - 1 "
              "bytes in output slot 0 of TASK_LINEAR");
  }
}

TEST(OutOfBounds, SaysWhereATileNearTheLastByteEnds) {
  WiredRank rank = TwoLayers();
  rank.tasks[4].outputs[0] =
      Tile("a", std::numeric_limits<std::int64_t>::max() - 1, {8}, {1});
  const std::vector<Finding> found = FindingsOf(AuditOf(rank), "out-of-bounds");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].found,
            "has a tile from byte 9223372036854775806 to 9223372036854775822 "
            "in output slot 0 of TASK_LINEAR");
}

TEST(SelfOverlappingTile, LeavesTheTensorOutOfTheRegionRules) {
  WiredRank rank = TwoLayers();
  rank.tasks[5].inputs[0] = Tile("a", 0, {4, 4}, {2, 1});
  rank.tasks[4].trigger = EventId::Of(4);  // else an unordered read
  const Report report = AuditOf(rank.Wire());
  EXPECT_THAT(FindingsOf(report, "self-overlapping-tile"), SizeIs(1));
  EXPECT_THAT(FindingsOf(report, "unordered-read"), IsEmpty());
}

TEST(StaleTile, SeesATileThatTheNewOperatorLeavesOut) {
  const auto layers = [](bool whole) {
    WiredRank rank = TensorsOfTwoLayers();
    rank.Task(kNorm, {"x", "w"}, {{"a", 0, {8}, {1}}}, kNothing, 2);
    rank.Task(kNorm, {"x", "w"}, {{"a", 16, {8}, {1}}}, kNothing, 2);
    rank.Task(kLinear, {{"a", 0, {16}, {1}}, "w"}, {"h"}, 2, 3);
    rank.Task(kNorm, {"x", "w"}, {{"a", 0, {8}, {1}}}, 3, 4);
    if (whole) rank.Task(kNorm, {"x", "w"}, {{"a", 16, {8}, {1}}}, 3, 4);
    rank.Task(kLinear, {{"a", 0, {16}, {1}}, "v"}, {"out"}, 4, kEnd);
    return rank.Wire();
  };
  EXPECT_THAT(FindingsOf(AuditOf(layers(true)), "stale-tile"), IsEmpty());
  const std::vector<Finding> found =
      FindingsOf(AuditOf(layers(false)), "stale-tile");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].found, HasSubstr("bytes 16 to 32 are still of task 3"));
}

TEST(CoverageHole, WantsTheTilesOfAWeightToLeaveNothingOut) {
  const auto tiles = [](std::int64_t second) {
    WiredRank rank = TwoLayers();
    rank.tasks[3].inputs[1] = Tile("x", 0, {8}, {1});
    rank.tasks[4].inputs[1] = Tile("x", second, {8}, {1});
    return rank;
  };
  EXPECT_THAT(FindingsOf(AuditOf(tiles(16)), "coverage-hole"), IsEmpty());
  const std::vector<Finding> found =
      FindingsOf(AuditOf(tiles(32)), "coverage-hole");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].found, HasSubstr("bytes 16 to 32 of 48"));
}

// A put into the other rank's buffer, and the reduce that reads it, twice. The
// second put waits for the reduce of its own rank alone.
WiredRank Exchange(std::uint32_t id) {
  const auto other = static_cast<std::uint16_t>(1 - id);
  WiredRank rank(id);
  rank.source.num_gpus = 2;
  rank.Attached("x").Attached("out").Nvshmem("buffer", 32).Scratch("h");
  rank.Branch("TASK_REDUCE", {0, 1}, {0});
  rank.Branch("TASK_NVSHMEM_ALLGATHER_STRIDED_PUT", {0}, {0}, true);
  const Tile both("buffer", 0, {2, 8}, {8, 1});
  Tile own = both;
  own.offset = 16 * id;
  rank.Task(301, {"x"}, {own}, kNothing, 2);
  rank.Task(107, {"x", both}, {"h"}, 2, 3);
  rank.Task(301, {"h"}, {own}, 3, 4);
  rank.Task(107, {"h", both}, {"out"}, 4, kEnd);
  rank.Wire();
  for (const std::size_t put : {2u, 4u}) {
    EventId& trigger = rank.tasks[put].trigger;
    trigger = EventId::Of(trigger.index(), other, true);
    EventId& waits = rank.tasks[put + 1].dependent;
    waits = EventId::Of(waits.index(), waits.gpu(), true);
  }
  return rank;
}

TEST(CrossRankOverwrite, SeesAPutThatDoesNotWaitForTheOtherRank) {
  const auto audit = [](const std::vector<WiredRank>& wired) {
    std::vector<Rank> ranks;
    for (const WiredRank& rank : wired) ranks.push_back(rank.Build());
    return AuditRanks("small", ranks, {});
  };
  std::vector<WiredRank> wired = {Exchange(0), Exchange(1)};
  const Report report = audit(wired);
  ASSERT_THAT(RulesOf(report, "DE"), ElementsAre("cross-rank-overwrite"));
  const Finding finding = FindingsOf(report, "cross-rank-overwrite")[0];
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(finding.tensor, "buffer");
  EXPECT_THAT(finding.ranks, ElementsAre(RankId{0}, RankId{1}));
  EXPECT_THAT(finding.found,
              HasSubstr("of rank 0 is written by task 4 "
                        "(TASK_NVSHMEM_ALLGATHER_STRIDED_PUT) of rank 1"));

  // The reduce signals the rank that puts next, rather than its own.
  for (WiredRank& rank : wired) {
    const auto other = static_cast<std::uint16_t>(1 - Index(rank.id));
    rank.tasks[3].trigger = EventId::Of(3, other, true);
    rank.tasks[4].dependent =
        EventId::Of(3, static_cast<std::uint16_t>(Index(rank.id)), true);
  }
  EXPECT_THAT(RulesOf(audit(wired), "DE"), IsEmpty());

  // One rank alone cannot tell.
  const Report alone = audit({Exchange(0)});
  EXPECT_THAT(RulesOf(alone, "DE"), IsEmpty());
  for (const RuleOutcome& outcome : alone.rules) {
    if (outcome.rule != "cross-rank-overwrite") continue;
    EXPECT_THAT(outcome.could_not_judge, SizeIs(1));
  }
}

TEST(UnknownType, MayPutIntoSymmetricMemory) {
  const auto audit = [](bool known, bool symmetric) {
    std::vector<Rank> ranks;
    for (const std::uint32_t id : {0u, 1u}) {
      WiredRank rank = Exchange(id);
      for (Declaration& declaration : rank.source.declarations) {
        if (declaration.name == "buffer" && !symmetric) {
          declaration.kind = TensorKind::kScratch;
        }
      }
      for (Branch& branch : rank.source.branches) {
        if (branch.type == "TASK_NVSHMEM_ALLGATHER_STRIDED_PUT" && !known) {
          branch.type = "TASK_OF_A_FORK_PUT";
        }
      }
      ranks.push_back(rank.Build());
    }
    return AuditRanks("small", ranks, {});
  };
  EXPECT_THAT(RulesOf(audit(true, true), "DE"),
              ElementsAre("cross-rank-overwrite"));
  const Report report = audit(false, true);
  EXPECT_THAT(RulesOf(report, "DE"), IsEmpty());
  EXPECT_THAT(FindingsOf(report, "rank-difference"), IsEmpty());
  const Report own = audit(false, false);
  EXPECT_THAT(RulesOf(own, "DE"), Contains("uninitialised-read"));
  EXPECT_THAT(FindingsOf(own, "rank-difference"), SizeIs(1));
}

TEST(DtypeMismatch, NamesWriterAndReader) {
  WiredRank rank = TwoLayers();
  rank.tasks[6].inputs[0].data_type = DataType::kFp16;
  const std::vector<Finding> found =
      FindingsOf(AuditOf(rank), "dtype-mismatch");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].tensor, "h");
}

}  // namespace
}  // namespace graph_coverage
