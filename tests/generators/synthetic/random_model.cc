// SPDX-License-Identifier: Apache-2.0
#include "tests/generators/synthetic/random_model.h"

#include <initializer_list>
#include <random>

namespace graph_coverage::synthetic {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  // Not std::uniform_int_distribution, which differs between libraries.
  template <typename T>
  T Of(const std::vector<T>& choices) {
    return choices[engine_() % choices.size()];
  }
  template <typename T>
  T Of(std::initializer_list<T> choices) {
    return Of(std::vector<T>(choices));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace

RandomGendir RandomModel(std::uint64_t seed) {
  using Kernels = ModelConfig::Kernels;
  using Weights = ModelConfig::Weights;
  Dice dice(seed);
  RandomGendir random;
  random.options.version = dice.Of(AllVersions());
  random.options.naming = dice.Of(AllNamings());
  const FormatFacts facts = FactsOf(random.options.version);
  const bool numbered = random.options.naming == FileNaming::kDemo ||
                        random.options.naming == FileNaming::kCompile;

  ModelConfig& model = random.model;
  model.kernels =
      dice.Of({Kernels::kAmpere, Kernels::kHopper, Kernels::kBlackwell});
  model.weights =
      facts.shuffled
          ? dice.Of({Weights::kShuffled, Weights::kFused, Weights::kSingle})
          : dice.Of({Weights::kFused, Weights::kSingle});
  const bool several = numbered && facts.expert_offset;
  model.ranks = several ? dice.Of<std::uint32_t>({1, 2, 4}) : 1;
  if (model.ranks == 2) {
    model.collective = dice.Of({ModelConfig::Collective::kTileAllReduce,
                                ModelConfig::Collective::kPutAndReduce});
  }
  model.layers = dice.Of<std::int64_t>({1, 2, 3, 4});
  model.batch = dice.Of<std::int64_t>({1, 2, 4});
  if (facts.request_id) model.requests = dice.Of<std::int64_t>({1, 2});
  model.hidden = dice.Of<std::int64_t>({32, 64});
  model.cuts.linear =
      dice.Of<std::vector<std::int64_t>>({{8, 4, 2}, {2, 1}, {16, 8, 4, 2}});
  model.cuts.residual_columns = dice.Of<std::int64_t>({8, 16, 32});
  model.cuts.vocabulary = dice.Of<std::int64_t>({1, 4, 8});
  model.cuts.argmax = dice.Of<std::int64_t>({1, 2, 8});

  GroupedAttention& attention = *model.grouped;
  attention.kv_heads = dice.Of<std::int64_t>({4, 8});
  attention.heads = attention.kv_heads * dice.Of<std::int64_t>({1, 2, 6});
  attention.qk_norm = !facts.null_operands || dice.Of({true, false});
  const bool latent = model.kernels == Kernels::kBlackwell && facts.kv_idx &&
                      dice.Of({true, false});
  if (latent) {
    model.grouped.reset();
    model.latent = LatentAttention{};
    model.latent->splits = dice.Of<std::int64_t>({1, 3});
    model.latent->merge_tiles = dice.Of<std::int64_t>({1, 4});
    using Rope = LatentAttention::Rope;
    model.latent->rope = dice.Of({Rope::kAbsent, Rope::kOperands});
    model.draft_steps = dice.Of<std::int64_t>({0, 0, 1, 2});
  }
  if (model.kernels == Kernels::kBlackwell && facts.expert_offset &&
      (latent || model.ranks == 1) && dice.Of({true, false})) {
    model.dense_layers = dice.Of<std::int64_t>({0, 1});
    model.experts = Experts{};
    model.experts->gate_tiles = dice.Of<std::int64_t>({1, 4});
    model.experts->shared_intermediate = 128;
  }
  return random;
}

}  // namespace graph_coverage::synthetic
