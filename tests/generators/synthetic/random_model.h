// SPDX-License-Identifier: Apache-2.0
//
// Small models at random, the same for the same seed on any machine.
#pragma once

#include <cstdint>

#include "graph_coverage/synthetic/model.h"
#include "graph_coverage/synthetic/write.h"

namespace graph_coverage::synthetic {

struct RandomGendir {
  ModelConfig model;
  WriteOptions options;
};

// A model that the chosen version and naming can say.
RandomGendir RandomModel(std::uint64_t seed);

}  // namespace graph_coverage::synthetic
