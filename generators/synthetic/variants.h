// SPDX-License-Identifier: Apache-2.0
//
// A branch of the dispatch chain is compiled for one shape: operators of one
// type whose tiles differ in shape, data type or absence are variants of it.
#pragma once

#include <cstdint>
#include <vector>

#include "graph_coverage/synthetic/program.h"

namespace graph_coverage::synthetic {

struct Variant {
  std::string type;
  std::uint32_t number = 0;  // of the type
  std::uint32_t variant = 0;
  std::uint32_t example = 0;  // index of the first operator of that shape
};

struct Variants {
  std::vector<std::uint32_t> of;  // by operator
  std::vector<Variant> all;       // as in the chain: by number, then variant
};

// Throws std::invalid_argument where a type has no number.
Variants FindVariants(const Program& program);

}  // namespace graph_coverage::synthetic
