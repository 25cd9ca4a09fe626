// SPDX-License-Identifier: Apache-2.0
//
// Every truncation and every change of one byte of two small gendirs that fail
// their audit: an error or a failing audit, never a pass, a crash or a hang.
#include <gtest/gtest.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"

namespace graph_coverage {
namespace {

// Under a sanitizer, an order slower, a byte takes only the values that differ
// by one bit; elsewhere all.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kAllValues = false;
#else
constexpr bool kAllValues = true;
#endif

constexpr const char* kSource =
    R"(static void _init_persistent_kernel() {
  char *weight = static_cast<char*>(model_tensors.at("weight"));
  all_tensors["weight"] = weight;
  char *rope_cos = static_cast<char*>(model_tensors.at("rope_cos"));
  all_tensors["rope_cos"] = rope_cos;
  void *h;
  CUDA_CHECK(cudaMalloc(&h, 16));
  all_tensors["h"] = h;
}
void _execute_task(TaskDesc const* task_desc) {
  if (task_desc->task_type == TASK_LINEAR && task_desc->variant_id == 0) {
    kernel::linear<8>(task_desc->input_ptrs[0], task_desc->output_ptrs[0]);
  }
}
)";

constexpr const char* kGraph =
    R"({"all_events":[{"event_type":911,"first_task_id":0,"last_task_id":0,
"num_triggers":1}],
"all_tasks":[{"dependent_event":1,"expert_offset":-1,"inputs":[
{"base_ptr":"weight","data_type":941,"dims":[8],"offset":0,"strides":[1]}],
"outputs":[{"base_ptr":"h","data_type":941,"dims":[8],"offset":0,
"strides":[1]}],"task_type":120,"trigger_event":1,"variant_id":0}],
"first_tasks":[0]}
)";

constexpr const char* kOldSource =
    R"(static void _init_persistent_kernel() {
  char *weight = (char*)(0x70cf96000000);
  all_tensors["weight"] = weight;
  char *position = (char*)(0x70d1a7000000);
  all_tensors["position"] = position;
  char *qk;
  cudaMalloc(&qk, 32);
  cudaMemcpy2D(qk + 0, 16, (void*)(0x70cf98000000), 16, 16, 2, kind);
  all_tensors["qk"] = qk;
}
void _execute_task(TaskDesc& task_desc) {
  if (task_desc.task_type == TASK_LINEAR && task_desc.variant_id == 0) {
    linear(task_desc.inputs[0].base_ptr, task_desc.inputs[1].base_ptr);
  }
}
)";

constexpr const char* kOldGraph =
    R"({"all_tasks":[{"task_type":120,"inputs":[
{"base_ptr":"weight","data_type":941,"dims":[8],"offset":0,"strides":[1]},
{"base_ptr":"qk","data_type":941,"dims":[8],"offset":0,"strides":[1]}],
"outputs":null,"trigger_event":{"gpu_offset":0,"event_pos":3,
"is_nvshmem":false},"dependent_event":{"gpu_offset":0,"event_pos":1,
"is_nvshmem":false}}],"all_events":[],"first_tasks":[0]}
)";

// No two names or addresses are one byte apart: that would be another graph,
// and rightly so.
struct Sample {
  const char* name;
  const char* source;
  const char* graph;

  friend void PrintTo(const Sample& sample, std::ostream* out) {
    *out << sample.name;
  }
};
constexpr Sample kSamples[] = {{"today", kSource, kGraph},
                               {"old", kOldSource, kOldGraph}};

Verdict VerdictOf(const std::string& source, const std::string& graph) {
  AuditOptions options;
  options.jobs = 1;
  return Audit(Gendir("gendir",
                      {{"kernel_0.cu", source}, {"task_graph_0.json", graph}}),
               options)
      .verdict;
}

// The values that take the place of a byte.
std::vector<char> Others(char byte) {
  std::vector<char> others;
  for (int change = 1; change < 256; ++change) {
    const bool one_bit = (change & (change - 1)) == 0;
    if (kAllValues || one_bit) {
      others.push_back(static_cast<char>(byte ^ change));
    }
  }
  return others;
}

class Corruption : public testing::TestWithParam<Sample> {};

TEST_P(Corruption, StartsFromAFailingAudit) {
  EXPECT_EQ(VerdictOf(GetParam().source, GetParam().graph), Verdict::kFail);
}

TEST_P(Corruption, NoTruncationPasses) {
  const std::string source = GetParam().source;
  const std::string graph = GetParam().graph;
  for (std::size_t size = 0; size < source.size(); ++size) {
    EXPECT_NE(VerdictOf(source.substr(0, size), graph), Verdict::kPass)
        << "source cut to " << size << " bytes";
  }
  for (std::size_t size = 0; size < graph.size(); ++size) {
    EXPECT_NE(VerdictOf(source, graph.substr(0, size)), Verdict::kPass)
        << "graph cut to " << size << " bytes";
  }
}

TEST_P(Corruption, NoChangedByteOfTheSourcePasses) {
  const std::string source = GetParam().source;
  for (std::size_t at = 0; at < source.size(); ++at) {
    std::string changed = source;
    for (const char value : Others(source[at])) {
      changed[at] = value;
      ASSERT_NE(VerdictOf(changed, GetParam().graph), Verdict::kPass)
          << "byte " << at << " made " << static_cast<int>(value) << ":\n"
          << changed;
    }
  }
}

TEST_P(Corruption, NoChangedByteOfTheGraphPasses) {
  const std::string graph = GetParam().graph;
  for (std::size_t at = 0; at < graph.size(); ++at) {
    std::string changed = graph;
    for (const char value : Others(graph[at])) {
      changed[at] = value;
      ASSERT_NE(VerdictOf(GetParam().source, changed), Verdict::kPass)
          << "byte " << at << " made " << static_cast<int>(value) << ":\n"
          << changed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, Corruption, testing::ValuesIn(kSamples),
                         [](const testing::TestParamInfo<Sample>& sample) {
                           return std::string(sample.param.name);
                         });

}  // namespace
}  // namespace graph_coverage
