// SPDX-License-Identifier: Apache-2.0
#include "generators/synthetic/task_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace graph_coverage::synthetic {
namespace {

constexpr std::string_view kPut = "TASK_NVSHMEM_ALLGATHER_STRIDED_PUT";

#define PAGED_KV                                 \
  "c.qo_indptr_buffer c.paged_kv_indptr_buffer " \
  "c.paged_kv_indices_buffer c.paged_kv_last_page_len_buffer"
#define DECODE "t0 t1 o0 o1 m.request_id m.kv_idx " PAGED_KV
#define MERGE                                           \
  "i0 i1 o0 m.request_id m.kv_idx m.merge_task_offset " \
  "c.qo_indptr_buffer"

// In the order of the numbers, which is that of the chain.
constexpr TaskType kTypes[] = {
    {"TASK_EMBEDDING", 101, "i0 i1 o0"},
    {"TASK_REDUCE", 107, "i0 i1 o0 c.my_gpu_id c.qo_indptr_buffer"},
    {"TASK_LINEAR_WITH_RESIDUAL", 108, "i0 i1 i2 o0 c.qo_indptr_buffer first r3"},
    {"TASK_ARGMAX_PARTIAL", 110, "i0 o0 o1 c.qo_indptr_buffer"},
    {"TASK_ARGMAX_REDUCE", 111, "i0 i1 o0 c.qo_indptr_buffer"},
    {"TASK_PAGED_ATTENTION_1", 116,
     "i0 i1 i2 o0 " PAGED_KV " m.request_id norm rope i3 i4 i5 i6 i7 1e-6f"},
    {"TASK_SILU_MUL", 118, "i0 o0 c.qo_indptr_buffer"},
    {"TASK_RMS_NORM", 119, "i0 i1 o0 1e-6f"},
    {"TASK_LINEAR", 120,
     "i0 i1 nullptr o0 c.qo_indptr_buffer false/*residual*/"},
    {"TASK_PAGED_ATTENTION_HOPPER", 153,
     "i1 i2 " PAGED_KV
     " m.request_id norm rope i3 i4 i5 i6 i7 1e-6f i0 o0 nullptr/*lse*/"},
    {"TASK_RMS_NORM_HOPPER", 154, "i0 i1 o0 1e-6f"},
    {"TASK_LINEAR_SWAPAB_HOPPER", 155, "t1 t0 nullptr u0 c.qo_indptr_buffer"},
    {"TASK_LINEAR_SWAPAB_WITH_RESIDUAL_HOPPER", 156,
     "t1 t0 r2 u0 c.qo_indptr_buffer"},
    {"TASK_MOE_W13_FP8_SM100", 248, "i0 i1 t2 i3 i4 i5 o0 m.expert_offset"},
    {"TASK_MOE_W2_FP8_SM100", 249, "i0 i1 t2 i3 i4 i5 o0 m.expert_offset"},
    {"TASK_LINEAR_WITH_RESIDUAL_SM100", 252, "t1 t0 u0 r2"},
    {"TASK_LINEAR_SM100", 253, "t1 t0 u0 nullptr"},
    {"TASK_MOE_W13_LINEAR_SM100", 254,
     "t1 nullptr i2 i3 o0 i0 m.expert_offset"},
    {"TASK_MOE_W2_LINEAR_SM100", 255, "t1 nullptr i2 i3 o0 i0 m.expert_offset"},
    {"TASK_ATTN_SM100", 257,
     "i0 i1 i2 o0 " PAGED_KV " m.request_id norm rope i3 i4 i5 i6 i7 1e-6f"},
    {"TASK_ARGMAX_REDUCE_SM100", 258, "i0 i1 o0 c.qo_indptr_buffer"},
    {"TASK_ARGMAX_PARTIAL_SM100", 259, "i0 o0 o1 c.qo_indptr_buffer"},
    {"TASK_MOE_TOPK_SOFTMAX_SM100", 260, "i0 nullptr o0 o1 o2 true"},
    {"TASK_MOE_MUL_SUM_ADD_SM100", 261, "i0 i1 i2 o0"},
    {"TASK_TENSOR_INIT", 262, "i0"},
    {"TASK_MLA_MTP_DECODE_SM100", 269, DECODE},
    {"TASK_MLA_MTP_REDUCE_SM100", 270, MERGE},
    {"TASK_MTP_VERIFY_STRICT", 271, "i0 i1 o0 o1"},
    {"TASK_MTP_ACCEPT_COMMIT", 272, "i0 i1 i2 o0 o1 o2"},
    {"TASK_MTP_TOKEN_SCATTER", 273, "i0 o0"},
    {"TASK_MTP_PREPARE_VERIFY", 274, "m.request_id i0 i1 i2 i3 o0"},
    {"TASK_QUANTIZE_FP8_SM100", 275, "i0 o0 o1"},
    {"TASK_LINEAR_FP8_SM100", 276, "nullptr/*residual*/ t0 t2 t1 t3 u0"},
    {"TASK_LINEAR_FP8_WITH_RESIDUAL_SM100", 277, "r4 t0 t2 t1 t3 u0"},
    {"TASK_MLA_KV_GATHER_SM100", 278,
     "m.request_id i0 i1 i2 i3 i4 i5 o0 " PAGED_KV},
    {"TASK_MOE_TOPK_SIGMOID_SM100", 280, "i0 i1 nullptr o0 o1 o2"},
    {"TASK_ELEMENTWISE_ADD_SM100", 281, "i0 i1 o0"},
    {"TASK_MLA_MTP_DECODE_TP2_SM100", 287, DECODE},
    {"TASK_MLA_MTP_DECODE_TP2_REDUCE_SM100", 288, MERGE},
    {"TASK_MLA_MTP_DECODE_TP4_SM100", 289, DECODE},
    {"TASK_MLA_MTP_DECODE_TP4_REDUCE_SM100", 290, MERGE},
    {"TASK_MLA_MTP_DECODE_TP8_SM100", 291, DECODE},
    {"TASK_MLA_MTP_DECODE_TP8_REDUCE_SM100", 292, MERGE},
    {"TASK_MTP_BUILD_EMBED_INPUT", 294, "m.request_id c.tokens c.step i0 o0"},
    {kPut, 301, "o0 i0 c.all_event_counters c.qo_indptr_buffer"},
    {"TASK_NVSHMEM_TILE_ALLREDUCE", 302,
     "i0 o0 c.nvshmem_teams m.task_offset c.qo_indptr_buffer"},
};

#undef PAGED_KV
#undef DECODE
#undef MERGE

const char* MetadataWords(Indexing indexing) {
  switch (indexing) {
    case Indexing::kBlock:
      return "";
    case Indexing::kRequest:
      return " m.request_id";
    case Indexing::kExpert:
      return " m.expert_offset";
    case Indexing::kSplit:
      return " m.request_id m.kv_idx";
    case Indexing::kMerge:
      return " m.request_id m.kv_idx m.merge_task_offset";
  }
  return "";
}

}  // namespace

const TaskType* FindTaskType(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kTypes), std::end(kTypes),
                   [&](const TaskType& type) { return type.name == name; });
  return found == std::end(kTypes) ? nullptr : found;
}

bool IsRemote(std::string_view type) { return type == kPut; }

std::uint32_t NumberOf(const Program& program, const std::string& type) {
  if (const auto own = program.type_numbers.find(type);
      own != program.type_numbers.end()) {
    return own->second;
  }
  if (const TaskType* known = FindTaskType(type)) return known->number;
  throw std::invalid_argument("no number is known for " + type);
}

std::string ArgumentsOf(const Operator& op) {
  if (const TaskType* type = FindTaskType(op.type)) {
    return std::string(type->arguments);
  }
  std::string words;
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    words += fmt::format("i{} ", i);
  }
  for (std::size_t i = 0; i < op.outputs.size(); ++i) {
    words += fmt::format("o{} ", i);
  }
  return words + "c.qo_indptr_buffer" + MetadataWords(op.indexing);
}

}  // namespace graph_coverage::synthetic
