// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/memory.h"

#include <algorithm>
#include <utility>

namespace graph_coverage {
namespace {

// Which tiles are written in another rank's memory: there the place within the
// leading dim, one slot a rank, is the writer's rank. As ranks run alike, what
// is written elsewhere in this rank's slot is written here in each.
std::vector<bool> RemoteTiles(const View& view, const Accesses& accesses) {
  std::vector<bool> remote(accesses.tiles().size());
  for (std::size_t i = 0; i < view.task_count(); ++i) {
    for (const Access& access : accesses.of(TaskId(i))) {
      if (access.remote) remote[access.tile] = true;
    }
  }
  return remote;
}

}  // namespace

Memory::Memory(const View& view, const Accesses& accesses)
    : left_out_(accesses.untrusted()) {
  const std::vector<bool> remote = RemoteTiles(view, accesses);
  const std::vector<TileId>& tiles = accesses.tiles();
  std::vector<std::uint32_t> by_tensor(tiles.size());
  for (std::uint32_t i = 0; i < tiles.size(); ++i) by_tensor[i] = i;
  std::stable_sort(by_tensor.begin(), by_tensor.end(),
                   [&tiles](std::uint32_t a, std::uint32_t b) {
                     return tiles[a].tensor < tiles[b].tensor;
                   });
  std::vector<TileShape> shapes;
  std::vector<bool> shaped;
  of_tile_.resize(tiles.size());
  for (std::size_t first = 0; first < by_tensor.size();) {
    const TensorId tensor = tiles[by_tensor[first]].tensor;
    std::size_t last = first;
    while (last < by_tensor.size() && tiles[by_tensor[last]].tensor == tensor) {
      ++last;
    }
    std::vector<PlacedTile> placed;
    for (std::size_t i = first; i < last && left_out_.count(tensor) == 0; ++i) {
      const TileId& tile = tiles[by_tensor[i]];
      const std::size_t layout_at = Index(tile.layout);
      if (shaped.size() <= layout_at) {
        shaped.resize(layout_at + 1);
        shapes.resize(layout_at + 1);
      }
      if (!shaped[layout_at]) {
        shapes[layout_at] = ShapeOf(view.layout(tile.layout));
        shaped[layout_at] = true;
      }
      const TileShape& shape = shapes[layout_at];
      auto offset = static_cast<std::uint64_t>(tile.offset);
      if (remote[by_tensor[i]]) {
        const Layout layout = view.layout(tile.layout);
        if (layout.strides.size() > 0 && layout.strides[0] > 0) {
          offset %=
              static_cast<std::uint64_t>(layout.strides[0]) * shape.element;
        }
      }
      placed.push_back({offset, shape});
    }
    const RegionClasses regions = ClassesOf(std::move(placed));
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
