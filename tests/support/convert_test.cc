// SPDX-License-Identifier: Apache-2.0
#include "tests/support/convert.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "tests/support/field.h"

namespace graph_coverage::test_support {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSource = R"cu(
void _init(std::map<std::string, void*> const &model_tensors) {
  char *w = static_cast<char*>(model_tensors.at("w"));
  all_tensors["w"] = w;
  void *x;
  CUDA_CHECK(cudaMalloc(&x, 64));
  all_tensors["x"] = x;
  char *qkv;
  CUDA_CHECK(cudaMalloc(&qkv, 64));
  CUDA_CHECK(cudaMemcpy2DAsync(reinterpret_cast<void *>(qkv + 0), 8, model_tensors.at("q"), 4, 4, 8, cudaMemcpyDeviceToDevice));
  all_tensors["qkv"] = qkv;
  all_tensors["nullptr"] = nullptr;
}
__device__ __forceinline__
void _execute_task(TaskDesc const* task_desc) {
  if (task_desc->task_type == TASK_A && task_desc->variant_id == 0) {
      kernel::a<bfloat16, 128, true>(
      task_desc->input_ptrs[0],
      *reinterpret_cast<T const*>(task_desc->input_tma_desc_ptrs[1][0]),
      task_desc->task_metadata.request_id,
      task_desc->task_metadata.task_offset,
      true,
      false/*recorded*/,
      task_desc->output_ptrs[0]);
  }
}
)cu";

// Two tasks of one operator, launched by event 2, after a first one.
json SmallGraph() {
  const auto operand = [](const char* name, int offset) {
    return json{{"base_ptr", name},
                {"data_type", 941},
                {"dims", {1, 4}},
                {"offset", offset},
                {"strides", {4, 1}}};
  };
  const auto task = [](int type, std::uint64_t dependent, std::uint64_t trigger,
                       json inputs, json outputs) {
    return json{{"task_type", type},        {"variant_id", 0},
                {"inputs", inputs},         {"outputs", outputs},
                {"trigger_event", trigger}, {"dependent_event", dependent},
                {"request_id", 0},          {"kv_idx", -1},
                {"expert_offset", -65536},  {"merge_task_offset", -1},
                {"task_offset", -1}};
  };
  const auto event = [](int type, int first, int last, int triggers) {
    return json{{"event_type", type},
                {"first_task_id", first},
                {"last_task_id", last},
                {"num_triggers", triggers}};
  };
  constexpr std::uint64_t kNone = 0x7ffffffffffffffe;
  constexpr std::uint64_t kRemote = 0x1e00000100000003;
  return {{"all_events",
           {event(911, 0, 0, 1), event(903, 2, 5, 1), event(900, 3, 5, 1),
            event(910, 0, 0, 2)}},
          {"all_tasks",
           {task(0, kNone, kNone, nullptr, nullptr),
            task(10, kNone, 1, nullptr, nullptr),
            task(101, kNone, 2, {operand("w", 0)}, {operand("x", 0)}),
            task(102, 2, 3, {operand("x", 0), operand("qkv", 8)},
                 {operand("x", 8)}),
            task(102, 2, kRemote, {operand("x", 0), operand("qkv", 16)},
                 {operand("x", 16)})}},
          {"first_tasks", {2}}};
}

std::vector<MemoryFile> SmallGendir() {
  return {{"kernel_0.cu", kSource},
          {"task_graph_0.json", SmallGraph().dump(2)}};
}

std::string SourceIn(Form form) {
  return Convert(SmallGendir(), form)[0].content;
}

json GraphIn(Form form) {
  return json::parse(Convert(SmallGendir(), form)[1].content);
}

std::vector<std::string> NamesIn(Form form) {
  std::vector<std::string> names;
  for (const MemoryFile& file : Convert(SmallGendir(), form)) {
    names.push_back(file.name);
  }
  return names;
}

// How many operands name each tensor, the sides apart.
std::map<std::string, int> OperandCounts(const json& graph) {
  std::map<std::string, int> counts;
  for (const json& task : graph.at("all_tasks")) {
    for (const char* side : {"inputs", "outputs"}) {
      if (!task.contains(side) || task[side].is_null()) continue;
      for (const json& operand : task[side]) {
        ++counts[std::string(side) + " " +
                 operand.at("base_ptr").get<std::string>()];
      }
    }
  }
  return counts;
}

std::set<std::string> KeysOf(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

using Keys = std::set<std::string>;

class EveryForm : public ::testing::TestWithParam<Form> {};

TEST_P(EveryForm, KeepsTasksAndOperands) {
  const json graph = GraphIn(GetParam());
  EXPECT_EQ(graph.at("all_tasks").size(), 5);
  EXPECT_EQ(OperandCounts(graph), OperandCounts(SmallGraph()));
  EXPECT_EQ(OperandCounts(graph).at("inputs qkv"), 2);
}

TEST_P(EveryForm, KeepsTheLinesOfDeclarations) {
  const std::string source = SourceIn(GetParam());
  for (const char* name : {"w", "x", "qkv"}) {
    const std::string line =
        "  all_tensors[\"" + std::string(name) + "\"] = " + name + ";\n";
    const std::size_t at = source.find(line);
    ASSERT_NE(at, std::string::npos) << name;
    const std::string before = source.substr(0, at);
    const std::string original = kSource;
    EXPECT_EQ(std::count(before.begin(), before.end(), '\n'),
              std::count(original.begin(),
                         original.begin() +
                             static_cast<std::ptrdiff_t>(original.find(line)),
                         '\n'));
  }
}

TEST_P(EveryForm, IsAnotherFormThanTheOriginal) {
  const auto original = SmallGendir(),
             converted = Convert(original, GetParam());
  bool same = converted.size() == original.size();
  for (std::size_t i = 0; same && i < converted.size(); ++i) {
    same = converted[i].name == original[i].name &&
           converted[i].content == original[i].content;
  }
  EXPECT_FALSE(same);
}

std::string NameOf(const ::testing::TestParamInfo<Form>& info) {
  std::string name = ToString(info.param);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Convert, EveryForm, ::testing::ValuesIn(AllForms()),
                         NameOf);

TEST(Convert, RenamesFiles) {
  EXPECT_THAT(NamesIn(Form::kCompileNames),
              ElementsAre("test_rank0.cu", "task_graph_rank0.json",
                          "kernel_metadata_rank0.json"));
  EXPECT_THAT(NamesIn(Form::kTempNames),
              ElementsAre("test.cu", "task_graph.json"));
  EXPECT_THAT(NamesIn(Form::kOldTempNames),
              ElementsAre("kernel.cu", "task_graph.json"));
  EXPECT_THAT(NamesIn(Form::kF9),
              ElementsAre("kernel_0.cu", "task_graph_0.json"));
}

TEST(Convert, RefusesNamesWithoutANumberForSeveralRanks) {
  EXPECT_THROW(Convert({{"kernel_1.cu", ""}}, Form::kTempNames),
               std::invalid_argument);
}

TEST(Convert, WritesF0) {
  const json graph = GraphIn(Form::kF0);
  const json& task = graph["all_tasks"][4];
  EXPECT_EQ(KeysOf(task),
            (Keys{"task_type", "inputs", "outputs", "trigger_event"}));
  EXPECT_EQ(task["trigger_event"],
            (json{{"gpu_offset", 1}, {"event_pos", 3}, {"is_nvshmem", true}}));
  EXPECT_EQ(graph["all_events"][2]["event_type"], 901);

  const std::string source = SourceIn(Form::kF0);
  EXPECT_THAT(source, HasSubstr("char *w = (char*) torch_tensors[0];"));
  EXPECT_THAT(source, Not(HasSubstr("_execute_task")));
}

TEST(Convert, RefusesF0WhereWaitersAreNoRange) {
  json graph = SmallGraph();
  graph["all_tasks"][3]["dependent_event"] = 3;
  EXPECT_THROW(Convert({{"task_graph_0.json", graph.dump()}}, Form::kF0),
               std::invalid_argument);
}

TEST(Convert, WritesF2) {
  const json task = GraphIn(Form::kF2)["all_tasks"][3];
  EXPECT_EQ(KeysOf(task), (Keys{"task_type", "variant_id", "inputs", "outputs",
                                "trigger_event", "dependent_event"}));
  EXPECT_EQ(task["dependent_event"],
            (json{{"gpu_offset", 0}, {"event_pos", 2}, {"is_nvshmem", false}}));
  EXPECT_EQ(GraphIn(Form::kF2)["all_tasks"][2]["dependent_event"],
            0x7ffffffffffffffeU);

  EXPECT_EQ(SourceIn(Form::kF2), R"cu(
void _init(std::map<std::string, void*> const &model_tensors) {
  char *w = (char*)(0x70cf96000000);
  all_tensors["w"] = w;
  void *x;
  cudaMalloc(&x, 64);
  all_tensors["x"] = x;
  char *qkv;
  cudaMalloc(&qkv, 64);
  cudaMemcpy2DAsync(reinterpret_cast<void *>(qkv + 0), 8, reinterpret_cast<const void *>(0x70cf98000000), 4, 4, 8, cudaMemcpyDeviceToDevice);
  all_tensors["qkv"] = qkv;

}
__device__ __forceinline__
void _execute_task(TaskDesc const &task_desc) {
  if (task_desc.task_type == TASK_A && task_desc.variant_id == 0) {
      kernel::a<bfloat16, 128, true>(
      task_desc.inputs[0].base_ptr,
      *reinterpret_cast<T const*>(task_desc.inputs[1].base_ptr),
      0,
      0,
      1,
      0/*recorded*/,
      task_desc.outputs[0].base_ptr);
  }
}
)cu");
}

TEST(Convert, RefusesNullOperandsBeforeF4) {
  json graph = SmallGraph();
  graph["all_tasks"][2]["inputs"][0]["base_ptr"] = "nullptr";
  const std::vector<MemoryFile> files = {{"task_graph_0.json", graph.dump()}};
  EXPECT_THROW(Convert(files, Form::kF0), std::invalid_argument);
  EXPECT_THROW(Convert(files, Form::kF2), std::invalid_argument);
  EXPECT_NO_THROW(Convert(files, Form::kF4));
}

TEST(Convert, WritesF4) {
  EXPECT_EQ(KeysOf(GraphIn(Form::kF4)["all_tasks"][3]),
            (Keys{"task_type", "variant_id", "inputs", "outputs",
                  "trigger_event", "dependent_event"}));
  EXPECT_EQ(GraphIn(Form::kF4)["all_tasks"][4]["trigger_event"],
            0x1e00000100000003U);
  const std::string source = SourceIn(Form::kF4);
  EXPECT_THAT(source, HasSubstr("all_tensors[\"nullptr\"] = nullptr;"));
  EXPECT_THAT(source, HasSubstr("\n      true,\n      false/*recorded*/,"));
  EXPECT_THAT(source, HasSubstr("task_desc.inputs[0].base_ptr"));
}

TEST(Convert, WritesF9) {
  EXPECT_EQ(KeysOf(GraphIn(Form::kF9)["all_tasks"][3]),
            (Keys{"task_type", "variant_id", "inputs", "outputs",
                  "trigger_event", "dependent_event", "request_id", "kv_idx",
                  "expert_offset", "merge_task_offset"}));
  const std::string source = SourceIn(Form::kF9);
  EXPECT_THAT(source, HasSubstr("char *w = (char*)(0x70cf96000000);"));
  EXPECT_THAT(source, HasSubstr("CUDA_CHECK(cudaMalloc(&x, 64));"));
  EXPECT_THAT(source, HasSubstr("task_metadata.request_id"));
  EXPECT_THAT(source, Not(HasSubstr("task_metadata.task_offset")));
  EXPECT_THAT(source, HasSubstr("input_tma_desc_ptrs[1][0]"));
}

TEST(Convert, AddsTheKeysOfForks) {
  EXPECT_TRUE(GraphIn(Form::kF13)["all_tasks"][2].contains("smem_regions"));
  EXPECT_TRUE(GraphIn(Form::kX1)["all_tasks"][2].contains("is_tail_task"));
}

TEST(Convert, WritesX2) {
  const json task = GraphIn(Form::kX2)["all_tasks"][4];
  EXPECT_EQ(KeysOf(task["inputs"][0]), (Keys{"base_ptr", "data_type", "dims",
                                             "strides", "bx", "by", "bz"}));
  // x occurs at the offsets 0, 8 and 16; qkv at 8 and 16.
  EXPECT_EQ(task["inputs"][0]["bx"], 0);
  EXPECT_EQ(task["inputs"][1]["bx"], 1);
  EXPECT_EQ(task["outputs"][0]["bx"], 2);
}

TEST(Convert, ReordersKeys) {
  const std::string text = Convert(SmallGendir(), Form::kReordered)[1].content;
  EXPECT_LT(text.find("first_tasks"), text.find("all_tasks"));
  EXPECT_LT(text.find("all_tasks"), text.find("all_events"));
  EXPECT_THAT(text, HasSubstr("\"inputs\":[]"));
  EXPECT_THAT(text, Not(HasSubstr("\n")));
}

TEST(Convert, LeavesKeysOut) {
  EXPECT_FALSE(GraphIn(Form::kAbsentKeys)["all_tasks"][0].contains("inputs"));
  EXPECT_FALSE(
      GraphIn(Form::kAbsentKeys)["all_tasks"][3].contains("variant_id"));
}

TEST(Convert, AddsUnknownKeys) {
  const json graph = GraphIn(Form::kUnknownKeys);
  EXPECT_TRUE(graph.contains("generator"));
  EXPECT_TRUE(graph["all_tasks"][3].contains("colour"));
  EXPECT_TRUE(graph["all_tasks"][3]["inputs"][0].contains("swizzle"));
  EXPECT_TRUE(graph["all_events"][0].contains("label"));
}

TEST(ReadArtifacts, ReadsAFieldCase) {
  const auto gendir = FieldCase("testmode_rmsnorm");
  if (!gendir) GTEST_SKIP() << NoFieldCase("testmode_rmsnorm");
  const std::vector<MemoryFile> files = ReadArtifacts(*gendir);
  ASSERT_EQ(files.size(), 2);
  EXPECT_EQ(files[0].name, "kernel_0.cu");
  EXPECT_EQ(files[1].name, "task_graph_0.json");
  EXPECT_EQ(json::parse(files[1].content).at("all_tasks").size(), 18);
}

}  // namespace
}  // namespace graph_coverage::test_support
