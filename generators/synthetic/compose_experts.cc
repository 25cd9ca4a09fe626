// SPDX-License-Identifier: Apache-2.0
//
// MLPs of experts: a router picks some for each token, their outputs are
// weighted and summed. The fp8 kind has a shared expert beside them.
#include <stdexcept>

#include "generators/synthetic/composer.h"

namespace graph_coverage::synthetic {

void Composer::ExpertLayer(const std::string& prefix) {
  if (model_.ranks > 1) {
    throw std::invalid_argument("bf16 experts run on one rank");
  }
  const Experts& experts = *model_.experts;
  const DataType bf16 = DataType::kBf16;
  const std::int64_t batch = model_.batch;
  const std::int64_t active = experts.active;
  const TensorRef normed = Activation("rmsnorm_out", model_.hidden);
  const TensorRef logits = Activation("moe_gate_out", experts.count);
  const TensorRef weights =
      program_.Scratch("moe_topk_weight", DataType::kF32, {batch, active});
  const TensorRef routing = program_.Scratch(
      "moe_routing_indices", DataType::kI32, {experts.count, batch});
  const TensorRef mask =
      program_.Scratch("moe_mask", DataType::kI32, {experts.count + 1});
  const TensorRef mid = program_.Scratch(
      "mlp_mid", bf16, {batch, active, 2 * experts.intermediate});
  const TensorRef silu = program_.Scratch(
      "silu_mul_out", bf16, {batch, active, experts.intermediate});
  const TensorRef down =
      program_.Scratch("mlp_out", bf16, {batch, active, model_.hidden});
  const TensorRef sum = Activation("mlp_weighted_sum_out", model_.hidden);

  Norm(residual_, prefix + "post_attn_layernorm", normed);
  Linear(normed,
         program_.Attach(prefix + "moe_gate", bf16,
                         {experts.count, model_.hidden}),
         logits, experts.gate_tiles);
  program_.Add({"TASK_MOE_TOPK_SOFTMAX_SM100",
                {1},
                {Tile(logits)},
                {Tile(weights), Tile(routing), Tile(mask)},
                Indexing::kBlock,
                {}});
  const TensorRef up_weight =
      program_.Attach(prefix + "gateup_proj", bf16,
                      {experts.count, 2 * experts.intermediate, model_.hidden});
  program_.Add({"TASK_MOE_W13_LINEAR_SM100",
                {experts.up_stride, experts.up_tiles},
                {Tile(normed), Tile(up_weight, {Use::kWhole, 1}), Tile(routing),
                 Tile(mask)},
                {Tile(mid, {Use::kWhole, 2})},
                Indexing::kExpert,
                {}});
  program_.Add({"TASK_SILU_MUL",
                {batch, active},
                {Tile(mid, {0, 1})},
                {Tile(silu, {0, 1})},
                Indexing::kBlock,
                {}});
  const TensorRef down_weight =
      program_.Attach(prefix + "down_proj", bf16,
                      {experts.count, model_.hidden, experts.intermediate});
  program_.Add({"TASK_MOE_W2_LINEAR_SM100",
                {experts.down_stride, experts.down_tiles},
                {Tile(silu), Tile(down_weight, {Use::kWhole, 1}), Tile(routing),
                 Tile(mask)},
                {Tile(down, {Use::kWhole, 2})},
                Indexing::kExpert,
                {}});
  program_.Add(
      {"TASK_MOE_MUL_SUM_ADD_SM100",
       {batch, experts.sum_tiles},
       {Tile(down, {0, 2}), Tile(weights, {0}), Tile(residual_, {0, 1})},
       {Tile(sum, {0, 1})},
       Indexing::kBlock,
       {}});
  residual_ = sum;
}

void Composer::ExpertLayerFp8(const std::string& prefix) {
  const Experts& experts = *model_.experts;
  const DataType bf16 = DataType::kBf16;
  const DataType fp8 = DataType::kFp8;
  const DataType f32 = DataType::kF32;
  const std::int64_t batch = model_.batch;
  const std::int64_t hidden = model_.hidden;
  const std::int64_t active = experts.active;
  const std::int64_t columns = Share(experts.intermediate, "expert columns");
  const std::int64_t shared_columns =
      Share(experts.shared_intermediate, "shared expert columns");
  if (shared_columns < model_.cuts.fp8_columns) {
    throw std::invalid_argument("fp8 experts need a shared expert");
  }
  // Scales of experts stand for blocks of this many columns.
  constexpr std::int64_t kBlock = 128;
  const auto blocks = [](std::int64_t n) { return (n + kBlock - 1) / kBlock; };
  const auto scratch = [&](const char* name, DataType type,
                           std::vector<std::int64_t> dims) {
    return program_.Scratch(prefix + name, type, std::move(dims));
  };

  const TensorRef normed = Activation("rmsnorm_out", hidden);
  const TensorRef logits =
      scratch("router_logits", bf16, {batch, experts.count});
  const TensorRef output =
      model_.ranks > 1
          ? program_.Nvshmem(prefix + "moe_output", bf16, {batch, hidden})
          : scratch("moe_output", bf16, {batch, hidden});
  const TensorRef weights = scratch("moe_topk_weights", f32, {batch, active});
  const TensorRef routing =
      scratch("moe_routing_indices", DataType::kI32, {experts.count, batch});
  const TensorRef mask =
      scratch("moe_mask", DataType::kI32, {experts.count + 1});
  const TensorRef input = scratch("moe_input_fp8", fp8, {batch, hidden});
  const TensorRef input_scale =
      scratch("moe_input_scale", f32, {batch, blocks(hidden)});
  const TensorRef mid = scratch("moe_mid", bf16, {batch, active, 2 * columns});
  const TensorRef silu = scratch("moe_silu", bf16, {batch, active, columns});
  const TensorRef silu_fp8 =
      scratch("moe_silu_fp8", fp8, {batch, active, columns});
  const TensorRef silu_scale =
      scratch("moe_silu_scale", f32, {batch, active, blocks(columns)});
  const TensorRef down = scratch("moe_down", bf16, {batch, active, hidden});
  const TensorRef shared_mid =
      Activation(prefix + "shared_mid", 2 * shared_columns);
  const TensorRef shared_silu =
      Activation(prefix + "shared_silu", shared_columns);
  const TensorRef aside = Activation(prefix + "shared_residual", hidden);

  // Branches of the fork lie side by side: router and initialisation, then
  // what follows each.
  Norm(residual_, prefix + "post_attn_layernorm", normed);
  Linear(normed,
         program_.Attach(prefix + "moe_gate", bf16, {experts.count, hidden}),
         logits, experts.gate_tiles);
  Use order = Tile(normed, {0});
  order.order_only = true;
  program_.Add({"TASK_TENSOR_INIT",
                {batch},
                {Tile(output, {0}), order},
                {order},
                Indexing::kBlock,
                {0}});
  program_.Add({"TASK_MOE_TOPK_SIGMOID_SM100",
                {1},
                {Tile(logits), Tile(program_.Attach(prefix + "moe_gate_bias",
                                                    f32, {experts.count}))},
                {Tile(weights), Tile(routing), Tile(mask)},
                Indexing::kBlock,
                {}});
  program_.Add({"TASK_QUANTIZE_FP8_SM100",
                {1},
                {Tile(normed)},
                {Tile(input), Tile(input_scale)},
                Indexing::kBlock,
                {}});
  const Quantised shared_input = Quantise(normed);

  const auto expert_weight = [&](const char* name, std::int64_t rows,
                                 std::int64_t width) {
    return std::pair(
        Tile(program_.Attach(prefix + name, fp8, {experts.count, rows, width}),
             {Use::kWhole, 1}),
        Tile(program_.Attach(prefix + name + "_scale", f32,
                             {experts.count, rows, blocks(width)}),
             {Use::kWhole, 1}));
  };
  const auto [up, up_scale] = expert_weight("experts_w13", 2 * columns, hidden);
  program_.Add({"TASK_MOE_W13_FP8_SM100",
                {experts.up_stride, experts.up_tiles},
                {Tile(input), Tile(input_scale), up, up_scale, Tile(routing),
                 Tile(mask)},
                {Tile(mid, {Use::kWhole, 2})},
                Indexing::kExpert,
                {}});
  LinearFp8(shared_input, prefix + "shared_expert_gate_up", shared_mid);
  program_.Add({"TASK_SILU_MUL",
                {batch, active},
                {Tile(mid, {0, 1})},
                {Tile(silu, {0, 1})},
                Indexing::kBlock,
                {}});
  program_.Add({"TASK_SILU_MUL",
                {shared_columns / model_.cuts.fp8_columns},
                {Tile(shared_mid, {1})},
                {Tile(shared_silu, {1})},
                Indexing::kBlock,
                {}});
  program_.Add({"TASK_QUANTIZE_FP8_SM100",
                {1},
                {Tile(silu)},
                {Tile(silu_fp8), Tile(silu_scale)},
                Indexing::kBlock,
                {}});
  const Quantised shared_active = Quantise(shared_silu);
  const auto [out, out_scale] = expert_weight("experts_w2", hidden, columns);
  program_.Add({"TASK_MOE_W2_FP8_SM100",
                {experts.down_stride, experts.down_tiles},
                {Tile(silu_fp8), Tile(silu_scale), out, out_scale,
                 Tile(routing), Tile(mask)},
                {Tile(down, {Use::kWhole, 2})},
                Indexing::kExpert,
                {}});
  LinearFp8(shared_active, prefix + "shared_expert_down", aside);

  program_.Add({"TASK_MOE_MUL_SUM_ADD_SM100",
                {batch},
                {Tile(down, {0}), Tile(weights, {0}), Tile(aside, {0})},
                {Tile(output, {0})},
                Indexing::kBlock,
                {}});
  const TensorRef reduced = ReduceOverRanks(output, "allreduce_out");
  const TensorRef sum = Activation(prefix + "moe_residual", hidden);
  program_.Add({"TASK_ELEMENTWISE_ADD_SM100",
                {batch},
                {Tile(residual_, {0}), Tile(reduced, {0})},
                {Tile(sum, {0})},
                Indexing::kBlock,
                {}});
  residual_ = sum;
}

}  // namespace graph_coverage::synthetic
