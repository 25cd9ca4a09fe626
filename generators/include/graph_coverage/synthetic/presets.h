// SPDX-License-Identifier: Apache-2.0
//
// Configurations of known models, with the sizes that they are published with
// and cut into tasks as the generator's builders do. docs/synthetic.md compares
// them with real task graphs.
#pragma once

#include <cstdint>

#include "graph_coverage/synthetic/model.h"

namespace graph_coverage::synthetic {

// 36 layers, grouped attention with q and k norms. On Ampere two ranks put and
// reduce; on Hopper any number that divides the heads all-reduces tiles.
ModelConfig Qwen3_8B(ModelConfig::Kernels kernels, std::uint32_t ranks = 1);

// 32 layers on Hopper; the q and k norms are "nullptr".
ModelConfig Llama3_8B();

// 48 layers of 128 experts on Blackwell.
ModelConfig Qwen3_30B_A3B();

// 61 layers, the first 3 dense, the rest with 256 experts; latent attention.
// Fewer layers and draft steps may be asked for. `rope` says how its tables
// are wired.
ModelConfig DeepSeekV3(
    std::uint32_t ranks = 8, std::int64_t layers = 61,
    std::int64_t draft_steps = 0,
    LatentAttention::Rope rope = LatentAttention::Rope::kUnwired);

// 78 layers, the first 3 dense, cut into few, large tasks.
ModelConfig Glm5(std::uint32_t ranks, LatentAttention::Rope rope);

// Two layers of a few tasks each, for tests. The experts kind has one dense
// layer and one of experts.
ModelConfig Toy();
ModelConfig ToyExperts();
ModelConfig ToyLatent(std::uint32_t ranks = 1);

}  // namespace graph_coverage::synthetic
