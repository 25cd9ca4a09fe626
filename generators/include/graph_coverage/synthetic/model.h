// SPDX-License-Identifier: Apache-2.0
//
// Models as programs: what a builder script of the generator would call, layer
// by layer. A ModelConfig gives the whole model's sizes; each rank holds its
// share of heads, intermediate columns and expert columns.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph_coverage/synthetic/program.h"

namespace graph_coverage::synthetic {

// Attention with grouped queries and paged key and value caches.
struct GroupedAttention {
  std::int64_t heads = 8;
  std::int64_t kv_heads = 2;
  std::int64_t head_dim = 16;
  bool qk_norm = true;  // else the norm operands are "nullptr"
};

// Attention over a compressed cache, as DeepSeek has it. fp8 weights.
struct LatentAttention {
  std::int64_t heads = 8;
  std::int64_t q_rank = 64;         // columns of the query's low-rank form
  std::int64_t kv_rank = 64;        // columns of the latent
  std::int64_t rope_dim = 16;       // columns of a cache row beside the latent
  std::int64_t key_columns = 32;    // of the rope projection, padded
  std::int64_t splits = 2;          // of the cache, by kv_idx
  std::int64_t merge_requests = 1;  // grid of the reduction of splits
  std::int64_t merge_tiles = 2;
  std::int64_t context = 64;  // rows of the gathered cache
  // How the rope tables reach the tasks.
  enum class Rope {
    kUnwired,   // attached, read by nobody
    kOperands,  // read by a task that rotates q and by the cache gather
    kAbsent,    // folded into the weights: no tables
  };
  Rope rope = Rope::kAbsent;
};

struct Experts {
  std::int64_t count = 8;
  std::int64_t active = 2;
  std::int64_t intermediate = 32;        // columns an expert, over all ranks
  std::int64_t shared_intermediate = 0;  // fp8 only; 0: no shared expert
  std::int64_t gate_tiles = 1;           // of the router
  std::int64_t up_stride = 2;  // tasks that share the experts between them
  std::int64_t up_tiles = 2;   // column tiles
  std::int64_t down_stride = 2;
  std::int64_t down_tiles = 2;
  std::int64_t sum_tiles = 1;  // column tiles of the weighted sum
};

// How work is cut into tasks.
struct Cuts {
  // Tasks of a linear layer: the first of these that divides its columns.
  std::vector<std::int64_t> linear = {96, 64, 8, 4, 2, 1};
  std::int64_t residual_columns = 16;   // a task of a residual linear layer
  std::int64_t fp8_columns = 16;        // a task of an fp8 linear layer
  std::int64_t activation_columns = 0;  // that a SiLU task reads; 0: two tiles
  std::int64_t vocabulary = 4;          // tasks of the head
  std::int64_t argmax = 4;              // tasks of the partial argmax
};

struct ModelConfig {
  // Which generation of kernels; it decides the task types.
  enum class Kernels { kAmpere, kHopper, kBlackwell };
  // How q, k, v and gate, up become one weight each.
  enum class Weights { kShuffled, kFused, kSingle };
  enum class Collective { kTileAllReduce, kPutAndReduce };

  Kernels kernels = Kernels::kAmpere;
  Weights weights = Weights::kSingle;
  Collective collective = Collective::kTileAllReduce;
  std::uint32_t ranks = 1;

  std::int64_t layers = 2;
  std::int64_t dense_layers = -1;  // the first ones; the rest have experts
  std::int64_t hidden = 64;
  std::int64_t intermediate = 128;
  std::int64_t vocabulary = 256;       // rows of the embedding
  std::int64_t head_vocabulary = 256;  // rows of the head, padded
  std::int64_t batch = 1;              // token rows
  std::int64_t requests = 1;
  std::int64_t positions = 64;  // rows of the rope tables
  std::int64_t pages = 4;
  std::int64_t page_size = 16;

  // One of the two; latent attention makes the whole model fp8.
  std::optional<GroupedAttention> grouped = GroupedAttention{};
  std::optional<LatentAttention> latent;
  std::optional<Experts> experts;
  std::int64_t draft_steps = 0;  // of multi-token prediction; latent only
  Cuts cuts;

  bool fp8() const { return latent.has_value(); }
};

// Throws std::invalid_argument, naming what does not divide or fit.
Program BuildModel(const ModelConfig& model);

}  // namespace graph_coverage::synthetic
