// SPDX-License-Identifier: Apache-2.0
//
// Every type of the model prints as one line that says what it is.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "graph_coverage/model/view.h"

namespace graph_coverage {
namespace {

using ::testing::ElementsAre;
using ::testing::PrintToString;

TEST(PrintModel, Ids) {
  EXPECT_EQ(PrintToString(TaskId{7}), "task 7");
  EXPECT_EQ(PrintToString(TensorId{7}), "tensor 7");
  EXPECT_EQ(PrintToString(LayoutId{7}), "layout 7");
  EXPECT_EQ(PrintToString(RankId{7}), "rank 7");
  EXPECT_EQ(PrintToString(EventId::Of(3, 1)), "event 3 of rank 1");
}

TEST(PrintModel, Declaration) {
  Declaration declaration;
  declaration.name = "rope_cos";
  declaration.line = 12;
  EXPECT_EQ(PrintToString(declaration), "attached rope_cos, line 12");
  declaration.kind = TensorKind::kShuffled;
  declaration.bytes = 4096;
  declaration.copies.resize(2);
  EXPECT_EQ(PrintToString(declaration),
            "shuffled rope_cos, 4096 bytes, 2 copies, line 12");
  Declaration alias;
  alias.kind = TensorKind::kAlias;
  alias.name = "w1";
  alias.alias_of = "w2";
  EXPECT_EQ(PrintToString(alias), "alias w1 of w2, line 0");
}

TEST(PrintModel, Copy) {
  Copy copy;
  copy.source = "q_proj";
  copy.target_offset = 64;
  copy.width = 4096;
  copy.height = 8;
  copy.line = 30;
  EXPECT_EQ(PrintToString(copy),
            "copy of q_proj to byte 64: 8 rows of 4096 bytes, line 30");
  copy.source.clear();
  copy.source_address = 0x70cf96000000;
  EXPECT_EQ(PrintToString(copy),
            "copy of 0x70cf96000000 to byte 64: 8 rows of 4096 bytes, line 30");
}

TEST(PrintModel, BranchAndSource) {
  Branch branch;
  branch.type = "TASK_EMBEDDING";
  branch.inputs = {0, 1};
  branch.outputs = {0};
  branch.line = 99;
  EXPECT_EQ(PrintToString(branch),
            "TASK_EMBEDDING variant 0: reads slots [0, 1], writes slots [0], "
            "line 99");
  Argument argument;
  argument.kind = Argument::Kind::kInput;
  argument.text = "task_desc->input_ptrs[1]";
  EXPECT_EQ(PrintToString(argument), "input slot: task_desc->input_ptrs[1]");
  KernelSource source;
  source.file = "kernel_0.cu";
  source.branches.push_back(branch);
  EXPECT_EQ(PrintToString(source), "kernel_0.cu: 0 declarations, 1 branch");
}

TEST(PrintModel, TaskAndOperands) {
  const std::vector<Operand> inputs = {{TensorId{4}, LayoutId{2}, 128}};
  EXPECT_EQ(PrintToString(inputs[0]), "tensor 4, layout 2, offset 128");
  Task task;
  task.type = 278;
  task.dependent = EventId::Of(5);
  task.metadata.keys = TaskMetadata::kRequestId | TaskMetadata::kKvIdx;
  task.metadata.request_id = 3;
  task.metadata.kv_idx = 0;
  task.inputs = inputs;
  EXPECT_EQ(PrintToString(task),
            "type 278 variant 0, 1 input, 0 outputs, waits for event 5 of rank "
            "0, triggers no event, request_id 3, kv_idx 0");
  EXPECT_EQ(PrintToString(TaskMetadata{}), "no metadata");
  EXPECT_EQ(PrintToString(Reference{TaskId{5}, 3, false}),
            "task 5 input slot 3");
}

TEST(PrintModel, LayoutAndSpan) {
  const std::vector<std::int64_t> dims = {8, 128};
  const std::vector<std::int64_t> strides = {4096, 1};
  EXPECT_EQ(PrintToString(Layout{DataType::kBf16, true, dims, strides}),
            "bf16 dims [8, 128] strides [4096, 1]");
  EXPECT_EQ(PrintToString(Span<std::int64_t>(dims)), "{ 8, 128 }");
  EXPECT_THAT(Span<std::int64_t>(dims), ElementsAre(8, 128));
}

TEST(PrintModel, Events) {
  EXPECT_EQ(PrintToString(Event{EventType::kEmpty, 64, 2, 66}),
            "EMPTY, 64 triggers, tasks [2, 66)");
  EXPECT_EQ(PrintToString(static_cast<EventType>(905)), "event type 905");
}

TEST(PrintModel, Graph) {
  EXPECT_EQ(PrintToString(TaskGraph{}), ": 0 tasks, 0 operands, 0 events");
  GraphFormat format;
  format.variant_id = true;
  format.unknown_keys = {"task.colour"};
  EXPECT_EQ(PrintToString(format),
            "event integers, variant_id, unknown keys task.colour");
  EXPECT_EQ(PrintToString(TypeBinding{}), "type names none");
}

TEST(PrintModel, RankAndView) {
  const Rank rank(RankId{2}, KernelSource{}, TaskGraph{}, TypeBinding{});
  EXPECT_EQ(PrintToString(rank), "rank 2: 0 tasks, 0 tensors");
  EXPECT_EQ(PrintToString(View(rank)), "view of rank 2: 0 tasks, 0 tensors");
}

TEST(PrintModel, Enums) {
  EXPECT_EQ(PrintToString(TensorKind::kNvshmem), "nvshmem");
  EXPECT_EQ(PrintToString(DataType::kFp8), "fp8");
  EXPECT_EQ(PrintToString(TypeBinding::Method::kOrder), "by order");
}

}  // namespace
}  // namespace graph_coverage
