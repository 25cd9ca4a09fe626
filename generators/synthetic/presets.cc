// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/synthetic/presets.h"

namespace graph_coverage::synthetic {
namespace {

using Kernels = ModelConfig::Kernels;

// What the builders of models with grouped attention have in common.
ModelConfig Grouped(Kernels kernels) {
  ModelConfig model;
  model.kernels = kernels;
  model.weights = ModelConfig::Weights::kShuffled;
  model.positions = 4096;
  model.pages = 16;
  model.page_size = 4096;
  model.cuts.linear = {96, 64};
  return model;
}

}  // namespace

ModelConfig Qwen3_8B(Kernels kernels, std::uint32_t ranks) {
  ModelConfig model = Grouped(kernels);
  model.ranks = ranks;
  model.collective = kernels == Kernels::kAmpere
                         ? ModelConfig::Collective::kPutAndReduce
                         : ModelConfig::Collective::kTileAllReduce;
  model.layers = 36;
  model.hidden = 4096;
  model.intermediate = 12288;
  model.vocabulary = 151936;
  model.head_vocabulary = 153600;
  model.batch = 8;
  model.grouped = GroupedAttention{32, 8, 128, true};
  model.cuts.residual_columns = 64;
  model.cuts.vocabulary = kernels == Kernels::kAmpere ? 96 : 128;
  model.cuts.argmax = model.cuts.vocabulary;
  return model;
}

ModelConfig Llama3_8B() {
  ModelConfig model = Grouped(Kernels::kHopper);
  model.layers = 32;
  model.hidden = 4096;
  model.intermediate = 14336;
  model.vocabulary = 128256;
  model.head_vocabulary = 129024;
  model.batch = 8;
  model.requests = 4;
  model.grouped = GroupedAttention{32, 8, 128, false};
  model.cuts.residual_columns = 64;
  model.cuts.vocabulary = 504;
  model.cuts.argmax = 128;
  return model;
}

ModelConfig Qwen3_30B_A3B() {
  ModelConfig model = Grouped(Kernels::kBlackwell);
  model.layers = 48;
  model.dense_layers = 0;
  model.hidden = 2048;
  model.vocabulary = 151936;
  model.head_vocabulary = 153600;
  model.grouped = GroupedAttention{32, 4, 128, true};
  Experts experts;
  experts.count = 128;
  experts.active = 8;
  experts.intermediate = 768;
  experts.up_stride = 10;
  experts.up_tiles = 12;
  experts.down_stride = 8;
  experts.down_tiles = 16;
  experts.sum_tiles = 8;
  model.experts = experts;
  model.cuts.residual_columns = 128;
  model.cuts.vocabulary = 128;
  model.cuts.argmax = 128;
  return model;
}

ModelConfig DeepSeekV3(std::uint32_t ranks, std::int64_t layers,
                       std::int64_t draft_steps, LatentAttention::Rope rope) {
  ModelConfig model;
  model.kernels = Kernels::kBlackwell;
  model.ranks = ranks;
  model.layers = layers;
  model.dense_layers = 3;
  model.hidden = 7168;
  model.intermediate = 18432;
  model.vocabulary = 129280;
  model.head_vocabulary = 129280;
  model.batch = draft_steps > 0 ? 8 : 1;
  model.positions = 16384;
  model.pages = 160;
  model.page_size = 128;
  model.draft_steps = draft_steps;
  model.grouped.reset();

  LatentAttention attention;
  attention.heads = 128;
  attention.q_rank = 1536;
  attention.kv_rank = 512;
  attention.rope_dim = 64;
  attention.key_columns = 128;
  attention.splits = 128;
  attention.merge_tiles = 256;
  attention.context = 16384;
  attention.rope = rope;
  model.latent = attention;

  Experts experts;
  experts.count = 256;
  experts.active = 8;
  experts.intermediate = 2048;
  experts.shared_intermediate = 2048;
  experts.gate_tiles = 32;
  experts.up_stride = 256;
  experts.up_tiles = 2;
  experts.down_stride = 256;
  experts.down_tiles = 2;
  model.experts = experts;

  model.cuts.linear = {96, 64};
  model.cuts.residual_columns = 128;
  model.cuts.fp8_columns = 128;
  model.cuts.activation_columns = 768;
  model.cuts.vocabulary = 505;
  model.cuts.argmax = 128;
  return model;
}

ModelConfig Glm5(std::uint32_t ranks, LatentAttention::Rope rope) {
  ModelConfig model;
  model.kernels = Kernels::kBlackwell;
  model.ranks = ranks;
  model.layers = 78;
  model.dense_layers = 3;
  model.hidden = 6144;
  model.intermediate = 12288;
  model.vocabulary = 154880;
  model.head_vocabulary = 154880;
  model.positions = 4096;
  model.pages = 64;
  model.page_size = 128;
  model.grouped.reset();

  LatentAttention attention;
  attention.heads = 64;
  attention.q_rank = 2048;
  attention.kv_rank = 512;
  attention.rope_dim = 64;
  attention.key_columns = 128;
  attention.splits = 4;
  attention.merge_tiles = 2;
  attention.context = 4096;
  attention.rope = rope;
  model.latent = attention;

  Experts experts;
  experts.count = 256;
  experts.active = 8;
  experts.intermediate = 2048;
  experts.shared_intermediate = 2048;
  model.experts = experts;

  model.cuts.linear = {4};
  model.cuts.residual_columns = 3072;
  model.cuts.fp8_columns = 1024;
  model.cuts.vocabulary = 8;
  model.cuts.argmax = 8;
  return model;
}

ModelConfig Toy() { return {}; }

ModelConfig ToyExperts() {
  ModelConfig model;
  model.kernels = Kernels::kBlackwell;
  model.dense_layers = 1;
  model.experts = Experts{};
  return model;
}

ModelConfig ToyLatent(std::uint32_t ranks) {
  ModelConfig model;
  model.kernels = Kernels::kBlackwell;
  model.ranks = ranks;
  model.dense_layers = 1;
  model.grouped.reset();
  model.latent = LatentAttention{};
  model.experts = Experts{};
  model.experts->shared_intermediate = std::int64_t{32} * ranks;
  return model;
}

}  // namespace graph_coverage::synthetic
