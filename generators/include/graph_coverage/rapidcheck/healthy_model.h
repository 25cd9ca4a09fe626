// SPDX-License-Identifier: Apache-2.0
//
// A small model from a few dice: each die at 0 is the simplest choice, so
// smaller dice are a smaller model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "graph_coverage/gendir.h"
#include "graph_coverage/synthetic/format.h"
#include "graph_coverage/synthetic/model.h"
#include "graph_coverage/synthetic/write.h"

namespace graph_coverage {

class HealthyModel {
 public:
  static constexpr std::size_t kDice = 20;

  explicit HealthyModel(std::vector<std::uint32_t> dice)
      : dice_(std::move(dice)) {
    Choose();
  }

  const synthetic::ModelConfig& model() const { return model_; }
  const synthetic::WriteOptions& options() const { return options_; }
  // The artifacts, in memory.
  Gendir Make() const {
    return synthetic::MakeGendir(synthetic::BuildModel(model_), "healthy",
                                 options_);
  }

  friend std::ostream& operator<<(std::ostream& out,
                                  const HealthyModel& healthy) {
    out << synthetic::ToString(healthy.options_.version) << ", "
        << healthy.model_.ranks << " ranks, " << healthy.model_.layers
        << " layers, "
        << (healthy.model_.latent ? "latent attention" : "grouped attention")
        << (healthy.model_.experts ? ", experts" : "") << ", dice";
    for (const std::uint32_t die : healthy.dice_) out << ' ' << die;
    return out;
  }

 private:
  template <typename T>
  T Of(const std::vector<T>& choices) {
    return choices[dice_[next_++ % dice_.size()] % choices.size()];
  }

  void Choose() {
    using Config = synthetic::ModelConfig;
    using Kernels = Config::Kernels;
    using Weights = Config::Weights;
    using Naming = synthetic::FileNaming;
    std::vector<synthetic::FormatVersion> versions = {
        synthetic::FormatVersion::kF12};
    for (const auto version : synthetic::AllVersions()) {
      if (version != versions[0]) versions.push_back(version);
    }
    options_.version = Of(versions);
    options_.naming = Of(synthetic::AllNamings());
    const synthetic::FormatFacts facts = synthetic::FactsOf(options_.version);
    const bool numbered =
        options_.naming == Naming::kDemo || options_.naming == Naming::kCompile;

    model_.kernels =
        Of<Kernels>({Kernels::kAmpere, Kernels::kHopper, Kernels::kBlackwell});
    model_.weights = Of<Weights>(
        facts.shuffled
            ? std::vector<Weights>{Weights::kSingle, Weights::kFused,
                                   Weights::kShuffled}
            : std::vector<Weights>{Weights::kSingle, Weights::kFused});
    const std::uint32_t ranks = Of<std::uint32_t>({1, 2, 4});
    if (numbered && facts.expert_offset) model_.ranks = ranks;
    const Config::Collective collective =
        Of<Config::Collective>({Config::Collective::kTileAllReduce,
                                Config::Collective::kPutAndReduce});
    if (model_.ranks == 2) model_.collective = collective;
    model_.layers = Of<std::int64_t>({1, 2, 3, 4});
    model_.batch = Of<std::int64_t>({1, 2, 4});
    const std::int64_t requests = Of<std::int64_t>({1, 2});
    if (facts.request_id) model_.requests = requests;
    model_.hidden = Of<std::int64_t>({32, 64});
    model_.cuts.linear =
        Of<std::vector<std::int64_t>>({{2, 1}, {8, 4, 2}, {16, 8, 4, 2}});
    model_.cuts.residual_columns = Of<std::int64_t>({32, 16, 8});
    model_.cuts.vocabulary = Of<std::int64_t>({1, 4, 8});
    model_.cuts.argmax = Of<std::int64_t>({1, 2, 8});
    ChooseAttention(facts);
  }

  void ChooseAttention(const synthetic::FormatFacts& facts) {
    using Rope = synthetic::LatentAttention::Rope;
    const bool blackwell =
        model_.kernels == synthetic::ModelConfig::Kernels::kBlackwell;
    model_.grouped->kv_heads = Of<std::int64_t>({4, 8});
    model_.grouped->heads =
        model_.grouped->kv_heads * Of<std::int64_t>({1, 2, 6});
    const bool norm = Of<int>({1, 0}) == 1;
    model_.grouped->qk_norm = !facts.null_operands || norm;
    const bool latent = Of<int>({0, 1}) == 1 && blackwell && facts.kv_idx;
    if (latent) {
      model_.grouped.reset();
      model_.latent = synthetic::LatentAttention{};
      model_.latent->splits = Of<std::int64_t>({1, 3});
      model_.latent->rope = Of<Rope>({Rope::kAbsent, Rope::kOperands});
      model_.draft_steps = Of<std::int64_t>({0, 0, 1, 2});
    }
    if (Of<int>({0, 1}) == 1 && blackwell && facts.expert_offset &&
        (latent || model_.ranks == 1)) {
      model_.dense_layers = Of<std::int64_t>({0, 1});
      model_.experts = synthetic::Experts{};
      model_.experts->shared_intermediate = 128;
    }
  }

  std::vector<std::uint32_t> dice_;
  std::size_t next_ = 0;
  synthetic::ModelConfig model_;
  synthetic::WriteOptions options_;
};

}  // namespace graph_coverage
