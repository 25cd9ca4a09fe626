// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/memory.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace graph_coverage {
namespace {

// Where tiles lie. A tile that is written in another rank's memory is placed in
// the leading dim, one slot a rank, by the writer's rank. As ranks run alike,
// what is written elsewhere in this rank's slot is written here in each.
class Places {
 public:
  Places(const View& view, const Accesses& accesses)
      : view_(view), accesses_(accesses) {}

  std::int64_t OffsetOf(std::uint32_t tile) {
    const TileId& id = accesses_.tiles()[tile];
    if (!accesses_.remote(tile)) return id.offset;
    const Layout layout = view_.layout(id.layout);
    if (layout.strides.size() == 0 || layout.strides[0] <= 0) return id.offset;
    const std::uint64_t slot = static_cast<std::uint64_t>(layout.strides[0]) *
                               ElementBytes(layout.data_type);
    if (slot == 0) return id.offset;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(id.offset) %
                                     slot);
  }
  const TileShape& ShapeAt(LayoutId layout) {
    if (shapes_.size() <= Index(layout)) shapes_.resize(Index(layout) + 1);
    std::optional<TileShape>& shape = shapes_[Index(layout)];
    if (!shape) shape = ShapeOf(view_.layout(layout));
    return *shape;
  }

 private:
  const View& view_;
  const Accesses& accesses_;
  std::vector<std::optional<TileShape>> shapes_;  // by layout
};

}  // namespace

Memory::Memory(const View& view, const Accesses& accesses)
    : left_out_(accesses.untrusted()) {
  const std::vector<TileId>& tiles = accesses.tiles();
  std::vector<std::uint32_t> by_tensor(tiles.size());
  for (std::uint32_t i = 0; i < tiles.size(); ++i) by_tensor[i] = i;
  std::stable_sort(by_tensor.begin(), by_tensor.end(),
                   [&tiles](std::uint32_t a, std::uint32_t b) {
                     return tiles[a].tensor < tiles[b].tensor;
                   });
  Places places(view, accesses);
  std::unordered_map<Cut, RegionClasses, CutHash> known;
  of_tile_.resize(tiles.size());
  for (std::size_t first = 0; first < by_tensor.size();) {
    const TensorId tensor = tiles[by_tensor[first]].tensor;
    std::size_t last = first;
    while (last < by_tensor.size() && tiles[by_tensor[last]].tensor == tensor) {
      ++last;
    }
    Cut cut;
    for (std::size_t i = first; i < last && left_out_.count(tensor) == 0; ++i) {
      cut.push_back(
          {tiles[by_tensor[i]].layout, places.OffsetOf(by_tensor[i])});
    }
    auto at = known.find(cut);
    if (at == known.end()) {
      std::vector<PlacedTile> placed;
      for (const auto& [layout, offset] : cut) {
        placed.push_back(
            {static_cast<std::uint64_t>(offset), places.ShapeAt(layout)});
      }
      RegionClasses classes = ClassesOf(std::move(placed));
      at = known.emplace(std::move(cut), std::move(classes)).first;
    }
    const RegionClasses& regions = at->second;
    if (regions.too_fine) {
      left_out_.emplace(tensor, "its tiles fall into too many pieces");
    }
    const auto base = static_cast<std::uint32_t>(bytes_.size());
    for (std::size_t i = first; i < last; ++i) {
      const Span<std::uint32_t> classes = regions.of_tile(i - first);
      of_tile_[by_tensor[i]] = {static_cast<std::uint32_t>(classes_.size()),
                                static_cast<std::uint32_t>(classes.size())};
      for (const std::uint32_t region : classes) {
        classes_.push_back(base + region);
      }
    }
    bytes_.insert(bytes_.end(), regions.bytes.begin(), regions.bytes.end());
    tensor_.resize(bytes_.size(), tensor);
    first = last;
  }
}

}  // namespace graph_coverage
