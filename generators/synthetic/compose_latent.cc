// SPDX-License-Identifier: Apache-2.0
//
// Attention over a compressed cache. Two branches leave the quantised input:
// one makes q, the other adds to the cache and gathers it; decode joins them.
#include <fmt/format.h>

#include <stdexcept>

#include "generators/synthetic/composer.h"

namespace graph_coverage::synthetic {
namespace {

// The decode kernels are written for certain numbers of ranks.
std::string DecodeType(std::uint32_t ranks, bool reduce) {
  if (ranks == 1) {
    return reduce ? "TASK_MLA_MTP_REDUCE_SM100" : "TASK_MLA_MTP_DECODE_SM100";
  }
  if (ranks != 2 && ranks != 4 && ranks != 8) {
    throw std::invalid_argument("latent attention runs on 1, 2, 4 or 8 ranks");
  }
  return fmt::format("TASK_MLA_MTP_DECODE_TP{}{}_SM100", ranks,
                     reduce ? "_REDUCE" : "");
}

}  // namespace

void Composer::LatentLayer(const std::string& prefix,
                           const std::string& cache_name) {
  using Rope = LatentAttention::Rope;
  const LatentAttention& attention = *model_.latent;
  const DataType bf16 = DataType::kBf16;
  const std::int64_t heads = Share(attention.heads, "heads");
  const std::int64_t row = attention.kv_rank + attention.rope_dim;

  const TensorRef normed = Activation("rmsnorm_out", model_.hidden);
  const TensorRef q_a = Activation("q_a_out", attention.q_rank);
  const TensorRef q = Activation("q_nope_pe", heads * row);
  const TensorRef latent = Activation("c_latent_out", attention.kv_rank);
  const TensorRef key = Activation("k_pe_out", attention.key_columns);
  const TensorRef gathered =
      program_.Scratch("contiguous_kv", bf16, {attention.context, row});
  const TensorRef partial =
      program_.Scratch("mla_partial_o", bf16,
                       {attention.splits, attention.heads * attention.kv_rank});
  const TensorRef lse = program_.Scratch("mla_partial_lse", DataType::kF32,
                                         {attention.splits, attention.heads});
  const TensorRef attended = Activation("attn_out", heads * attention.kv_rank);
  std::vector<Use> tables;
  if (attention.rope != Rope::kAbsent) {
    for (const char* name : {"rope_cos", "rope_sin"}) {
      tables.push_back(Tile(
          program_.Attach(name, bf16, {model_.positions, attention.rope_dim})));
    }
    if (attention.rope == Rope::kUnwired) tables.clear();
  }

  Norm(residual_, prefix + "input_layernorm", normed);
  const Quantised input = Quantise(normed);
  LinearFp8(input, prefix + "q_a_proj", q_a);
  LinearFp8(input, prefix + "kv_a_latent", latent);
  LinearFp8(input, prefix + "kv_a_rope", key);
  Norm(q_a, prefix + "q_a_layernorm", q_a);
  Norm(latent, prefix + "kv_a_layernorm", latent);
  Linear(q_a,
         program_.Attach(prefix + "q_b_proj", bf16,
                         {heads * row, attention.q_rank}),
         q, LinearTasks(heads * row));

  // The gather writes the gathered cache through an input slot; the output
  // slot tells the scheduler so.
  const TensorRef cache =
      program_.Attach(cache_name, bf16, {model_.pages, model_.page_size, row});
  std::vector<Use> gather = {Tile(latent), Tile(key), Tile(cache),
                             Tile(gathered)};
  gather.insert(gather.end(), tables.begin(), tables.end());
  program_.Add({"TASK_MLA_KV_GATHER_SM100",
                {model_.requests},
                gather,
                {Tile(gathered)},
                Indexing::kBlock,
                {2, 3}});
  if (!tables.empty()) {
    // A fork's own type, under the number that it has there.
    program_.type_numbers["TASK_MLA_Q_ROPE_SM100"] = 296;
    program_.Add({"TASK_MLA_Q_ROPE_SM100",
                  {1},
                  {Tile(q), tables[0], tables[1]},
                  {Tile(q)},
                  Indexing::kBlock,
                  {}});
  }
  program_.Add({DecodeType(model_.ranks, false),
                {model_.requests, attention.splits},
                {Tile(q), Tile(gathered)},
                {Tile(partial), Tile(lse)},
                Indexing::kSplit,
                {}});
  program_.Add({DecodeType(model_.ranks, true),
                {attention.merge_requests, attention.merge_tiles},
                {Tile(partial), Tile(lse)},
                {Tile(attended)},
                Indexing::kMerge,
                {}});
  residual_ = ResidualLinear(attended, prefix + "o_proj",
                             prefix + "attn_proj_fused", "attn_allreduce_out");
}

}  // namespace graph_coverage::synthetic
