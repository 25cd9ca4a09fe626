// SPDX-License-Identifier: Apache-2.0
//
// The dense MLP: gate and up in one linear layer, SiLU, down with residual.
#include <numeric>

#include "generators/synthetic/composer.h"

namespace graph_coverage::synthetic {

void Composer::DenseLayer(const std::string& prefix) {
  const std::int64_t columns = Share(model_.intermediate, "columns");
  // Beside bf16 experts, whose scratch has these names and other shapes.
  const std::string scope = model_.experts && !model_.fp8() ? "dense_" : "";
  const TensorRef normed = Activation("rmsnorm_out", model_.hidden);
  const TensorRef mid = Activation(scope + "mlp_mid", 2 * columns);
  const TensorRef active = Activation(scope + "silu_mul_out", columns);
  Norm(residual_, prefix + "post_attn_layernorm", normed);

  const std::int64_t tile = model_.fp8()
                                ? model_.cuts.fp8_columns
                                : 2 * columns / LinearTasks(2 * columns);
  const std::int64_t read = model_.cuts.activation_columns > 0
                                ? model_.cuts.activation_columns
                                : 2 * tile;
  const std::int64_t tasks = 2 * columns / std::gcd(2 * columns, read);
  if (model_.fp8()) {
    LinearFp8(Quantise(normed), prefix + "gate_up_proj", mid);
  } else {
    const std::vector<Piece> pieces = {{prefix + "gate_proj", columns},
                                       {prefix + "up_proj", columns}};
    Linear(normed,
           Merged(prefix + "gatedup_proj", pieces, tasks, model_.hidden), mid,
           MergedTasks(pieces, tasks));
  }
  program_.Add({"TASK_SILU_MUL",
                {tasks},
                {Tile(mid, {1})},
                {Tile(active, {1})},
                Indexing::kBlock,
                {}});
  residual_ = ResidualLinear(
      active, prefix + "down_proj",
      model_.fp8() ? prefix + "mlp_fused" : scope + "mlp_out", "mlp_final");
}

}  // namespace graph_coverage::synthetic
