// SPDX-License-Identifier: Apache-2.0
//
// What ends a graph: where the rules about leaves fire, and where they must
// not.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/audit/rules/wired_audit.h"
#include "tests/support/wired_rank.h"

namespace graph_coverage {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// An operator that ends the graph though the next reads what it wrote.
WiredRank Leaf() {
  WiredRank rank = TensorsOfTwoLayers();
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
  EXPECT_THAT(RulesOf(report, "DE"), testing::UnorderedElementsAre(
                                         "leaf-operation", "several-leaves"));
  const Finding root = FindingsOf(report, "leaf-operation")[0];
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
  EXPECT_THAT(RulesOf(AuditOf(Leaf(), policy), "DE"),
              testing::IsSupersetOf({"unordered-read", "unordered-overwrite"}));
}

TEST(LeafOperation, SeesThatOthersOfItsTypeAreWaitedFor) {
  WiredRank rank = TwoLayers();
  rank.tasks[4].trigger = EventId::Of(5);  // the end
  rank.events[3].num_triggers = 1;
  rank.events[5].num_triggers = 2;
  const std::vector<Finding> found =
      FindingsOf(AuditOf(rank), "leaf-operation");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].task_type, "TASK_LINEAR");
}

TEST(SeveralLeaves, IsANote) {
  WiredRank rank = TwoLayers();
  rank.Attached("other").Task(kNorm, {"h", "w"}, {"other"}, 4, kEnd);
  rank.Wire();
  const std::vector<Finding> found =
      FindingsOf(AuditOf(rank), "several-leaves");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].severity, Severity::kNote);
}

}  // namespace
}  // namespace graph_coverage
