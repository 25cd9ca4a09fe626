// SPDX-License-Identifier: Apache-2.0
//
// The smallest programs of each shape that operators can form, as the
// generator's own tests have them: all tensors are attached, none is scratch.
#pragma once

#include <cstdint>

#include "graph_coverage/synthetic/program.h"

namespace graph_coverage::synthetic {

// Token rows and columns of every activation.
struct ShapeSize {
  std::int64_t rows = 4;
  std::int64_t columns = 32;
  std::int64_t linear_tasks = 8;
};

// A norm; two linear layers read it; both end the graph.
Program ForkProgram(const ShapeSize& size = {});
// Two norms of two inputs; a linear layer adds one to the other's product.
Program JoinProgram(const ShapeSize& size = {});
// A norm, two linear layers, and one that joins them.
Program DiamondProgram(const ShapeSize& size = {});

}  // namespace graph_coverage::synthetic
