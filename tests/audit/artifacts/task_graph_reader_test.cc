// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/task_graph_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace graph_coverage {
namespace {

using testing::ElementsAre;

TaskGraph Read(const std::string& text) {
  const auto source = OpenMemory("g.json", text);
  return ReadTaskGraph(*source);
}

std::string ErrorOf(const std::string& text) {
  try {
    Read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

constexpr const char* kOperand =
    R"({"base_ptr":"x","data_type":941,"dims":[8,64],"offset":128,"strides":[64,1]})";

std::string GraphOf(const std::string& tasks, const std::string& events = "",
                    const std::string& first = "2") {
  return R"({"all_events":[)" + events + R"(],"all_tasks":[)" + tasks +
         R"(],"first_tasks":[)" + first + "]}";
}

std::string TaskOf(const std::string& members) {
  return R"({"task_type":101,"trigger_event":2,"inputs":[)" +
         std::string(kOperand) + "]" + members + "}";
}

TEST(TaskGraphReader, ReadsTasksOperandsAndEvents) {
  const TaskGraph graph = Read(GraphOf(
      R"({"dependent_event":9223372036854775806,"inputs":null,"outputs":null,
          "task_type":10,"trigger_event":1,"variant_id":0},
         {"dependent_event":1,"expert_offset":-65536,"kv_idx":65535,
          "inputs":[)" +
          std::string(kOperand) + R"(,
            {"base_ptr":"nullptr","data_type":999,"dims":[],"offset":0,
             "strides":[]}],
          "outputs":[{"base_ptr":"y","data_type":950,"dims":[8],"offset":0,
             "strides":[1]}],
          "merge_task_offset":-1,"request_id":3,"task_offset":-65536,
          "task_type":101,"trigger_event":2161727821137838083,"variant_id":7})",
      R"({"event_type":903,"first_task_id":2,"last_task_id":18,
          "num_triggers":1})"));

  ASSERT_EQ(graph.task_count(), 2u);
  EXPECT_TRUE(graph.task(TaskId(0)).inputs.empty());
  EXPECT_TRUE(graph.task(TaskId(0)).dependent.none());
  const Task task = graph.task(TaskId(1));
  EXPECT_EQ(task.type, 101u);
  EXPECT_EQ(task.variant, 7u);
  EXPECT_EQ(task.dependent, EventId::Of(1));
  EXPECT_EQ(task.trigger, EventId::Of(3, 0, true));
  EXPECT_EQ(task.metadata.request_id, 3);
  EXPECT_EQ(task.metadata.kv_idx, 65535);
  EXPECT_EQ(task.metadata.expert_offset, -65536);
  EXPECT_EQ(task.metadata.Bits(), 0xffffffffffff0003u);

  ASSERT_EQ(task.inputs.size(), 2u);
  EXPECT_EQ(graph.tensor_name(task.inputs[0].tensor), "x");
  EXPECT_EQ(task.inputs[0].offset, 128);
  const Layout layout = graph.layout(task.inputs[0].layout);
  EXPECT_EQ(layout.data_type, DataType::kBf16);
  EXPECT_THAT(layout.dims, ElementsAre(8, 64));
  EXPECT_THAT(layout.strides, ElementsAre(64, 1));
  EXPECT_EQ(graph.tensor_name(task.inputs[1].tensor), "nullptr");
  ASSERT_EQ(task.outputs.size(), 1u);
  EXPECT_EQ(graph.tensor_name(task.outputs[0].tensor), "y");

  ASSERT_EQ(graph.event_count(), 1u);
  EXPECT_EQ(graph.event(0).type, EventType::kLaunchDependentTasks);
  EXPECT_EQ(graph.event(0).last_task, 18u);
  EXPECT_EQ(graph.first_tasks()[0], TaskId(2));
  EXPECT_TRUE(graph.format().dependent_event);
  EXPECT_TRUE(graph.format().variant_id);
  EXPECT_FALSE(graph.format().event_objects);
  EXPECT_THAT(graph.format().unknown_keys, ElementsAre());
}

TEST(TaskGraphReader, TakesKeysInAnyOrderAndAbsentOperands) {
  const TaskGraph graph = Read(
      R"({"first_tasks":[],"all_tasks":[
        {"outputs":[],"trigger_event":1,"task_type":5,"inputs":[
          {"strides":[1],"offset":4,"dims":[2],"data_type":950,
           "base_ptr":"a"}]},
        {"task_type":6,"trigger_event":1}],"all_events":[]})");
  ASSERT_EQ(graph.task_count(), 2u);
  EXPECT_EQ(graph.task(TaskId(0)).inputs[0].offset, 4);
  EXPECT_TRUE(graph.task(TaskId(0)).outputs.empty());
  EXPECT_TRUE(graph.task(TaskId(1)).inputs.empty());
  EXPECT_EQ(graph.task(TaskId(1)).variant, 0u);
}

TEST(TaskGraphReader, TakesEventIdsAsObjects) {
  const TaskGraph graph = Read(
      GraphOf(R"({"task_type":101,"inputs":[)" + std::string(kOperand) + R"(],
          "trigger_event":{"gpu_offset":2,"event_pos":3,"is_nvshmem":true},
          "dependent_event":{"gpu_offset":0,"event_pos":1,
                             "is_nvshmem":false}})"));
  EXPECT_EQ(graph.task(TaskId(0)).trigger, EventId::Of(3, 2, true));
  EXPECT_EQ(graph.task(TaskId(0)).dependent, EventId::Of(1));
  EXPECT_TRUE(graph.format().event_objects);
}

TEST(TaskGraphReader, TakesBlockIndicesForAnOffset) {
  const TaskGraph graph = Read(GraphOf(
      R"({"task_type":101,"trigger_event":1,"inputs":[
          {"base_ptr":"x","bx":3,"by":1,"bz":0,"data_type":941,"dims":[1],
           "strides":[1]}]})"));
  const Operand operand = graph.task(TaskId(0)).inputs[0];
  EXPECT_FALSE(graph.layout(operand.layout).has_offset);
  EXPECT_EQ(operand.offset, 3 | 1 << 21);
}

TEST(TaskGraphReader, ListsKeysThatNoVersionHasOnce) {
  const std::string extra =
      R"(,"colour":{"deep":[1,2,{"x":null}]},"smem_regions":[{"a":1}],
          "is_tail_task":true)";
  const TaskGraph graph = Read(GraphOf(TaskOf(extra) + "," + TaskOf(extra) +
                                       "," + TaskOf(R"(,"apple":1)")));
  EXPECT_THAT(graph.format().unknown_keys,
              ElementsAre("task.apple", "task.colour"));
}

TEST(TaskGraphReader, InternsNamesAndLayouts) {
  std::string tasks;
  for (int i = 0; i < 1000; ++i) {
    tasks += (i == 0 ? "" : ",") +
             std::string(R"({"task_type":101,"trigger_event":1,"inputs":[)") +
             kOperand + R"(,{"base_ptr":"w)" + std::to_string(i % 300) +
             R"(","data_type":941,"dims":[)" + std::to_string(i % 70) +
             R"(],"offset":0,"strides":[1]}]})";
  }
  const TaskGraph graph = Read(GraphOf(tasks));
  EXPECT_EQ(graph.operand_count(), 2000u);
  EXPECT_EQ(graph.tensor_count(), 301u);
  EXPECT_EQ(graph.layout_count(), 71u);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(graph.tensor_name(graph.task(TaskId(i)).inputs[1].tensor),
              "w" + std::to_string(i % 300));
  }
}

TEST(TaskGraphReader, SaysWhereAndWhatIsWrong) {
  const struct {
    std::string text;
    const char* error;
  } cases[] = {
      {"[]", "g.json:1:1: byte 0: found [, expected an object, \"{\""},
      {R"({"all_tasks":[],"all_events":[]})",
       "g.json:1:1: byte 0: found a graph without the key \"first_tasks\", "
       "expected \"first_tasks\" in every graph"},
      {R"({"all_tasks":{},"all_events":[]})",
       "g.json:1:14: byte 13: found {, expected an array, \"[\""},
      {GraphOf(""), "g.json: has no tasks: there is nothing to audit"},
      {GraphOf(R"({"task_type":0,"trigger_event":1})"),
       "g.json: has no tasks: there is nothing to audit"},
      {GraphOf(R"({"task_type":7,"trigger_event":1})"),
       "g.json: has no operands: there is nothing to audit"},
      {GraphOf(R"({"inputs":null})"),
       "g.json:1:31: byte 30: found a task without the key \"task_type\", "
       "expected \"task_type\" in every task"},
      {GraphOf(TaskOf(R"(,"task_type":1)")),
       "g.json:1:154: byte 153: found the key \"task_type\" a second time, "
       "expected each key once in an object"},
      {GraphOf(TaskOf(R"(,"colour":1,"colour":2)")),
       "g.json:1:165: byte 164: found the key \"colour\" a second time, "
       "expected each key once in an object"},
      {GraphOf(R"({"task_type":-1})"),
       "g.json:1:44: byte 43: found -1, expected a task type, 0 to "
       "4294967295"},
      {GraphOf(R"({"task_type":1.5})"),
       "g.json:1:44: byte 43: found 1.5, expected a task type, 0 to "
       "4294967295"},
      {GraphOf(R"({"task_type":"1"})"),
       "g.json:1:44: byte 43: found \"1\", expected a task type, 0 to "
       "4294967295"},
      {GraphOf(R"({"task_type":1,"trigger_event":-1})"),
       "g.json:1:62: byte 61: found -1, expected an event id"},
      {GraphOf(R"({"task_type":1,"trigger_event":{"gpu_offset":0}})"),
       "g.json:1:62: byte 61: found an event id without the key "
       "\"event_pos\", expected \"event_pos\" in every event id"},
      {GraphOf(R"({"task_type":1,"inputs":[{"base_ptr":3}]})"),
       "g.json:1:68: byte 67: found 3, expected a tensor name"},
      {GraphOf(R"({"task_type":1,"inputs":[{"dims":[-1]}]})"),
       "g.json:1:65: byte 64: found -1, expected a dim of 0 or more elements"},
      {GraphOf(R"({"task_type":1,"inputs":[{"base_ptr":"x","data_type":1,)"
               R"("dims":[],"strides":[]}]})"),
       "g.json:1:56: byte 55: found an operand with neither \"offset\" nor "
       "\"bx\", expected the place of the tile in its tensor"},
      {GraphOf("", R"({"event_type":900})"),
       "g.json:1:16: byte 15: found an event without the key "
       "\"first_task_id\", expected \"first_task_id\" in every event"},
      {GraphOf(TaskOf("")) + "]",
       "g.json:1:174: byte 173: found ], expected the end of the file"},
  };
  for (const auto& bad : cases) EXPECT_EQ(ErrorOf(bad.text), bad.error);
}

// The error of a task with these members, from "found" on.
std::string TaskError(const std::string& members) {
  const std::string error = ErrorOf(GraphOf("{" + members + "}"));
  const std::size_t found = error.find("found ");
  return found == std::string::npos ? error : error.substr(found);
}

TEST(TaskGraphReader, SaysWhatEachMemberIs) {
  const struct {
    const char* members;
    const char* error;
  } cases[] = {
      {R"("variant_id":-1)", "found -1, expected a variant, 0 to 4294967295"},
      {R"("request_id":4294967296)",
       "found 4294967296, expected an integer of 32 bits"},
      {R"("kv_idx":"a")", "found \"a\", expected an integer of 32 bits"},
      {R"("trigger_event":{"event_pos":-1})",
       "found -1, expected an event index, 0 to 4294967295"},
      {R"("trigger_event":{"gpu_offset":70000})",
       "found 70000, expected a rank, 0 to 65535"},
      {R"("trigger_event":{"is_nvshmem":1})",
       "found 1, expected true or false"},
      {R"("inputs":7)", "found 7, expected an array, \"[\""},
      {R"("inputs":[7])", "found 7, expected an object, \"{\""},
      {R"("inputs":[{"data_type":65536}])",
       "found 65536, expected a data type, 0 to 65535"},
      {R"("inputs":[{"bx":2097152}])",
       "found 2097152, expected a block index, 0 to 2097151"},
      {R"("inputs":[{"offset":1e3}])",
       "found 1e3, expected an offset in bytes, 64 bits"},
      {R"("inputs":[{"offset":9223372036854775808}])",
       "found 9223372036854775808, expected an offset in bytes, 64 bits"},
      {R"("inputs":[{"strides":[null]}])",
       "found null, expected a stride in elements, 64 bits"},
      {R"("smem_regions":[01])",
       "found 01, expected a number without leading zeros"},
  };
  for (const auto& bad : cases) EXPECT_EQ(TaskError(bad.members), bad.error);
}

TEST(TaskGraphReader, SaysWhatEachEventMemberIs) {
  const auto event_error = [](const std::string& members) {
    const std::string error = ErrorOf(GraphOf("", "{" + members + "}"));
    return error.substr(error.find("found "));
  };
  EXPECT_EQ(event_error(R"("event_type":65536)"),
            "found 65536, expected an event type, 0 to 65535");
  EXPECT_EQ(event_error(R"("first_task_id":-1)"),
            "found -1, expected a task id");
  EXPECT_EQ(event_error(R"("num_triggers":18446744073709551616)"),
            "found 18446744073709551616, expected an integer of at most 64 "
            "bits");
}

std::string Repeated(const std::string& item, int times) {
  std::string list;
  for (int i = 0; i < times; ++i) list += (i == 0 ? "" : ",") + item;
  return list;
}

TEST(TaskGraphReader, HoldsListsToTheirLimits) {
  const auto with_dims = [](int dims) {
    return TaskError(R"("task_type":1,"inputs":[{"base_ptr":"x","dims":[)" +
                     Repeated("1", dims) +
                     R"(],"data_type":941,"strides":[],"offset":0}])");
  };
  EXPECT_EQ(with_dims(32), "");
  EXPECT_EQ(with_dims(33), "found 1, expected at most 32 dims or strides");

  const auto with_operands = [](int operands) {
    return TaskError(R"("task_type":1,"inputs":[)" +
                     Repeated(kOperand, operands) + "]");
  };
  EXPECT_EQ(with_operands(65535), "");
  EXPECT_EQ(with_operands(65536),
            "found {, expected at most 65535 operands a task");

  const auto with_unknown = [](int keys) {
    std::string members;
    for (int i = 0; i < keys; ++i) {
      members += ",\"k" + std::to_string(i) + "\":0";
    }
    const std::string error = ErrorOf(GraphOf(TaskOf(members)));
    return error.empty() ? error : error.substr(error.find("found "));
  };
  EXPECT_EQ(with_unknown(100), "");
  EXPECT_EQ(with_unknown(101),
            "found the key \"k100\", expected at most 100 unknown keys in an "
            "object");
}

TEST(TaskGraphReader, TakesTheLargestNumbers) {
  const TaskGraph graph = Read(GraphOf(
      R"({"task_type":4294967295,"trigger_event":18446744073709551615,
          "inputs":[{"base_ptr":"x","data_type":65535,
                     "dims":[9223372036854775807],
                     "offset":-9223372036854775808,
                     "strides":[-9223372036854775808]}]})"));
  const Task task = graph.task(TaskId(0));
  EXPECT_EQ(task.type, 4294967295u);
  EXPECT_EQ(task.trigger.raw(), UINT64_MAX);
  EXPECT_EQ(task.inputs[0].offset, INT64_MIN);
  EXPECT_EQ(graph.layout(task.inputs[0].layout).dims[0], INT64_MAX);
}

}  // namespace
}  // namespace graph_coverage
