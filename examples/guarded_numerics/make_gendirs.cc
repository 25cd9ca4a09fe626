// SPDX-License-Identifier: Apache-2.0
//
// Stands in for the generator of the megakernel: writes the same model twice,
// with its rope tables attached but passed to no task (broken), and passed to
// the tasks that rotate queries and keys (mended).
//
// usage: make_gendirs DIRECTORY
#include <graph_coverage/synthetic/model.h>
#include <graph_coverage/synthetic/write.h>

#include <cstdio>
#include <exception>
#include <string>

#include "model.h"

namespace {

namespace synthetic = graph_coverage::synthetic;
using synthetic::LatentAttention;
using synthetic::ModelConfig;

ModelConfig Model(LatentAttention::Rope rope) {
  namespace sizes = guarded_numerics;
  LatentAttention attention;
  attention.heads = sizes::kHeads;
  attention.q_rank = sizes::kQueryRank;
  attention.kv_rank = sizes::kLatent;
  attention.rope_dim = sizes::kRopeColumns;
  attention.key_columns = sizes::kRopeColumns;
  attention.splits = sizes::kSplits;
  attention.merge_tiles = 1;
  attention.context = sizes::kContext;
  attention.rope = rope;

  ModelConfig model;
  model.kernels = ModelConfig::Kernels::kBlackwell;
  model.layers = sizes::kLayers;
  model.hidden = sizes::kHidden;
  model.intermediate = sizes::kIntermediate;
  model.vocabulary = sizes::kVocabulary;
  model.head_vocabulary = sizes::kVocabulary;
  model.positions = sizes::kPositions;
  model.page_size = 16;
  model.pages = sizes::kContext / model.page_size;
  model.grouped.reset();
  model.latent = attention;
  model.cuts.linear = {4};
  return model;
}

void Write(LatentAttention::Rope rope, const std::string& directory) {
  synthetic::WriteGendir(synthetic::BuildModel(Model(rope)), directory);
  std::printf("wrote %s\n", directory.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_gendirs DIRECTORY\n");
    return 2;
  }
  const std::string directory = argv[1];
  try {
    Write(LatentAttention::Rope::kUnwired, directory + "/broken");
    Write(LatentAttention::Rope::kOperands, directory + "/mended");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_gendirs: %s\n", error.what());
    return 1;
  }
  return 0;
}
