// SPDX-License-Identifier: Apache-2.0
//
// usage: make_toy DIRECTORY healthy|faulty
// Writes a model of two small layers; the faulty one reads no rope tables.
#include <cstdio>
#include <string>

#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"

int main(int argc, char** argv) {
  using namespace graph_coverage::synthetic;  // NOLINT: all of it is
  const std::string wiring = argc == 3 ? argv[2] : "";
  if (wiring != "healthy" && wiring != "faulty") {
    std::fprintf(stderr, "usage: make_toy DIRECTORY healthy|faulty\n");
    return 2;
  }
  ModelConfig model = ToyLatent();
  model.latent->rope = wiring == "healthy" ? LatentAttention::Rope::kOperands
                                           : LatentAttention::Rope::kUnwired;
  WriteGendir(BuildModel(model), argv[1]);
}
