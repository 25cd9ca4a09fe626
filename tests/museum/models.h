// SPDX-License-Identifier: Apache-2.0
//
// The healthy models of the museum: small, of at least four layers.
#pragma once

#include "graph_coverage/synthetic/program.h"

namespace graph_coverage::museum {

// Grouped attention on one rank; on eight layers; of shuffled weights; on
// two ranks that put and reduce; on two that all-reduce tiles.
synthetic::Program Grouped();
synthetic::Program GroupedOfEightLayers();
synthetic::Program GroupedWithCopies();
synthetic::Program GroupedWithPuts();
synthetic::Program GroupedWithTiles();
// Grouped attention and bf16 experts.
synthetic::Program WithExperts();
// Latent attention and fp8 experts with rope tables; with one draft layer on
// one rank, and on two.
synthetic::Program Latent();
synthetic::Program LatentWithDraft();
synthetic::Program LatentWithDraftOnTwoRanks();
// With draft steps that use their buffers in turn.
synthetic::Program LatentWithTwoDraftSteps();
synthetic::Program LatentWithThreeDraftSteps();

}  // namespace graph_coverage::museum
