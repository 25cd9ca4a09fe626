// SPDX-License-Identifier: Apache-2.0
//
// Group E, and what ends a graph: where each rule fires, and where it must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/catalogue.h"
#include "tests/support/wired_rank.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint32_t kNorm = 119;
constexpr std::uint32_t kLinear = 120;
constexpr std::uint32_t kNothing = WiredRank::kNothing;
constexpr std::uint32_t kEnd = WiredRank::kEnd;

WiredRank Tensors() {
  WiredRank rank;
  rank.Attached("x").Attached("w").Attached("v").Attached("out");
  rank.Scratch("h").Scratch("a", 32);
  rank.Branch("TASK_RMS_NORM", {0, 1}, {0}).Branch("TASK_LINEAR", {0, 1}, {0});
  return rank;
}

// Two layers that share the buffers h and a.
WiredRank Healthy() {
  WiredRank rank = Tensors();
  rank.Task(kNorm, {"x", "w"}, {"h"}, kNothing, 2);
  rank.Task(kLinear, {"h", "w"}, {{"a", 0, {8}, {1}}}, 2, 3);
  rank.Task(kLinear, {"h", {"w", 16, {8}, {1}}}, {{"a", 16, {8}, {1}}}, 2, 3);
  rank.Task(kNorm, {{"a", 0, {16}, {1}}, "v"}, {"h"}, 3, 4);
  rank.Task(kLinear, {"h", "x"}, {"out"}, 4, kEnd);
  return rank.Wire();
}

Report AuditOf(const WiredRank& rank, const Policy& policy = {}) {
  std::vector<Rank> ranks;
  ranks.push_back(rank.Build());
  AuditOptions options;
  options.policy = policy;
  return AuditRanks("small", ranks, options);
}

std::vector<Finding> Of(const Report& report, const std::string& rule) {
  std::vector<Finding> found;
  for (const Finding& finding : report.findings) {
    if (finding.rule == rule) found.push_back(finding);
  }
  return found;
}

std::vector<std::string> RulesOf(const Report& report) {
  std::vector<std::string> rules;
  for (const Finding& finding : report.findings) {
    const char group = FindRule(finding.rule)->group;
    if (group == 'D' || group == 'E') rules.push_back(finding.rule);
  }
  return rules;
}

TEST(GroupE, IsSilentOnAHealthyRank) {
  EXPECT_THAT(RulesOf(AuditOf(Healthy())), IsEmpty());
}

TEST(UnorderedRead, NamesBothTasksTheBytesAndTheEdgeThatIsMissing) {
  WiredRank rank = Healthy();
  // The norm of the second layer no longer waits for one of the two tiles.
  rank.tasks[4].trigger = EventId::Of(4);
  rank.Wire();
  const Report report = AuditOf(rank);
  ASSERT_THAT(RulesOf(report), testing::Contains("unordered-read"));
  const Finding finding = Of(report, "unordered-read")[0];
  EXPECT_EQ(finding.tensor, "a");
  EXPECT_EQ(finding.found,
            "is read by task 5 (TASK_RMS_NORM) in input slot 0, bytes 16 to "
            "32, and nothing orders that after task 4 (TASK_LINEAR), which "
            "writes them in output slot 0: task 4 waits for event 2 and "
            "triggers event 4, task 5 waits for event 3 and triggers event 4; "
            "no path leads from event 4 to event 3");
}

TEST(UnorderedRead, TakesAnEventThatFiresEarlyForNoOrder) {
  WiredRank rank = Healthy();
  rank.events[3].num_triggers = 1;
  EXPECT_THAT(RulesOf(AuditOf(rank)),
              testing::IsSupersetOf({"trigger-count", "unordered-read"}));
}

TEST(UnorderedOverwrite, SeesAReaderThatTheNextWriterDoesNotWaitFor) {
  WiredRank rank = Healthy();
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
  ASSERT_THAT(RulesOf(report), ElementsAre("unordered-overwrite"));
  const Finding finding = Of(report, "unordered-overwrite")[0];
  EXPECT_EQ(finding.tensor, "h");
  EXPECT_THAT(
      finding.found,
      HasSubstr("is written by task 6 (TASK_RMS_NORM) in output slot 0, "
                "bytes 0 to 16, and nothing orders that after task 5 "
                "(TASK_LINEAR), which reads them in input slot 0"));
}

// An operator that ends the graph though the next reads what it wrote.
WiredRank Leaf() {
  WiredRank rank = Tensors();
  rank.Scratch("kv");
  rank.Branch("TASK_MLA_KV_GATHER_SM100", {0, 1, 2, 3}, {}, true);
  rank.Attached("cache_0").Attached("cache_1");
  std::uint32_t event = 2;
  for (const char* cache : {"cache_0", "cache_1"}) {
    rank.Task(kNorm, {"x", "w"}, {"h"}, event == 2 ? kNothing : event - 1,
              event);
    rank.Task(278, {"h", "h", cache, "kv"}, {}, event, kEnd, 0);
    rank.Task(kLinear, {"kv", "v"}, {"a"}, event, event + 1);
    event += 2;
  }
  rank.Task(kNorm, {"a", "v"}, {"out"}, event - 1, kEnd);
  return rank.Wire();
}

TEST(LeafOperation, IsTheRootOfWhatItsMendWouldOrder) {
  const Report report = AuditOf(Leaf());
  EXPECT_THAT(RulesOf(report), testing::UnorderedElementsAre("leaf-operation",
                                                             "several-leaves"));
  const Finding root = Of(report, "leaf-operation")[0];
  EXPECT_EQ(root.task_type, "TASK_MLA_KV_GATHER_SM100");
  EXPECT_EQ(root.count, 2u);
  EXPECT_THAT(root.found, HasSubstr("writes kv through input slot 3"));
  std::vector<std::string> consequences;
  for (const Finding& finding : root.consequences) {
    consequences.push_back(finding.rule + " " + finding.tensor);
  }
  EXPECT_THAT(consequences, testing::UnorderedElementsAre(
                                "unordered-read kv", "unordered-overwrite kv",
                                "unordered-overwrite h"));
}

TEST(LeafOperation, LeavesTheRacesTheirOwnWhereItIsOff) {
  Policy policy;
  policy.off = {"leaf-operation"};
  EXPECT_THAT(RulesOf(AuditOf(Leaf(), policy)),
              testing::IsSupersetOf({"unordered-read", "unordered-overwrite"}));
}

TEST(LeafOperation, SeesThatOthersOfItsTypeAreWaitedFor) {
  WiredRank rank = Healthy();
  rank.tasks[4].trigger = EventId::Of(5);  // the end
  rank.events[3].num_triggers = 1;
  rank.events[5].num_triggers = 2;
  const std::vector<Finding> found = Of(AuditOf(rank), "leaf-operation");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].task_type, "TASK_LINEAR");
}

TEST(SeveralLeaves, IsANote) {
  WiredRank rank = Healthy();
  rank.Attached("other").Task(kNorm, {"h", "w"}, {"other"}, 4, kEnd);
  rank.Wire();
  const std::vector<Finding> found = Of(AuditOf(rank), "several-leaves");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].severity, Severity::kNote);
}

TEST(IndistinctSiblings, AskWhetherTheBranchReadsMetadata) {
  for (const bool metadata : {false, true}) {
    WiredRank rank = Tensors();
    rank.source.branches[1].reads_task_metadata = metadata;
    rank.Task(kNorm, {"x", "w"}, {"h"}, kNothing, 2);
    rank.Task(kLinear, {"h", "w"}, {"a"}, 2, 3, 0);
    rank.Task(kLinear, {"h", "w"}, {"a"}, 2, 3, 1);
    rank.Task(kNorm, {"a", "w"}, {"out"}, 3, kEnd);
    const Report report = AuditOf(rank.Wire());
    const std::vector<Finding> found = Of(report, "indistinct-siblings");
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
  WiredRank rank = Healthy();
  rank.tasks[4].outputs[0].offset = 8;
  EXPECT_THAT(RulesOf(AuditOf(rank)), testing::Contains("indistinct-siblings"));
  rank = Healthy();
  rank.tasks[4].inputs = rank.tasks[3].inputs;
  EXPECT_THAT(RulesOf(AuditOf(rank)), ElementsAre("indistinct-siblings"));
}

TEST(TwinTasks, AreANote) {
  WiredRank rank = Healthy();
  rank.tasks[4] = rank.tasks[3];
  rank.tasks[5].inputs[0] = "a";
  rank.Wire();
  const Report report = AuditOf(rank);
  ASSERT_THAT(RulesOf(report), ElementsAre("twin-tasks"));
  EXPECT_EQ(Of(report, "twin-tasks")[0].severity, Severity::kNote);
}

TEST(TwinWriters, AreANoteWhereTheReaderWaitsForOne) {
  WiredRank rank = Healthy();
  rank.Scratch("z");
  rank.tasks[4] = rank.tasks[3];
  rank.tasks[4].trigger = EventId::Of(4);
  rank.tasks[5].inputs[0] = "a";
  rank.tasks[5].outputs[0] = "z";
  rank.tasks[6].inputs[0] = "z";
  rank.Wire();
  EXPECT_THAT(RulesOf(AuditOf(rank)),
              testing::UnorderedElementsAre("twin-tasks", "twin-writers"));
}

TEST(UninitialisedRead, SeesScratchThatNothingWroteBefore) {
  WiredRank rank = Healthy();
  rank.Scratch("never");
  rank.tasks[6].inputs[1] = "never";
  const std::vector<Finding> found =
      Of(AuditOf(rank.Wire()), "uninitialised-read");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].tensor, "never");
  EXPECT_THAT(found[0].found, HasSubstr("no task writes it"));

  WiredRank partly = Healthy();
  partly.tasks.erase(partly.tasks.begin() + 4);
  const std::vector<Finding> hole =
      Of(AuditOf(partly.Wire()), "uninitialised-read");
  ASSERT_THAT(hole, SizeIs(1));
  EXPECT_THAT(hole[0].found, HasSubstr("nothing wrote bytes 16 to 32 before"));
}

TEST(UninitialisedRead, LeavesWhatAnUnknownTypeMayHaveWritten) {
  WiredRank rank = Tensors();
  rank.Scratch("kv").Branch("TASK_OF_A_FORK", {0, 1}, {});
  rank.Task(kNorm, {"x", "w"}, {"h"}, kNothing, 2);
  rank.Task(300, {"h", "kv"}, {}, 2, 3);
  rank.Task(kLinear, {"kv", "w"}, {"out"}, 3, kEnd);
  const Report report = AuditOf(rank.Wire());
  EXPECT_THAT(Of(report, "uninitialised-read"), IsEmpty());
  for (const RuleOutcome& outcome : report.rules) {
    if (outcome.rule != "uninitialised-read") continue;
    EXPECT_THAT(outcome.could_not_judge, SizeIs(1));
  }
}

TEST(UninitialisedAccumulator, WantsAWriterThatDoesNotAdd) {
  for (const bool zeroed : {false, true}) {
    WiredRank rank = Tensors();
    rank.source.branches.clear();
    rank.Branch("TASK_RMS_NORM", {0, 1}, {0});
    rank.Branch("TASK_SPLITK_LINEAR_SM100", {0, 1}, {0});
    rank.Task(kNorm, {"x", "w"}, {"h"}, kNothing, 2);
    rank.Task(kNorm, {"x", "w"}, {zeroed ? "a" : "h"}, 2, 3);
    rank.Task(251, {"h", "w"}, {"a"}, 3, 4);
    rank.Task(kNorm, {"a", "w"}, {"out"}, 4, kEnd);
    EXPECT_THAT(Of(AuditOf(rank.Wire()), "uninitialised-accumulator"),
                SizeIs(zeroed ? 0 : 1));
  }
}

TEST(OutOfBounds, HoldsTilesToTheAllocation) {
  WiredRank rank = Healthy();
  rank.tasks[4].outputs[0].offset = 18;
  const std::vector<Finding> found = Of(AuditOf(rank), "out-of-bounds");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].found,
            "has a tile from byte 18 to 34 in output slot 0 of TASK_LINEAR");
  rank.tasks[4].outputs[0].offset = -2;
  EXPECT_THAT(Of(AuditOf(rank), "out-of-bounds"), SizeIs(1));
}

TEST(MisalignedOffset, WantsMultiplesOfTheElement) {
  WiredRank rank = Healthy();
  rank.tasks[4].inputs[0].offset = 1;
  EXPECT_THAT(Of(AuditOf(rank), "misaligned-offset"), SizeIs(1));
}

TEST(EmptyTile, SeesADimOfZero) {
  WiredRank rank = Healthy();
  rank.tasks[6].inputs[0].dims = {0};
  const Report report = AuditOf(rank);
  EXPECT_THAT(Of(report, "empty-tile"), SizeIs(1));
  for (const RuleOutcome& outcome : report.rules) {
    if (outcome.rule != "unordered-read") continue;
    EXPECT_THAT(outcome.could_not_judge,
                ElementsAre(testing::Pair("h: a tile of it is empty", 1)));
  }
}

TEST(SelfOverlappingTile, LeavesTheTensorOutOfTheRegionRules) {
  WiredRank rank = Healthy();
  rank.tasks[5].inputs[0] = Tile("a", 0, {4, 4}, {2, 1});
  rank.tasks[4].trigger = EventId::Of(4);  // else an unordered read
  const Report report = AuditOf(rank.Wire());
  EXPECT_THAT(Of(report, "self-overlapping-tile"), SizeIs(1));
  EXPECT_THAT(Of(report, "unordered-read"), IsEmpty());
}

TEST(StaleTile, SeesATileThatTheNewOperatorLeavesOut) {
  const auto layers = [](bool whole) {
    WiredRank rank = Tensors();
    rank.Task(kNorm, {"x", "w"}, {{"a", 0, {8}, {1}}}, kNothing, 2);
    rank.Task(kNorm, {"x", "w"}, {{"a", 16, {8}, {1}}}, kNothing, 2);
    rank.Task(kLinear, {{"a", 0, {16}, {1}}, "w"}, {"h"}, 2, 3);
    rank.Task(kNorm, {"x", "w"}, {{"a", 0, {8}, {1}}}, 3, 4);
    if (whole) rank.Task(kNorm, {"x", "w"}, {{"a", 16, {8}, {1}}}, 3, 4);
    rank.Task(kLinear, {{"a", 0, {16}, {1}}, "v"}, {"out"}, 4, kEnd);
    return rank.Wire();
  };
  EXPECT_THAT(Of(AuditOf(layers(true)), "stale-tile"), IsEmpty());
  const std::vector<Finding> found = Of(AuditOf(layers(false)), "stale-tile");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].found, HasSubstr("bytes 16 to 32 are still of task 3"));
}

TEST(CoverageHole, WantsTheTilesOfAWeightToLeaveNothingOut) {
  const auto tiles = [](std::int64_t second) {
    WiredRank rank = Healthy();
    rank.tasks[3].inputs[1] = Tile("x", 0, {8}, {1});
    rank.tasks[4].inputs[1] = Tile("x", second, {8}, {1});
    return rank;
  };
  EXPECT_THAT(Of(AuditOf(tiles(16)), "coverage-hole"), IsEmpty());
  const std::vector<Finding> found = Of(AuditOf(tiles(32)), "coverage-hole");
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
  ASSERT_THAT(RulesOf(report), ElementsAre("cross-rank-overwrite"));
  const Finding finding = Of(report, "cross-rank-overwrite")[0];
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
  EXPECT_THAT(RulesOf(audit(wired)), IsEmpty());

  // One rank alone cannot tell.
  const Report alone = audit({Exchange(0)});
  EXPECT_THAT(RulesOf(alone), IsEmpty());
  for (const RuleOutcome& outcome : alone.rules) {
    if (outcome.rule != "cross-rank-overwrite") continue;
    EXPECT_THAT(outcome.could_not_judge, SizeIs(1));
  }
}

TEST(DtypeMismatch, NamesWriterAndReader) {
  WiredRank rank = Healthy();
  rank.tasks[6].inputs[0].data_type = DataType::kFp16;
  const std::vector<Finding> found = Of(AuditOf(rank), "dtype-mismatch");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].tensor, "h");
}

}  // namespace
}  // namespace graph_coverage
