// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/region_classes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace graph_coverage {
namespace {

struct Shape {
  std::int64_t offset = 0;  // elements
  std::vector<std::int64_t> dims, strides;
};

TileShape ShapeOfDims(const std::vector<std::int64_t>& dims,
                      const std::vector<std::int64_t>& strides) {
  return ShapeOf({DataType::kBf16, true, dims, strides});
}

// The bytes, one by one.
std::multiset<std::uint64_t> BytesOfTile(const Shape& shape) {
  std::vector<std::int64_t> starts = {shape.offset};
  for (std::size_t i = 0; i < shape.dims.size(); ++i) {
    std::vector<std::int64_t> next;
    for (const std::int64_t start : starts) {
      for (std::int64_t k = 0; k < shape.dims[i]; ++k) {
        next.push_back(start + k * shape.strides[i]);
      }
    }
    starts = next;
  }
  std::multiset<std::uint64_t> bytes;
  for (const std::int64_t start : starts) {
    bytes.insert(static_cast<std::uint64_t>(2 * start));
    bytes.insert(static_cast<std::uint64_t>(2 * start + 1));
  }
  return bytes;
}

Shape RandomShape() {
  Shape shape;
  const auto dims = *rc::gen::inRange(1, 4);
  for (int i = 0; i < dims; ++i) {
    shape.dims.push_back(*rc::gen::inRange<std::int64_t>(1, 5));
    shape.strides.push_back(*rc::gen::inRange<std::int64_t>(0, 10));
  }
  shape.offset = *rc::gen::inRange<std::int64_t>(0, 12);
  return shape;
}

// Tiles of one array, as generators cut them: rows, columns and all of it.
Shape RandomTileOfArray() {
  constexpr std::int64_t kRows = 3, kColumns = 8;
  const auto first = *rc::gen::inRange<std::int64_t>(0, kColumns);
  const auto columns = *rc::gen::inRange<std::int64_t>(1, kColumns - first + 1);
  return {first, {kRows, columns}, {kColumns, 1}};
}

RC_GTEST_PROP(TileShape, KnowsItsExtentAndWhetherItOverlapsItself, ()) {
  const Shape shape = RandomShape();
  const TileShape tile = ShapeOfDims(shape.dims, shape.strides);
  const auto bytes = BytesOfTile(shape);
  const std::set<std::uint64_t> distinct(bytes.begin(), bytes.end());
  RC_ASSERT(tile.extent ==
            *bytes.rbegin() + 1 - 2 * static_cast<std::uint64_t>(shape.offset));
  // It may be careful with strides that interleave, never careless.
  if (distinct.size() < bytes.size()) RC_ASSERT(tile.overlaps_itself);
}

void CheckAgainstBytes(const std::vector<Shape>& shapes) {
  std::vector<PlacedTile> tiles;
  std::map<std::uint64_t, std::set<std::size_t>> covers;  // byte to tiles
  for (const Shape& shape : shapes) {
    const TileShape tile = ShapeOfDims(shape.dims, shape.strides);
    if (tile.overlaps_itself) continue;
    for (const std::uint64_t byte : BytesOfTile(shape)) {
      covers[byte].insert(tiles.size());
    }
    tiles.push_back({static_cast<std::uint64_t>(2 * shape.offset), tile});
  }
  std::map<std::set<std::size_t>, std::uint64_t> naive;  // to its first byte
  for (const auto& [byte, by] : covers) naive.emplace(by, byte);

  const RegionClasses classes = ClassesOf(tiles);
  RC_ASSERT(!classes.too_fine);
  std::map<std::uint32_t, std::set<std::size_t>> tiles_of;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    for (const std::uint32_t region : classes.of_tile(i)) {
      tiles_of[region].insert(i);
    }
  }
  RC_ASSERT(tiles_of.size() == naive.size());
  for (const auto& [region, by] : tiles_of) {
    RC_ASSERT(naive.count(by) == 1u);
    RC_ASSERT(classes.bytes[region].first == naive[by]);
  }

  const CoveredBytes covered = BytesOf(tiles);
  RC_ASSERT(covered.bytes == covers.size());
  if (covers.empty()) return;
  RC_ASSERT(covered.extent == covers.rbegin()->first + 1);
  std::uint64_t hole = 0;
  while (covers.count(hole) > 0) ++hole;
  if (hole < covered.extent) {
    RC_ASSERT(covered.hole.first < covered.hole.last);
    RC_ASSERT(covers.count(covered.hole.first) == 0u);
  } else {
    RC_ASSERT(covered.hole.first == covered.hole.last);
  }
}

RC_GTEST_PROP(RegionClasses, AreTheBytesThatTheSameTilesCover, ()) {
  std::vector<Shape> shapes;
  const auto count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i) shapes.push_back(RandomShape());
  CheckAgainstBytes(shapes);
}

RC_GTEST_PROP(RegionClasses, StripWhatAllTilesRepeat, ()) {
  std::vector<Shape> shapes;
  const auto count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) shapes.push_back(RandomTileOfArray());
  CheckAgainstBytes(shapes);
}

TEST(RegionClasses, OfAPagedCacheAreOne) {
  const TileShape row = ShapeOfDims({65536, 64}, {1024, 1});
  const RegionClasses classes = ClassesOf({{0, row}, {128, row}});
  ASSERT_EQ(classes.bytes.size(), 2u);
  EXPECT_EQ(classes.bytes[1].first, 128u);
  EXPECT_EQ(classes.bytes[1].last, 256u);
}

}  // namespace
}  // namespace graph_coverage
