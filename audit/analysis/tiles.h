// SPDX-License-Identifier: Apache-2.0
//
// Tiles as sets of bytes: runs of bytes, repeated at strides.
#pragma once

#include <cstdint>
#include <vector>

#include "graph_coverage/model/task_graph.h"

namespace graph_coverage {

// A repetition: `count` times, `stride` bytes apart.
struct Level {
  std::uint64_t stride = 0;
  std::uint64_t count = 0;

  friend bool operator==(const Level& a, const Level& b) {
    return a.stride == b.stride && a.count == b.count;
  }
};

// The bytes of a tile, from its offset on.
struct TileShape {
  std::uint64_t element = 0;  // bytes; 0: not known
  std::uint64_t run = 0;      // bytes that lie together
  std::vector<Level> levels;  // from the innermost, none that could merge
  std::uint64_t extent = 0;   // bytes from its first to behind its last
  bool empty = false;         // a dim is 0
  bool overlaps_itself = false;
  bool malformed = false;  // dims and strides differ in number, are negative,
                           // or span more than 2^63 - 1 bytes
};

// The first `skip` dims are left out, as if they were 1.
TileShape ShapeOf(const Layout& layout, std::size_t skip = 0);

}  // namespace graph_coverage
