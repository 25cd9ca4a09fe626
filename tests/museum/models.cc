// SPDX-License-Identifier: Apache-2.0
#include "tests/museum/models.h"

#include "graph_coverage/synthetic/model.h"
#include "graph_coverage/synthetic/presets.h"

namespace graph_coverage::museum {
namespace {

using synthetic::ModelConfig;

ModelConfig GroupedModel(std::uint32_t ranks = 1) {
  ModelConfig model = synthetic::Toy();
  model.layers = 4;
  model.ranks = ranks;
  model.batch = 2;
  model.cuts.linear = {8, 4, 2, 1};
  model.cuts.vocabulary = 8;
  return model;
}

ModelConfig LatentModel(std::uint32_t ranks = 1, std::int64_t drafts = 0) {
  ModelConfig model = synthetic::ToyLatent(ranks);
  model.layers = 4;
  model.draft_steps = drafts;
  model.latent->splits = 3;
  model.latent->rope = synthetic::LatentAttention::Rope::kOperands;
  model.cuts.linear = {8, 4, 2, 1};
  return model;
}

}  // namespace

synthetic::Program Grouped() { return synthetic::BuildModel(GroupedModel()); }

synthetic::Program GroupedOfEightLayers() {
  ModelConfig model = GroupedModel();
  model.layers = 8;
  return synthetic::BuildModel(model);
}

synthetic::Program GroupedWithCopies() {
  ModelConfig model = GroupedModel();
  model.weights = ModelConfig::Weights::kShuffled;
  return synthetic::BuildModel(model);
}

synthetic::Program GroupedWithPuts() {
  ModelConfig model = GroupedModel(2);
  model.collective = ModelConfig::Collective::kPutAndReduce;
  return synthetic::BuildModel(model);
}

synthetic::Program GroupedWithTiles() {
  ModelConfig model = GroupedModel(2);
  model.kernels = ModelConfig::Kernels::kHopper;
  return synthetic::BuildModel(model);
}

synthetic::Program WithExperts() {
  ModelConfig model = synthetic::ToyExperts();
  model.layers = 4;
  model.dense_layers = 0;
  model.batch = 2;
  model.cuts.linear = {8, 4, 2, 1};
  return synthetic::BuildModel(model);
}

synthetic::Program Latent() { return synthetic::BuildModel(LatentModel()); }

synthetic::Program LatentWithDraft() {
  return synthetic::BuildModel(LatentModel(1, 1));
}

synthetic::Program LatentWithDraftOnTwoRanks() {
  return synthetic::BuildModel(LatentModel(2, 1));
}

synthetic::Program LatentWithTwoDraftSteps() {
  return synthetic::BuildModel(LatentModel(1, 2));
}

synthetic::Program LatentWithThreeDraftSteps() {
  return synthetic::BuildModel(LatentModel(1, 3));
}

}  // namespace graph_coverage::museum
