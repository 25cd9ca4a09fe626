// SPDX-License-Identifier: Apache-2.0
//
// Attention with grouped queries: one linear layer makes q, k and v, a task a
// key-value head attends.
#include "generators/synthetic/composer.h"

namespace graph_coverage::synthetic {

void Composer::GroupedLayer(const std::string& prefix) {
  const GroupedAttention& attention = *model_.grouped;
  const DataType bf16 = DataType::kBf16;
  const std::int64_t heads = Share(attention.heads, "heads");
  const std::int64_t kv_heads = Share(attention.kv_heads, "key-value heads");
  const std::int64_t dim = attention.head_dim;
  const std::int64_t columns = (heads + 2 * kv_heads) * dim;

  const TensorRef normed = Activation("rmsnorm_out", model_.hidden);
  const TensorRef mixed = Activation("attn_in", columns);
  const TensorRef attended = Activation("attn_out", heads * dim);
  Norm(residual_, prefix + "input_layernorm", normed);
  const std::vector<Piece> pieces = {{prefix + "q_proj", heads * dim},
                                     {prefix + "k_proj", kv_heads * dim},
                                     {prefix + "v_proj", kv_heads * dim}};
  Linear(normed, Merged(prefix + "qkv_proj", pieces, kv_heads, model_.hidden),
         mixed, MergedTasks(pieces, kv_heads));

  const auto norm = [&](const char* name) {
    return attention.qk_norm ? Tile(program_.Attach(prefix + name, bf16, {dim}))
                             : NoTensor();
  };
  const auto cache = [&](const char* name) {
    return Tile(
        program_.Attach(prefix + name, bf16,
                        {model_.pages, model_.page_size, kv_heads, dim}),
        {2});
  };
  const auto table = [&](const char* name) {
    return Tile(program_.Attach(name, bf16, {model_.positions, dim}));
  };
  const Use q_norm = norm("q_norm");
  const Use k_norm = norm("k_norm");
  const Use k_cache = cache("k_cache");
  const Use v_cache = cache("v_cache");
  program_.Add(
      {kernels_.attention,
       {kv_heads, model_.requests},
       {Tile(mixed, {1}), k_cache, v_cache, q_norm, k_norm,
        table("cos_position_embedding"), table("sin_position_embedding")},
       {Tile(attended, {1})},
       Indexing::kRequest,
       {1, 2}});
  residual_ = ResidualLinear(attended, prefix + "o_proj", "attn_proj_out",
                             "attn_allreduce_out");
}

}  // namespace graph_coverage::synthetic
