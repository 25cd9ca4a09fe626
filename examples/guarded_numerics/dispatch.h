// SPDX-License-Identifier: Apache-2.0
//
// Which kernel runs a task: chosen by the name of its type, as the dispatch
// chain of a megakernel does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tile.h"

namespace guarded_numerics {

// What the runtime tells the kernels of one launch, which decodes one token.
struct Step {
  std::int64_t slot = 0;      // the cache row that the token takes
  std::int64_t position = 0;  // where it stands: a row of the rope tables
};

// What a task hands its kernel.
struct Work {
  std::vector<Tile> inputs;
  std::vector<Tile> outputs;
  std::int64_t split = 0;  // of the cache, kv_idx

  // The operand of a slot. Throw std::out_of_range where there is none.
  const Tile& in(std::size_t slot) const { return inputs.at(slot); }
  const Tile& out(std::size_t slot) const { return outputs.at(slot); }
  bool has_input(std::size_t slot) const { return slot < inputs.size(); }
};

using Kernel = void (*)(const Work& work, const Step& step);

// Throws std::runtime_error where the example has no kernel of that name.
Kernel KernelOf(const std::string& type);

}  // namespace guarded_numerics
