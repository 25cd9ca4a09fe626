// SPDX-License-Identifier: Apache-2.0
//
// Events finer than an operator: where each waiting tile needs only some of
// the producing tiles, every such group gets an event of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "generators/synthetic/waits.h"

namespace graph_coverage::synthetic {

// How the tiles of one producer and one consumer pair up; by task.
struct TileGroups {
  std::uint32_t count = 1;
  std::vector<std::uint32_t> producer;  // empty: all tasks in one group
  std::vector<std::uint32_t> consumer;
};

// The groups of every meeting.
std::vector<TileGroups> FindTileGroups(
    const Program& program,
    const std::vector<std::vector<Dependency>>& dependencies,
    const Waits& waits);

}  // namespace graph_coverage::synthetic
