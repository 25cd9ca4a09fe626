// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a tensor, in as few classes as tell its tiles apart: two bytes
// are of one class where the same tiles cover both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "audit/analysis/tiles.h"
#include "graph_coverage/model/ids.h"
#include "graph_coverage/model/span.h"

namespace graph_coverage {

struct PlacedTile {
  std::uint64_t offset = 0;  // bytes
  TileShape shape;           // neither empty, malformed nor overlapping itself
};

// Tiles by their layouts and offsets, to look up what holds for all tensors
// that are cut alike.
using Cut = std::vector<std::pair<LayoutId, std::int64_t>>;
struct CutHash {
  std::size_t operator()(const Cut& cut) const;
};

struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;  // exclusive
};

struct RegionClasses {
  // The classes of a tile, ascending; none where the tiles are too fine.
  Span<std::uint32_t> of_tile(std::size_t tile) const {
    if (first.empty()) return {};
    return {classes.data() + first[tile], first[tile + 1] - first[tile]};
  }

  std::vector<std::size_t> first;  // by tile, and one more: in `classes`
  std::vector<std::uint32_t> classes;
  // By class: the first bytes of it that lie together. Where all tiles repeat
  // alike, of the first repetition.
  std::vector<ByteRange> bytes;
  // Set where the tiles fall into more pieces than can be told apart with
  // reasonable effort; there are no classes then.
  bool too_fine = false;
};

RegionClasses ClassesOf(std::vector<PlacedTile> tiles);

// What tiles cover together.
struct CoveredBytes {
  std::uint64_t bytes = 0;   // in at least one tile
  std::uint64_t extent = 0;  // from byte 0 to behind the last that is covered
  ByteRange hole;            // the first within the extent; empty: none
  bool too_fine = false;     // as above: nothing else is set then
};

CoveredBytes BytesOf(std::vector<PlacedTile> tiles);

}  // namespace graph_coverage
