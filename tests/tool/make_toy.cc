// SPDX-License-Identifier: Apache-2.0
//
// usage: make_toy DIRECTORY healthy|faulty|deep
// Writes a model of two small layers; the faulty one reads no rope tables, the
// deep one is of another kind, healthy, and has 40 layers on two ranks.
#include <cstdio>
#include <string>

#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"

int main(int argc, char** argv) {
  using namespace graph_coverage::synthetic;  // NOLINT: all of it is
  const std::string wiring = argc == 3 ? argv[2] : "";
  if (wiring != "healthy" && wiring != "faulty" && wiring != "deep") {
    std::fprintf(stderr, "usage: make_toy DIRECTORY healthy|faulty|deep\n");
    return 2;
  }
  if (wiring == "deep") {
    ModelConfig deep = Toy();
    deep.layers = 40;
    deep.ranks = 2;
    WriteGendir(BuildModel(deep), argv[1]);
    return 0;
  }
  ModelConfig model = ToyLatent();
  model.latent->rope = wiring == "healthy" ? LatentAttention::Rope::kOperands
                                           : LatentAttention::Rope::kUnwired;
  WriteGendir(BuildModel(model), argv[1]);
}
