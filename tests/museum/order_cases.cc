// SPDX-License-Identifier: Apache-2.0
//
// Groups D and E.
#include <algorithm>
#include <utility>

#include "tests/museum/models.h"
#include "tests/museum/program_edit.h"
#include "tests/museum/rule_cases.h"

namespace graph_coverage::museum {
namespace {

using synthetic::Indexing;
using synthetic::Operator;
using synthetic::Program;
using synthetic::Tile;

// A task that waits is also listed as one that the graph begins with.
void BeginWithAWaiter(Edit& edit, const Site&) {
  edit.FirstTasks().push_back(
      TaskId(edit.Readers("model_norm_weight").front()));
}

// The first of an operator's tasks waits for what its readers trigger.
void CloseACircle(Edit& edit, const Site&) {
  const std::uint32_t task = edit.Readers("layer_2_qkv_proj").front();
  const std::uint32_t reader = edit.Readers("layer_2_o_proj").front();
  edit.Task(task).dependent = edit.view().task(TaskId(reader)).trigger;
}

// Two adjacent operators change places in all_tasks, ranges follow.
void QueueConsumersFirst(Edit& edit, const Site&) {
  const TaskIds makers = edit.Readers("layer_2_o_proj");
  const TaskIds takers = edit.Readers("layer_2_post_attn_layernorm");
  const auto copy = [&edit](std::uint32_t from) {
    TaskEdit task;
    task.task = edit.view().task(TaskId(from));
    task.inputs.assign(task.task.inputs.begin(), task.task.inputs.end());
    task.outputs.assign(task.task.outputs.begin(), task.task.outputs.end());
    return task;
  };
  std::vector<TaskEdit> order;
  for (const std::uint32_t task : takers) order.push_back(copy(task));
  for (const std::uint32_t task : makers) order.push_back(copy(task));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t to = makers.front() + static_cast<std::uint32_t>(i);
    edit.Inputs(to) = order[i].inputs;
    edit.Outputs(to) = order[i].outputs;
    graph_coverage::Task& task = edit.Task(to);
    const EventId dependent = order[i].task.dependent;
    task = order[i].task;
    task.inputs = {};
    task.outputs = {};
    Event& event = edit.Event(dependent.index());
    const bool taker = i < takers.size();
    event.first_task = makers.front() + (taker ? 0 : takers.size());
    event.last_task =
        event.first_task + (taker ? takers.size() : makers.size());
  }
}

// One buffer for both sums of a layer.
void ShareThePutBuffer(Program& program, const Site&) {
  const auto one = Find(program, "attn_allreduce_out_buf");
  const auto two = Find(program, "mlp_final_buf");
  EditUsers(program, "mlp_final_buf", [one, two](Operator& op) {
    for (auto* uses : {&op.inputs, &op.outputs}) {
      for (synthetic::Use& use : *uses) {
        if (use.tensor == two) use.tensor = one;
      }
    }
  });
}

// Two operators quantise one input, each for a reader of its own.
Program QuantisedTwice() {
  Program program = Latent();
  const auto twin = [&program](const char* name) {
    const synthetic::Tensor own = program.tensor(Find(program, name));
    return program.Scratch(std::string(name) + "_twin", own.data_type,
                           own.dims);
  };
  const auto values = Find(program, "fp8_input_64_shared");
  const auto other_values = twin("fp8_input_64_shared");
  const auto other_scales = twin("fp8_scale_64_shared");
  const auto weight = Find(program, "layer_0_kv_a_latent");
  std::vector<Operator> operators;
  bool done = false;
  for (Operator op : program.operators()) {
    const bool first = !done && op.outputs.front().tensor == values;
    if (op.inputs.size() > 2 && op.inputs[2].tensor == weight) {
      op.inputs[0].tensor = other_values;
      op.inputs[1].tensor = other_scales;
    }
    operators.push_back(op);
    if (!first) continue;
    op.outputs[0].tensor = other_values;
    op.outputs[1].tensor = other_scales;
    operators.push_back(op);
    done = true;
  }
  program.Replace(std::move(operators));
  return program;
}

// Both write one buffer.
void QuantiseIntoOneBuffer(Edit& edit, const Site&) {
  for (const char* name : {"fp8_input_64_shared", "fp8_scale_64_shared"}) {
    const TensorId own = edit.Tensor(name);
    const TensorId other = edit.Tensor(std::string(name) + "_twin");
    for (const std::uint32_t task : edit.Writers(std::string(name) + "_twin")) {
      for (Operand& operand : edit.Outputs(task)) {
        if (operand.tensor == other) operand.tensor = own;
      }
    }
    for (const std::uint32_t task : edit.Readers(std::string(name) + "_twin")) {
      for (Operand& operand : edit.Inputs(task)) {
        if (operand.tensor == other) operand.tensor = own;
      }
    }
  }
}

void ReduceFourTimesAlike(Program& program, const Site&) {
  EditUsers(program, "output_token", [](Operator& op) {
    if (op.type == "TASK_ARGMAX_REDUCE") op.grid = {4};
  });
}

void ForgetRequestIds(Edit& edit, const Site&) {
  for (const std::uint32_t task : edit.OfType("TASK_ARGMAX_REDUCE")) {
    edit.Task(task).metadata.request_id = 0;
  }
}

// A split-K layer adds to what the head wrote.
Program WithSplitK() {
  Program program = WithExperts();
  program.type_numbers["TASK_SPLITK_LINEAR_SM100"] = 251;
  const auto x = Find(program, "rmsnorm_out");
  const auto out = Find(program, "argmax_in");
  const auto weight =
      program.Attach("lm_head_more", DataType::kBf16, {256, 64});
  InsertBehind(program, "lm_head",
               {"TASK_SPLITK_LINEAR_SM100",
                {4},
                {Tile(x), Tile(weight, {0})},
                {Tile(out, {1})},
                Indexing::kBlock,
                {}});
  return program;
}

void WriteTheHeadElsewhere(Program& program, const Site&) {
  const auto other =
      program.Scratch("other_logits", DataType::kBf16,
                      program.tensor(Find(program, "argmax_in")).dims);
  EditUsers(program, "lm_head",
            [other](Operator& op) { op.outputs[0].tensor = other; });
}

Operand& LastWeightTile(Edit& edit, const std::string& weight) {
  return edit.Inputs(edit.Readers(weight).back())[1];
}

void PassTheEnd(Edit& edit, const Site&) {
  LastWeightTile(edit, "layer_2_qkv_proj").offset += 128;
}

void CutAnElement(Edit& edit, const Site&) {
  LastWeightTile(edit, "lm_head").offset += 1;
}

void RelayoutTable(Edit& edit, void (*change)(AddedLayout&)) {
  for (const std::uint32_t task : edit.Readers("embed_tokens")) {
    edit.Relayout(edit.Inputs(task)[1], change);
  }
}

void EmptyTable(Edit& edit, const Site&) {
  RelayoutTable(edit, [](AddedLayout& layout) { layout.dims[0] = 0; });
}

void OverlapTable(Edit& edit, const Site&) {
  RelayoutTable(edit, [](AddedLayout& layout) { layout.strides[0] = 1; });
}

void HalveWeightTiles(Edit& edit, const Site&) {
  for (const std::uint32_t task : edit.OfType("TASK_LINEAR_WITH_RESIDUAL")) {
    edit.Relayout(edit.Inputs(task)[1],
                  [](AddedLayout& layout) { layout.dims[0] /= 2; });
  }
}

void WriteAsFp16(Edit& edit, const Site&) {
  for (const std::uint32_t task : edit.Writers("argmax_part_value")) {
    edit.Relayout(edit.Outputs(task)[0], [](AddedLayout& layout) {
      layout.data_type = DataType::kFp16;
    });
  }
}

}  // namespace

std::vector<RuleCase> OrderCases() {
  return {
      {"trigger-count", "event 31", OfExhibit("trigger-miscounted"),
       "starved-task, its consequence, stands by itself"},
      {"starved-task", "event 31", OfExhibit("trigger-miscounted"),
       "trigger-count, of which it is the consequence"},
      {"event-range", "event 31", OfExhibit("range-moved")},
      {"bad-event-id", "TASK_REDUCE", OfExhibit("remote-tag-missing")},
      {"no-trigger", "TASK_MTP_ACCEPT_COMMIT",
       OfExhibit("leaf-triggers-nothing")},
      {"no-dependency",
       "TASK_RMS_NORM",
       {Grouped, nullptr, BeginWithAWaiter, {}}},
      {"event-cycle",
       "event",
       {Grouped, nullptr, CloseACircle, {}},
       "what is in the circle starves and is queued behind itself"},
      {"queue-order",
       "event",
       {Grouped, nullptr, QueueConsumersFirst, {}},
       "what reads before it is written has no order and another form"},
      {"leaf-operation", "TASK_MLA_KV_GATHER_SM100",
       OfExhibit("gather-is-a-leaf"),
       "the races, its consequences, stand by themselves"},
      {"several-leaves", "TASK_COPY_OUT", OfExhibit("overwritten-early"),
       "a leaf without a fault is an output, which has a note, too"},
      {"unordered-read", "mlp_out", OfExhibit("few-tiles-waited-for")},
      {"unordered-overwrite", "rmsnorm_out", OfExhibit("overwritten-early")},
      {"cross-rank-overwrite",
       "attn_allreduce_out_buf",
       {GroupedWithPuts, ShareThePutBuffer, nullptr, {}}},
      {"twin-writers",
       "fp8_input_64_shared",
       {QuantisedTwice, nullptr, QuantiseIntoOneBuffer, {}},
       "such writers are twin-tasks, too"},
      {"indistinct-siblings", "TASK_ARGMAX_REDUCE",
       OfExhibit("reduced-several-times")},
      {"twin-tasks",
       "TASK_ARGMAX_REDUCE",
       {Grouped, ReduceFourTimesAlike, ForgetRequestIds, {}}},
      {"uninitialised-read", "mtp_argmax_part_value",
       OfExhibit("partial-writer-fills-one")},
      {"uninitialised-accumulator",
       "argmax_in",
       {WithSplitK, WriteTheHeadElsewhere, nullptr, {}}},
      {"out-of-bounds",
       "layer_2_qkv_proj",
       {GroupedWithCopies, nullptr, PassTheEnd, {}}},
      {"misaligned-offset", "lm_head", {Grouped, nullptr, CutAnElement, {}}},
      {"empty-tile", "embed_tokens", {Grouped, nullptr, EmptyTable, {}}},
      {"self-overlapping-tile",
       "embed_tokens",
       {Grouped, nullptr, OverlapTable, {}}},
      {"stale-tile", "argmax_part_value",
       OfExhibit("partial-writer-leaves-old-entries")},
      {"coverage-hole", "o_proj", {Grouped, nullptr, HalveWeightTiles, {}}},
      {"dtype-mismatch",
       "argmax_part_value",
       {Grouped, nullptr, WriteAsFp16, {}}},
  };
}

}  // namespace graph_coverage::museum
