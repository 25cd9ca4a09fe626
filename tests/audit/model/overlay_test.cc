// SPDX-License-Identifier: Apache-2.0
//
// A view under an overlay sees what the changed files would say.
#include "graph_coverage/model/overlay.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/model/view.h"
#include "tests/support/small_rank.h"

namespace graph_coverage {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Tasks 0 and 1 read w into x and y, task 2 reads both into z.
Rank ThreeTasks() {
  return SmallRank()
      .Attached("w")
      .Scratch("x")
      .Scratch("y")
      .Scratch("z")
      .Branch("TASK_A", {0}, {0})
      .Branch("TASK_B", {0, 1}, {0})
      .Task(100, {"w"}, {"x"})
      .Task(100, {"w"}, {"y"})
      .Task(200, {"x", "y"}, {"z"})
      .Build();
}

TensorId Tensor(const View& view, const std::string& name) {
  return view.FindTensor(name).value();
}

Reference In(std::uint32_t task, std::uint16_t slot) {
  return {TaskId(task), slot, false};
}

Reference Out(std::uint32_t task, std::uint16_t slot) {
  return {TaskId(task), slot, true};
}

TEST(Overlay, WithoutEditsIsTheRank) {
  const Rank rank = ThreeTasks();
  const Overlay overlay;
  EXPECT_TRUE(overlay.empty());
  const View view(rank, overlay);
  EXPECT_EQ(view.task_count(), 3u);
  EXPECT_THAT(view.references(Tensor(view, "w")),
              ElementsAre(In(0, 0), In(1, 0)));
}

TEST(Overlay, EditsOneTask) {
  const Rank rank = ThreeTasks();
  Overlay overlay;
  const Task task = rank.graph().task(TaskId(2));
  overlay.tasks[TaskId(2)] = {task, {task.inputs[1]}, {task.outputs[0]}};
  const View view(rank, overlay);
  EXPECT_EQ(view.operand_count(), rank.graph().operand_count() - 1);
  EXPECT_THAT(view.task(TaskId(2)).inputs, SizeIs(1));
  EXPECT_EQ(view.task(TaskId(0)).inputs, rank.graph().task(TaskId(0)).inputs);
  EXPECT_THAT(view.references(Tensor(view, "x")), ElementsAre(Out(0, 0)));
  EXPECT_THAT(view.references(Tensor(view, "y")),
              ElementsAre(Out(1, 0), In(2, 0)));
  EXPECT_THAT(View(rank).references(Tensor(view, "x")),
              ElementsAre(Out(0, 0), In(2, 0)));
}

TEST(Overlay, MovesUpWhatFollowsADroppedTask) {
  const Rank rank = ThreeTasks();
  Overlay overlay;
  overlay.dropped = {TaskId(1)};
  overlay.first_tasks = {TaskId(0), TaskId(1), TaskId(2)};
  overlay.added_events = {};
  const View view(rank, overlay);
  EXPECT_EQ(view.task_count(), 2u);
  EXPECT_EQ(view.operand_count(), rank.graph().operand_count() - 2);
  EXPECT_EQ(view.task(TaskId(1)).type, 200u);
  EXPECT_THAT(view.references(Tensor(view, "w")), ElementsAre(In(0, 0)));
  EXPECT_THAT(view.references(Tensor(view, "y")), ElementsAre(In(1, 1)));
  EXPECT_THAT(view.references(Tensor(view, "z")), ElementsAre(Out(1, 0)));
  EXPECT_THAT(view.first_tasks(), ElementsAre(TaskId(0), TaskId(1)));
}

TEST(Overlay, AddsTensorsAndLayouts) {
  const Rank rank = ThreeTasks();
  Overlay overlay;
  overlay.added_tensors = {"nullptr"};
  overlay.added_layouts = {{DataType::kF32, true, {4}, {1}}};
  const Task task = rank.graph().task(TaskId(0));
  const Operand added{TensorId(rank.tensor_count()),
                      LayoutId(rank.graph().layout_count()), 0};
  overlay.tasks[TaskId(0)] = {task, {added}, {task.outputs[0]}};
  const View view(rank, overlay);
  const TensorId null = view.task(TaskId(0)).inputs[0].tensor;
  EXPECT_TRUE(view.IsNull(null));
  EXPECT_EQ(view.tensor_name(null), "nullptr");
  EXPECT_EQ(view.declaration(null), nullptr);
  EXPECT_THAT(view.references(null), ElementsAre(In(0, 0)));
  const Layout layout = view.layout(view.task(TaskId(0)).inputs[0].layout);
  EXPECT_EQ(layout.data_type, DataType::kF32);
  EXPECT_THAT(layout.dims, ElementsAre(4));
}

TEST(Overlay, LeavesDeclarationsOutAndReordersThem) {
  const Rank rank = ThreeTasks();
  Overlay overlay;
  overlay.declaration_order = {3, 0, 1};
  const View view(rank, overlay);
  ASSERT_EQ(view.declaration_count(), 3u);
  EXPECT_EQ(view.declaration_at(0).name, "z");
  EXPECT_EQ(view.declared_tensor(0), Tensor(view, "z"));
  EXPECT_EQ(view.declaration(Tensor(view, "y")), nullptr);
  const Report report = AuditViews("mutant", {view});
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].rule, "undeclared-tensor");
  EXPECT_EQ(report.findings[0].tensor, "y");
}

TEST(Overlay, ForgetsWhatNothingNames) {
  const Rank rank = ThreeTasks();
  Overlay overlay;
  overlay.dropped = {TaskId(2)};
  overlay.declaration_order = {0, 1, 2};
  const View view(rank, overlay);
  EXPECT_EQ(view.FindTensor("z"), std::nullopt);
}

TEST(Overlay, RenamesTensors) {
  const Rank rank = ThreeTasks();
  Overlay overlay;
  const TensorId w = rank.FindTensor("w").value();
  overlay.renamed[w] = "weight";
  overlay.declarations[0] = rank.source().declarations[0];
  overlay.declarations[0].name = "weight";
  const View view(rank, overlay);
  EXPECT_EQ(view.FindTensor("w"), std::nullopt);
  EXPECT_EQ(view.FindTensor("weight"), w);
  EXPECT_EQ(view.tensor_name(w), "weight");
  EXPECT_EQ(view.declaration(w)->name, "weight");
}

TEST(Overlay, BindsTypesAnew) {
  const Rank rank = SmallRank()
                        .Attached("w")
                        .Scratch("x")
                        .Scratch("y")
                        .Branch("TASK_A", {0}, {0})
                        .Branch("TASK_B", {0, 1, 2}, {0})
                        .Task(100, {"w"}, {"x"})
                        .Task(200, {"x", "x", "w"}, {"y"})
                        .Build();
  ASSERT_EQ(View(rank).TypeName(200), "TASK_B");
  Overlay overlay;
  overlay.dropped_branches = {1};
  const View view(rank, overlay);
  EXPECT_EQ(view.branch_count(), 1u);
  EXPECT_NE(view.TypeName(200), "TASK_B");
  EXPECT_THAT(view.BranchesOf(200, 0), IsEmpty());
}

}  // namespace
}  // namespace graph_coverage
