// SPDX-License-Identifier: Apache-2.0
//
// Group D: where each rule fires, and where it must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/catalogue.h"
#include "tests/audit/rules/wired_audit.h"
#include "tests/support/wired_rank.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A norm, two linear tasks that wait for it, and a norm that waits for both.
WiredRank Healthy() {
  WiredRank rank;
  rank.Attached("x").Attached("w").Attached("out");
  rank.Scratch("h").Scratch("a", 32);
  rank.Branch("TASK_RMS_NORM", {0, 1}, {0}).Branch("TASK_LINEAR", {0, 1}, {0});
  rank.Task(kNorm, {"x", "w"}, {"h"}, kNothing, 2);
  rank.Task(kLinear, {"h", "w"}, {{"a", 0, {8}, {1}}}, 2, 3);
  rank.Task(kLinear, {"h", "x"}, {{"a", 16, {8}, {1}}}, 2, 3);
  rank.Task(kNorm, {{"a", 0, {16}, {1}}, "w"}, {"out"}, 3, kEnd);
  return rank.Wire();
}

TEST(GroupD, IsSilentOnAHealthyRank) {
  EXPECT_THAT(RulesOf(AuditOf(Healthy()), "D"), IsEmpty());
}

TEST(GroupD, SaysThatItCannotJudgeAGraphWithoutEvents) {
  WiredRank rank = Healthy();
  rank.events.clear();
  for (WiredTask& task : rank.tasks) task.dependent = task.trigger = EventId();
  const Report report = AuditOf(rank);
  EXPECT_THAT(RulesOf(report, "D"), IsEmpty());
  for (const RuleOutcome& outcome : report.rules) {
    if (outcome.rule != "no-trigger") continue;
    EXPECT_THAT(outcome.could_not_judge,
                ElementsAre(testing::Pair("the task graph has no events", 6)));
  }
}

TEST(TriggerCount, HangsTheStarvedTasksUnderTheCountThatStarvesThem) {
  WiredRank rank = Healthy();
  rank.events[3].num_triggers = 4;
  const Report report = AuditOf(rank);
  ASSERT_THAT(RulesOf(report, "D"), ElementsAre("trigger-count"));
  const Finding root = FindingsOf(report, "trigger-count")[0];
  EXPECT_EQ(root.message(),
            "event 3 demands 4 triggers, 2 tasks trigger it (TASK_LINEAR): "
            "TASK_RMS_NORM waits for ever; expected as many triggers as tasks "
            "that trigger it. Let the generator count each task that triggers "
            "the event once; a join must count tasks, not edges.");
  EXPECT_EQ(root.event, 3u);
  EXPECT_EQ(root.count, 1u);
  ASSERT_THAT(root.consequences, SizeIs(1));
  const Finding& starved = root.consequences[0];
  EXPECT_EQ(starved.rule, "starved-task");
  EXPECT_EQ(starved.count, 1u);
  EXPECT_EQ(starved.event, 3u);
  EXPECT_EQ(Index(starved.tasks[0].first), 5u);
  EXPECT_THAT(starved.found, HasSubstr("1 task never run"));
}

TEST(TriggerCount, SaysThatTooFewOrderNothing) {
  WiredRank rank = Healthy();
  rank.events[3].num_triggers = 1;
  const Report report = AuditOf(rank);
  ASSERT_THAT(RulesOf(report, "D"), ElementsAre("trigger-count"));
  EXPECT_THAT(FindingsOf(report, "trigger-count")[0].found,
              HasSubstr("nothing is ordered by it"));
  // What it leaves without order, but no task that starves.
  EXPECT_THAT(FindingsOf(report, "trigger-count")[0].consequences,
              ElementsAre(testing::Field(&Finding::rule, "unordered-read")));
}

TEST(TriggerCount, LeavesTheStarvedTasksTheirOwnWhereItIsOff) {
  WiredRank rank = Healthy();
  rank.events[3].num_triggers = 4;
  Policy policy;
  policy.off = {"trigger-count"};
  EXPECT_THAT(RulesOf(AuditOf(rank, policy), "D"), ElementsAre("starved-task"));
  policy.off = {"starved-task"};
  const Report report = AuditOf(rank, policy);
  EXPECT_THAT(RulesOf(report, "D"), ElementsAre("trigger-count"));
  EXPECT_THAT(FindingsOf(report, "trigger-count")[0].consequences, IsEmpty());
}

TEST(StarvedTask, SeesATaskThatIsNeverLaunched) {
  WiredRank rank = Healthy();
  rank.events[1].last_task = 5;
  const Report report = AuditOf(rank);
  EXPECT_THAT(RulesOf(report, "D"), ElementsAre("starved-task"));
  EXPECT_EQ(FindingsOf(report, "starved-task")[0].count, 1u);
}

TEST(EventRange, NamesTheEventWhoseRangeIsAnother) {
  WiredRank rank = Healthy();
  rank.events[2].last_task = 4;
  const Report report = AuditOf(rank);
  EXPECT_THAT(RulesOf(report, "D"), ElementsAre("event-range"));
  EXPECT_EQ(FindingsOf(report, "event-range")[0].event, 2u);
}

TEST(BadEventId, NamesWhatCannotBe) {
  const struct {
    EventId id;
    bool trigger;
    const char* found;
  } cases[] = {
      {EventId::Of(9), true, "trigger_event names event 9 of 5"},
      {EventId::Of(2, 1), true,
       "trigger_event names rank 1 without the NVSHMEM tag"},
      {EventId::Of(2, 0, true), true,
       "trigger_event has the NVSHMEM tag and names this rank as the target"},
      {EventId(EventId::Of(2).raw() | 1ull << 50), false,
       "dependent_event has bits that mean nothing: 0x4000000000002"},
      {EventId::Of(2, 0, true), false,
       "dependent_event has the NVSHMEM tag, and no remote task triggers the "
       "event"},
      {EventId::Of(4), false,
       "dependent_event waits for event 4, which ends the graph"},
  };
  for (const auto& bad : cases) {
    WiredRank rank = Healthy();
    (bad.trigger ? rank.tasks[2].trigger : rank.tasks[3].dependent) = bad.id;
    const std::vector<Finding> found =
        FindingsOf(AuditOf(rank), "bad-event-id");
    ASSERT_THAT(found, SizeIs(1)) << bad.found;
    EXPECT_EQ(found[0].found, bad.found);
  }
}

TEST(GroupD, TakesNumbersAsLargeAs64BitsHold) {
  constexpr std::uint64_t kLargest = UINT64_MAX;
  constexpr const char* kShown = "18446744073709551615";
  WiredRank rank = Healthy();
  rank.tasks[2].trigger = EventId(kLargest);
  rank.tasks[4].dependent = EventId(kLargest);
  std::vector<Finding> found = FindingsOf(AuditOf(rank), "bad-event-id");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].found,
            "trigger_event has bits that mean nothing: 0xffffffffffffffff");
  EXPECT_EQ(found[1].found,
            "dependent_event has bits that mean nothing: 0xffffffffffffffff");

  for (const bool first : {false, true}) {
    rank = Healthy();
    if (first) rank.events[2].first_task = kLargest - 1;
    rank.events[2].last_task = kLargest;
    found = FindingsOf(AuditOf(rank), "event-range");
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].event, 2u);
    EXPECT_THAT(found[0].found, HasSubstr(kShown));
  }

  for (const std::size_t event : {2, 3}) {
    rank = Healthy();
    rank.events[event].num_triggers = kLargest;
    found = FindingsOf(AuditOf(rank), "trigger-count");
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].event, event);
    EXPECT_THAT(found[0].found,
                HasSubstr(std::string("demands ") + kShown + " triggers"));
    EXPECT_THAT(found[0].consequences, SizeIs(1));
  }
}

TEST(NoTrigger, NamesTheTask) {
  WiredRank rank = Healthy();
  rank.tasks[5].trigger = EventId();
  const std::vector<Finding> found = FindingsOf(AuditOf(rank), "no-trigger");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].task_type, "TASK_RMS_NORM");
  EXPECT_EQ(Index(found[0].tasks[0].first), 5u);
}

TEST(NoDependency, HoldsFirstTasksToWaitForNothingAndOthersNot) {
  WiredRank rank = Healthy();
  rank.first_tasks = {TaskId{2}, TaskId{3}};
  EXPECT_THAT(RulesOf(AuditOf(rank), "D"), ElementsAre("no-dependency"));
  rank = Healthy();
  rank.tasks[4].dependent = EventId();
  EXPECT_THAT(RulesOf(AuditOf(rank), "D"),
              testing::UnorderedElementsAre("no-dependency", "event-range"));
}

TEST(EventCycle, NamesTheEventsOfTheCircle) {
  WiredRank rank = Healthy();
  rank.tasks[2].dependent = EventId::Of(3);
  rank.Wire();
  const Report report = AuditOf(rank);
  // Tasks 2 and 5 wait for event 3, and no range holds just these.
  EXPECT_THAT(RulesOf(report, "D"),
              testing::UnorderedElementsAre("event-cycle", "event-range",
                                            "queue-order", "starved-task"));
  EXPECT_EQ(FindingsOf(report, "event-cycle")[0].found,
            "waits for itself, through events 2, 3");
}

TEST(QueueOrder, WantsProducersBeforeConsumers) {
  WiredRank rank = Healthy();
  std::rotate(rank.tasks.begin() + 3, rank.tasks.begin() + 5, rank.tasks.end());
  rank.Wire();
  const Report report = AuditOf(rank);
  EXPECT_THAT(RulesOf(report, "D"), ElementsAre("queue-order"));
  EXPECT_EQ(FindingsOf(report, "queue-order")[0].event, 3u);
}

}  // namespace
}  // namespace graph_coverage
