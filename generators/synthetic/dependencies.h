// SPDX-License-Identifier: Apache-2.0
//
// Which operators must come before which, as far as tensors say so.
#pragma once

#include <cstdint>
#include <vector>

#include "graph_coverage/synthetic/program.h"

namespace graph_coverage::synthetic {

// An earlier operator that an operator has to follow, and the two uses of one
// tensor that are the reason.
struct Dependency {
  std::uint32_t on = 0;  // index of the earlier operator
  const Use* earlier = nullptr;
  const Use* later = nullptr;
};

// For each operator, what it directly depends on: the last writers of what it
// reads, the last writers and the readers since of what it writes. Points into
// `program`.
std::vector<std::vector<Dependency>> FindDependencies(const Program& program);

}  // namespace graph_coverage::synthetic
