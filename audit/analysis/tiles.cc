// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/tiles.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace graph_coverage {
namespace {

// Behind the last byte of a tile that has `extent` bytes but for the level;
// nothing where that is further than a signed offset can say.
std::optional<std::uint64_t> Extended(std::uint64_t extent,
                                      const Level& level) {
  std::uint64_t by = 0;
  if (__builtin_mul_overflow(level.stride, level.count - 1, &by) ||
      by > INT64_MAX - extent) {
    return std::nullopt;
  }
  return extent + by;
}

}  // namespace

TileShape ShapeOf(const Layout& layout, std::size_t skip) {
  TileShape shape;
  shape.element = ElementBytes(layout.data_type);
  shape.malformed = layout.dims.size() != layout.strides.size();
  std::vector<Level> levels;
  for (std::size_t i = 0; i < layout.dims.size(); ++i) {
    if (layout.dims[i] == 0) shape.empty = true;
    if (layout.dims[i] < 0) shape.malformed = true;
    if (shape.malformed || layout.dims[i] <= 1 || i < skip) continue;
    if (layout.strides[i] < 0) {
      shape.malformed = true;
      continue;
    }
    Level level;
    level.count = static_cast<std::uint64_t>(layout.dims[i]);
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(layout.strides[i]),
                               shape.element, &level.stride)) {
      shape.malformed = true;
    }
    levels.push_back(level);
  }
  if (shape.malformed || shape.empty) return shape;
  std::sort(levels.begin(), levels.end(),
            [](const Level& a, const Level& b) { return a.stride < b.stride; });
  shape.run = shape.extent = shape.element;
  for (const Level& level : levels) {
    if (level.stride < shape.extent) shape.overlaps_itself = true;
    const std::optional<std::uint64_t> extent = Extended(shape.extent, level);
    if (!extent) {
      shape.malformed = true;
      return shape;
    }
    shape.extent = *extent;
    if (shape.levels.empty() && level.stride == shape.run) {
      shape.run *= level.count;
    } else if (!shape.levels.empty() &&
               level.stride ==
                   shape.levels.back().stride * shape.levels.back().count) {
      shape.levels.back().count *= level.count;
    } else {
      shape.levels.push_back(level);
    }
  }
  return shape;
}

}  // namespace graph_coverage
