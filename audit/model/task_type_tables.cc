// SPDX-License-Identifier: Apache-2.0
#include "audit/model/task_type_tables.h"

#include <array>
#include <cstddef>

namespace graph_coverage {
namespace {

struct Entry {
  std::uint32_t number;
  std::string_view name;
};

// clang-format off
// In every version that has the type.
constexpr std::array<Entry, 58> kCommon = {{
    {101, "TASK_EMBEDDING"},
    {102, "TASK_RMS_NORM_LINEAR"},
    {103, "TASK_ATTENTION_1"},
    {104, "TASK_ATTENTION_2"},
    {105, "TASK_SILU_MUL_LINEAR_WITH_RESIDUAL"},
    {106, "TASK_ALLREDUCE"},
    {107, "TASK_REDUCE"},
    {108, "TASK_LINEAR_WITH_RESIDUAL"},
    {109, "TASK_ARGMAX"},
    {110, "TASK_ARGMAX_PARTIAL"},
    {111, "TASK_ARGMAX_REDUCE"},
    {112, "TASK_FIND_NGRAM_PARTIAL"},
    {113, "TASK_FIND_NGRAM_GLOBAL"},
    {114, "TASK_TARGET_VERIFY_GREEDY"},
    {115, "TASK_SINGLE_BATCH_EXTEND_ATTENTION"},
    {116, "TASK_PAGED_ATTENTION_1"},
    {117, "TASK_PAGED_ATTENTION_2"},
    {118, "TASK_SILU_MUL"},
    {119, "TASK_RMS_NORM"},
    {120, "TASK_LINEAR"},
    {121, "TASK_IDENTITY"},
    {151, "TASK_LINEAR_WITH_RESIDUAL_HOPPER"},
    {152, "TASK_LINEAR_HOPPER"},
    {153, "TASK_PAGED_ATTENTION_HOPPER"},
    {154, "TASK_RMS_NORM_HOPPER"},
    {155, "TASK_LINEAR_SWAPAB_HOPPER"},
    {156, "TASK_LINEAR_SWAPAB_WITH_RESIDUAL_HOPPER"},
    {157, "TASK_LINEAR_CUTLASS_HOPPER"},
    {158, "TASK_LINEAR_CUTLASS_WITH_RESIDUAL_HOPPER"},
    {159, "TASK_SILU_MUL_HOPPER"},
    {160, "TASK_EMBEDDING_HOPPER"},
    {161, "TASK_MOE_W13_LINEAR_SM90"},
    {162, "TASK_MOE_W2_LINEAR_SM90"},
    {163, "TASK_SPLITK_LINEAR_SWAPAB_HOPPER"},
    {164, "TASK_PAGED_ATTENTION_SPLIT_KV_HOPPER"},
    {199, "TASK_NVSHMEM_COPY"},
    {248, "TASK_MOE_W13_FP8_SM100"},
    {249, "TASK_MOE_W2_FP8_SM100"},
    {251, "TASK_SPLITK_LINEAR_SM100"},
    {252, "TASK_LINEAR_WITH_RESIDUAL_SM100"},
    {253, "TASK_LINEAR_SM100"},
    {254, "TASK_MOE_W13_LINEAR_SM100"},
    {255, "TASK_MOE_W2_LINEAR_SM100"},
    {257, "TASK_ATTN_SM100"},
    {258, "TASK_ARGMAX_REDUCE_SM100"},
    {259, "TASK_ARGMAX_PARTIAL_SM100"},
    {260, "TASK_MOE_TOPK_SOFTMAX_SM100"},
    {261, "TASK_MOE_MUL_SUM_ADD_SM100"},
    {262, "TASK_TENSOR_INIT"},
    {263, "TASK_PAGED_ATTENTION_SPLIT_KV_SM100"},
    {264, "TASK_PAGED_ATTENTION_SPLIT_KV_MERGE_SM100"},
    {265, "TASK_SAMPLING_SM100"},
    {266, "TASK_MLA_DECODE_SM100"},
    {267, "TASK_MLA_REDUCE_SM100"},
    {268, "TASK_MLA_PREFILL_SM100"},
    {280, "TASK_MOE_TOPK_SIGMOID_SM100"},
    {301, "TASK_NVSHMEM_ALLGATHER_STRIDED_PUT"},
    {302, "TASK_NVSHMEM_TILE_ALLREDUCE"},
}};

// What the generator added up to 2026-07.
constexpr std::array<Entry, 27> kMain = {{
    {269, "TASK_MLA_MTP_DECODE_SM100"},
    {270, "TASK_MLA_MTP_REDUCE_SM100"},
    {271, "TASK_MTP_VERIFY_STRICT"},
    {272, "TASK_MTP_ACCEPT_COMMIT"},
    {273, "TASK_MTP_TOKEN_SCATTER"},
    {274, "TASK_MTP_PREPARE_VERIFY"},
    {275, "TASK_QUANTIZE_FP8_SM100"},
    {276, "TASK_LINEAR_FP8_SM100"},
    {277, "TASK_LINEAR_FP8_WITH_RESIDUAL_SM100"},
    {278, "TASK_MLA_KV_GATHER_SM100"},
    {281, "TASK_ELEMENTWISE_ADD_SM100"},
    {282, "TASK_SOFTMAX_GATHER_SM100"},
    {283, "TASK_MTP_VERIFY_PROBABILISTIC"},
    {284, "TASK_PROB_SCATTER_SM100"},
    {285, "TASK_MTP_FLOAT_SCATTER"},
    {286, "TASK_PROB_EXTRACT_SM100"},
    {287, "TASK_MLA_MTP_DECODE_TP2_SM100"},
    {288, "TASK_MLA_MTP_DECODE_TP2_REDUCE_SM100"},
    {289, "TASK_MLA_MTP_DECODE_TP4_SM100"},
    {290, "TASK_MLA_MTP_DECODE_TP4_REDUCE_SM100"},
    {291, "TASK_MLA_MTP_DECODE_TP8_SM100"},
    {292, "TASK_MLA_MTP_DECODE_TP8_REDUCE_SM100"},
    {293, "TASK_MLA_KV_GATHER_SPLIT_SM100"},
    {294, "TASK_MTP_BUILD_EMBED_INPUT"},
    {295, "TASK_MLA_PREFILL_TP8_SM100"},
    {296, "TASK_MLA_UNIFIED_SM100"},
    {297, "TASK_MLA_KV_GATHER_UNIFIED_SM100"},
}};

// What the branch with the second runtime has instead.
constexpr std::array<Entry, 8> kV2 = {{
    {244, "TASK_LINEAR_SM100_V2"},
    {245, "TASK_LINEAR_WITH_RESIDUAL_SM100_V2"},
    {281, "TASK_RMS_NORM_HOPPER_V2"},
    {282, "TASK_SILU_MUL_V2"},
    {283, "TASK_EMBEDDING_V2"},
    {284, "TASK_ATTN_SM100_V2"},
    {285, "TASK_ARGMAX_PARTIAL_SM100_V2"},
    {286, "TASK_ARGMAX_REDUCE_SM100_V2"},
}};

// What the fork whose operands carry block indices has besides.
constexpr std::array<Entry, 3> kBlockIndexFork = {{
    {122, "TASK_SILU_MUL_LINEAR"},
    {123, "TASK_GQA_DECODE"},
    {124, "TASK_ROPE"},
}};
// clang-format on

template <std::size_t kSize>
TaskTypeTable Table(std::string_view version,
                    const std::array<Entry, kSize>& entries) {
  TaskTypeTable table{version, {}};
  for (const Entry& entry : kCommon) {
    table.numbers.emplace(entry.name, entry.number);
  }
  for (const Entry& entry : entries) {
    table.numbers.emplace(entry.name, entry.number);
  }
  return table;
}

}  // namespace

const std::vector<TaskTypeTable>& TaskTypeTables() {
  static const std::vector<TaskTypeTable> tables = {
      Table("2025-07 to 2026-07", kMain),
      Table("the second runtime", kV2),
      Table("the fork with block indices", kBlockIndexFork),
  };
  return tables;
}

}  // namespace graph_coverage
