// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sample_gendir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace graph_coverage {
namespace {

constexpr int kRequests = 4;

std::string Attached(const std::string& name) {
  return fmt::format(
      "  char *{0} = static_cast<char*>(model_tensors.at(\"{0}\"));\n"
      "  all_tensors[\"{0}\"] = {0};\n",
      name);
}

std::string KernelSource(Wiring wiring, int ranks) {
  return fmt::format(
      "static void _init_persistent_kernel(\n"
      "    std::map<std::string, void*> const &model_tensors) {{\n"
      "  assert(num_gpus = {});\n"
      "  std::map<std::string, void*> all_tensors;\n"
      "{}{}{}{}"
      "  all_tensors[\"nullptr\"] = nullptr;\n"
      "}}\n"
      "void _execute_task(TaskDesc const* task_desc,\n"
      "                   RuntimeConfig const &runtime_config) {{\n"
      "  if (task_desc->task_type == TASK_RMS_NORM_HOPPER &&"
      " task_desc->variant_id == 0) {{\n"
      "    kernel::rms_norm_impl<bfloat16, 128>(task_desc->input_ptrs[0],\n"
      "                                         task_desc->input_ptrs[1],\n"
      "                                         task_desc->output_ptrs[0]);\n"
      "  }}\n"
      "}}\n",
      ranks, Attached("x"), Attached("w"), Attached("out"),
      wiring == Wiring::kBroken ? Attached("rope_cos") : "");
}

std::string Row(const std::string& tensor, int request) {
  return fmt::format(
      R"({{"base_ptr": "{}", "data_type": 941, "dims": [1, 128],)"
      R"( "offset": {}, "strides": [128, 1]}})",
      tensor, request * 256);
}

std::string Task(int type, std::uint64_t trigger, const std::string& inputs,
                 const std::string& outputs, int request) {
  constexpr std::uint64_t kNoEvent = 0x7ffffffffffffffe;
  return fmt::format(
      R"({{"task_type": {}, "variant_id": 0, "trigger_event": {},)"
      R"( "dependent_event": {}, "inputs": {}, "outputs": {},)"
      R"( "request_id": {}}})",
      type, trigger, kNoEvent, inputs, outputs, request);
}

std::string TaskGraph() {
  constexpr std::uint64_t kNoEvent = 0x7ffffffffffffffe;
  std::string tasks = Task(0, kNoEvent, "null", "null", -1) + ",\n" +
                      Task(10, 1, "null", "null", -1);
  std::string first;
  const std::string weight =
      R"({"base_ptr": "w", "data_type": 941, "dims": [128], "offset": 0,)"
      R"( "strides": [1]})";
  for (int i = 0; i < kRequests; ++i) {
    tasks += ",\n" + Task(154, 2, fmt::format("[{}, {}]", Row("x", i), weight),
                          fmt::format("[{}]", Row("out", i)), i);
    first += fmt::format("{}{}", i == 0 ? "" : ", ", i + 2);
  }
  return fmt::format(
      R"({{"all_events": [)"
      R"({{"event_type": 911, "num_triggers": 1, "first_task_id": 0,)"
      R"( "last_task_id": 0}},)"
      R"({{"event_type": 903, "num_triggers": 1, "first_task_id": 2,)"
      R"( "last_task_id": {}}},)"
      R"({{"event_type": 910, "num_triggers": {}, "first_task_id": 0,)"
      R"( "last_task_id": 0}}],)"
      "\n\"all_tasks\": [{}],\n\"first_tasks\": [{}]}}\n",
      kRequests + 2, kRequests, tasks, first);
}

// Directories that go when the program ends.
struct ScratchDirectories {
  ~ScratchDirectories() {
    std::error_code ignored;
    for (const std::string& path : paths) {
      std::filesystem::remove_all(path, ignored);
    }
  }
  std::vector<std::string> paths;
};

}  // namespace

std::vector<MemoryFile> SampleFiles(Wiring wiring, int ranks) {
  std::vector<MemoryFile> files;
  for (int rank = 0; rank < ranks; ++rank) {
    files.push_back(
        {fmt::format("kernel_{}.cu", rank), KernelSource(wiring, ranks)});
    files.push_back({fmt::format("task_graph_{}.json", rank), TaskGraph()});
  }
  return files;
}

std::string WriteSample(const std::string& directory, Wiring wiring,
                        int ranks) {
  std::filesystem::create_directories(directory);
  for (const MemoryFile& file : SampleFiles(wiring, ranks)) {
    std::ofstream out(directory + "/" + file.name, std::ios::binary);
    out << file.content;
    if (!out.flush()) throw std::runtime_error("cannot write " + file.name);
  }
  return directory;
}

std::string ScratchDirectory(const std::string& name) {
  const testing::TestInfo* test =
      testing::UnitTest::GetInstance()->current_test_info();
  const std::string directory =
      fmt::format("{}graph_coverage_{}_{}_{}_{}", testing::TempDir(), getpid(),
                  test->test_suite_name(), test->name(), name);
  static ScratchDirectories scratch;
  scratch.paths.push_back(directory);
  return directory;
}

}  // namespace graph_coverage
