// SPDX-License-Identifier: Apache-2.0
//
// The parts of a verdict: what names an edit, what is new, what is equivalent.
#include <gmock/gmock.h>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "generators/campaign/edit.h"
#include "generators/campaign/equivalence.h"
#include "generators/campaign/new_findings.h"
#include "graph_coverage/audit.h"
#include "graph_coverage/campaign/campaign.h"
#include "graph_coverage/mutation/mutation_space.h"
#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"

namespace graph_coverage {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class VerdictTest : public ::testing::Test {
 protected:
  // The first mutation of the operator for which `keep` holds.
  template <typename Keep>
  Overlay First(const std::string& op, const Keep& keep) const {
    const MutationSites& sites = space_.Sites(op);
    for (std::size_t i = 0; i < sites.count(); ++i) {
      if (keep(sites.at(i))) return space_.Apply(sites.at(i));
    }
    throw std::logic_error("no such mutation");
  }
  Overlay First(const std::string& op) const {
    return First(op, [](const Mutation&) { return true; });
  }
  // A task in the middle, and what drops its first input.
  static constexpr std::uint32_t kTask = 20;
  Overlay Drop() const {
    return First("drop", [](const Mutation& m) { return m.task == kTask; });
  }

  const std::vector<Rank> ranks_ = ReadRanks(
      synthetic::MakeGendir(synthetic::BuildModel(synthetic::Toy()), "toy"));
  const Rank& rank_ = ranks_.front();
  const MutationSpace space_{rank_};
};

Finding About(std::string rule, TaskRange tasks) {
  Finding finding;
  finding.rule = std::move(rule);
  finding.ranks = {RankId(0)};
  finding.tasks = {tasks};
  return finding;
}

Finding About(std::string rule, std::string tensor) {
  Finding finding;
  finding.rule = std::move(rule);
  finding.ranks = {RankId(0)};
  finding.tensor = tensor;
  finding.members = {std::move(tensor)};
  return finding;
}

Report With(std::vector<Finding> findings) {
  Report report;
  report.ranks.resize(1);
  report.findings = std::move(findings);
  return report;
}

TEST_F(VerdictTest, AnEditIsNamedByItsTaskTensorsAndEvents) {
  const Overlay overlay = Drop();
  const Edit edit(rank_, overlay);
  const Task task = rank_.graph().task(TaskId(kTask));
  EXPECT_TRUE(edit.IsNamedBy(About("r", {TaskId(kTask), TaskId(kTask)})));
  EXPECT_TRUE(edit.IsNamedBy(About("r", {TaskId(2), TaskId(kTask)})));
  EXPECT_FALSE(edit.IsNamedBy(About("r", {TaskId(2), TaskId(kTask - 1)})));
  EXPECT_TRUE(edit.IsNamedBy(
      About("r", std::string(rank_.tensor_name(task.inputs[0].tensor)))));
  EXPECT_FALSE(edit.IsNamedBy(About("r", "another")));

  Finding of_event;
  of_event.event = task.trigger.index();
  EXPECT_TRUE(edit.IsNamedBy(of_event));
  of_event.event = *of_event.event + 1000;
  EXPECT_FALSE(edit.IsNamedBy(of_event));
  Finding of_type;
  of_type.task_type = rank_.types().Name(task.type);
  EXPECT_TRUE(edit.IsNamedBy(of_type));
  of_type.tasks = {{TaskId(2), TaskId(2)}};
  EXPECT_FALSE(edit.IsNamedBy(of_type));
}

// Its types are named by the order of the chain: one without its branch has no
// name.
TEST_F(VerdictTest, ADroppedBranchIsNamedByTheNumberOfItsType) {
  CampaignOptions options;
  options.operators = {"drop-branch"};
  const CampaignResult result = RunCampaign(
      synthetic::MakeGendir(synthetic::BuildModel(synthetic::Toy()), "toy"),
      options);
  EXPECT_GT(result.counts().caught, 0u);
  EXPECT_EQ(result.counts().survived, 0u);
}

TEST_F(VerdictTest, ADroppedTaskIsNamedByWhatIsLeftOfItsOperator) {
  const Overlay overlay =
      First("drop-task", [](const Mutation& m) { return m.task == kTask; });
  const Edit edit(rank_, overlay);
  Finding finding = About("r", {TaskId(kTask - 2), TaskId(kTask - 1)});
  EXPECT_FALSE(edit.IsNamedBy(finding));
  finding.task_type =
      rank_.types().Name(rank_.graph().task(TaskId(kTask)).type);
  EXPECT_TRUE(edit.IsNamedBy(finding));
  finding.tasks = {{TaskId(kTask - 2), TaskId(kTask - 2)}};
  EXPECT_FALSE(edit.IsNamedBy(finding));
  finding.tasks = {{TaskId(kTask), TaskId(kTask + 3)}};
  EXPECT_TRUE(edit.IsNamedBy(finding));
}

TEST_F(VerdictTest, AnEditSaysWhatItWasAndIs) {
  const Overlay overlay = Drop();
  const Edit edit(rank_, overlay);
  EXPECT_THAT(edit.Before(), StartsWith("task 20 TASK_"));
  EXPECT_THAT(edit.After(), StartsWith("task 20 TASK_"));
  EXPECT_LT(edit.After().size(), edit.Before().size());
  const Overlay gone = First("drop-task");
  EXPECT_EQ(Edit(rank_, gone).After(), "no task 2");
  const Overlay none;
  EXPECT_EQ(Edit(rank_, none).Before(), Edit(rank_, none).After());
}

TEST_F(VerdictTest, TasksBehindADroppedOneMoveBack) {
  const Overlay overlay =
      First("drop-task", [](const Mutation& m) { return m.task == kTask; });
  const Edit edit(rank_, overlay);
  EXPECT_EQ(edit.OldTask(TaskId(kTask - 1)), kTask - 1u);
  EXPECT_EQ(edit.OldTask(TaskId(kTask)), kTask + 1u);
  // So a finding of the baseline is still that.
  const NewFindings baseline(With({About("r", {TaskId(30), TaskId(31)})}));
  EXPECT_FALSE(edit.IsNamedBy(About("r", {TaskId(29), TaskId(30)})));
  EXPECT_THAT(baseline.In(With({About("r", {TaskId(29), TaskId(30)})}), {edit}),
              IsEmpty());
}

TEST_F(VerdictTest, WhatTheBaselineHasIsNotNew) {
  const Overlay overlay = Drop();
  const std::vector<Edit> edits = {Edit(rank_, overlay)};
  const Finding wide = About("r", {TaskId(2), TaskId(kTask)});
  Finding narrow = About("r", {TaskId(kTask), TaskId(kTask)});
  const NewFindings baseline(With({wide}));
  EXPECT_THAT(baseline.In(With({narrow}), edits), IsEmpty());
  narrow.rule = "s";
  EXPECT_THAT(baseline.In(With({narrow}), edits), SizeIs(1));
  narrow.rule = "r";
  narrow.count = wide.count + 1;
  EXPECT_THAT(baseline.In(With({narrow}), edits), IsEmpty())
      << "more places among the same tasks";
  narrow.tasks.push_back({TaskId(30), TaskId(30)});
  EXPECT_THAT(baseline.In(With({narrow}), edits), SizeIs(1));
  narrow.count = wide.count;
  EXPECT_THAT(baseline.In(With({narrow}), edits), IsEmpty())
      << "other tasks stand for the same places";
  // Two findings are more than one.
  EXPECT_THAT(baseline.In(With({wide, narrow}), edits), SizeIs(1));
}

TEST_F(VerdictTest, NotesCatchNothingAndConsequencesDo) {
  const Overlay overlay = Drop();
  const std::vector<Edit> edits = {Edit(rank_, overlay)};
  const NewFindings baseline(With({}));
  Finding finding = About("r", {TaskId(kTask), TaskId(kTask)});
  finding.severity = Severity::kNote;
  EXPECT_THAT(baseline.In(With({finding}), edits), IsEmpty());
  finding.severity = Severity::kWarning;
  EXPECT_THAT(baseline.In(With({finding}), edits), SizeIs(1));
  Finding root = About("root", {TaskId(2), TaskId(2)});
  root.consequences = {finding};
  const std::vector<Finding> alone = baseline.In(With({root}), edits);
  ASSERT_THAT(alone, SizeIs(1));
  EXPECT_EQ(alone[0].rule, "r");
  // Under a root that is new, too, they stay there, and others do not.
  root.tasks = finding.tasks;
  root.consequences.push_back(About("old", {TaskId(2), TaskId(2)}));
  const std::vector<Finding> both = baseline.In(With({root}), edits);
  ASSERT_THAT(both, SizeIs(1));
  EXPECT_EQ(both[0].rule, "root");
  ASSERT_THAT(both[0].consequences, SizeIs(1));
  EXPECT_EQ(both[0].consequences[0].rule, "r");
}

TEST_F(VerdictTest, OperandsThatNoBranchUsesMayDiffer) {
  const Task task = rank_.graph().task(TaskId(kTask));
  Overlay overlay;
  TaskEdit& edit = overlay.tasks[TaskId(kTask)];
  edit.task = task;
  edit.inputs.assign(task.inputs.begin(), task.inputs.end());
  edit.outputs.assign(task.outputs.begin(), task.outputs.end());
  EXPECT_THAT(WhyEquivalent(rank_, overlay), StartsWith("the branch "));
  // One more than the branch knows of.
  edit.inputs.push_back(task.inputs[0]);
  EXPECT_THAT(WhyEquivalent(rank_, overlay), StartsWith("the branch "));
  edit.inputs[0].offset += 2;
  EXPECT_EQ(WhyEquivalent(rank_, overlay), "");
  EXPECT_EQ(WhyEquivalent(rank_, Drop()), "");
  edit.inputs[0] = task.inputs[0];
  edit.task.trigger = EventId();
  EXPECT_EQ(WhyEquivalent(rank_, overlay), "");
}

TEST_F(VerdictTest, BranchesThatNoTaskRunsMayDiffer) {
  EXPECT_EQ(WhyEquivalent(rank_, First("drop-branch")), "");
  KernelSource source = rank_.source();
  Branch idle = source.branches.front();
  idle.variant = 77;
  source.branches.push_back(idle);
  Overlay overlay;
  overlay.dropped_branches = {source.branches.size() - 1};
  const Rank rank(RankId(0), source, TaskGraph(), rank_.types());
  EXPECT_EQ(WhyEquivalent(rank, overlay), "no task runs the branch");
}

TEST(Equivalence, OperandsOfAFeatureThatIsSwitchedOffMayDiffer) {
  synthetic::ModelConfig model;
  model.grouped->qk_norm = false;
  const std::vector<Rank> ranks =
      ReadRanks(synthetic::MakeGendir(synthetic::BuildModel(model), "model"));
  const MutationSpace space(ranks.front());
  const MutationSites& sites = space.Sites("branch-slot");
  std::map<std::uint32_t, std::string> why;  // by the place in the branch
  for (std::size_t i = 0; i < sites.count(); ++i) {
    const Mutation mutation = sites.at(i);
    if (mutation.subject != "TASK_PAGED_ATTENTION_1") continue;
    why[*mutation.at] = WhyEquivalent(ranks.front(), space.Apply(mutation));
  }
  ASSERT_GE(why.size(), 7u);
  const char* kOff = "the operand is of a feature that the branch switches off";
  // Places 4 and 5 of the call are the norms, behind three inputs and an
  // output; then come the rope tables.
  EXPECT_EQ(why[3], "");
  EXPECT_EQ(why[4], kOff);
  EXPECT_EQ(why[5], kOff);
  EXPECT_EQ(why[6], "");
  EXPECT_EQ(why[7], "");
}

}  // namespace
}  // namespace graph_coverage
