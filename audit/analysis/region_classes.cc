// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/region_classes.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace graph_coverage {
namespace {

constexpr std::uint64_t kMostRuns = 4'000'000;

std::uint64_t Mix(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t InnerExtent(const TileShape& shape) {
  std::uint64_t extent = shape.run;
  for (std::size_t i = 0; i + 1 < shape.levels.size(); ++i) {
    extent += shape.levels[i].stride * (shape.levels[i].count - 1);
  }
  return extent;
}

// The repetition that is outermost in all tiles, if it can be stripped: then
// one repetition stands for all. A tile that lies together may be taken as
// repeated, too.
std::optional<Level> CommonOuter(const std::vector<PlacedTile>& tiles) {
  std::optional<Level> outer;
  for (const PlacedTile& tile : tiles) {
    if (tile.shape.levels.empty()) continue;
    const Level& own = tile.shape.levels.back();
    if (outer && !(*outer == own)) return std::nullopt;
    outer = own;
  }
  if (!outer) return std::nullopt;
  const std::uint64_t start = tiles.front().offset / outer->stride;
  for (const PlacedTile& tile : tiles) {
    if (tile.offset / outer->stride != start) return std::nullopt;
    const std::uint64_t within = tile.offset % outer->stride;
    if (tile.shape.levels.empty()) {
      if (within != 0 || tile.shape.run != outer->stride * outer->count) {
        return std::nullopt;
      }
    } else if (within + InnerExtent(tile.shape) > outer->stride) {
      return std::nullopt;
    }
  }
  return outer;
}

// Strips what is common; gives what was, the outermost first.
std::vector<Level> StripCommon(std::vector<PlacedTile>* tiles) {
  std::vector<Level> stripped;
  while (const std::optional<Level> outer = CommonOuter(*tiles)) {
    stripped.push_back(*outer);
    for (PlacedTile& tile : *tiles) {
      if (tile.shape.levels.empty()) {
        tile.shape.run = outer->stride;
      } else {
        tile.shape.levels.pop_back();
      }
    }
  }
  return stripped;
}

std::uint64_t RunCount(const TileShape& shape) {
  std::uint64_t count = 1;
  for (const Level& level : shape.levels) {
    count *= level.count;
    if (count > kMostRuns) return count;
  }
  return count;
}

void AppendRuns(const PlacedTile& tile, std::vector<ByteRange>* runs) {
  const std::size_t first = runs->size();
  runs->push_back({tile.offset, tile.offset + tile.shape.run});
  for (const Level& level : tile.shape.levels) {
    const std::size_t last = runs->size();
    for (std::uint64_t step = 1; step < level.count; ++step) {
      for (std::size_t i = first; i < last; ++i) {
        const std::uint64_t by = step * level.stride;
        runs->push_back({(*runs)[i].first + by, (*runs)[i].last + by});
      }
    }
  }
}

bool TooFine(const std::vector<PlacedTile>& tiles) {
  std::uint64_t total = 0;
  for (const PlacedTile& tile : tiles) {
    total += RunCount(tile.shape);
    if (total > kMostRuns) return true;
  }
  return false;
}

}  // namespace

std::size_t CutHash::operator()(const Cut& cut) const {
  std::uint64_t hash = cut.size();
  for (const auto& [layout, offset] : cut) {
    hash = (hash ^ Index(layout)) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ static_cast<std::uint64_t>(offset)) * 0xc4ceb9fe1a85ec53u;
    hash ^= hash >> 29;
  }
  return hash;
}

CoveredBytes BytesOf(std::vector<PlacedTile> tiles) {
  CoveredBytes covered;
  if (tiles.empty()) return covered;
  std::vector<Level> stripped = StripCommon(&tiles);
  covered.too_fine = TooFine(tiles);
  if (covered.too_fine) return covered;
  std::vector<ByteRange> runs;
  for (const PlacedTile& tile : tiles) AppendRuns(tile, &runs);
  std::sort(
      runs.begin(), runs.end(),
      [](const ByteRange& a, const ByteRange& b) { return a.first < b.first; });
  const auto note_hole = [&covered](std::uint64_t first, std::uint64_t last) {
    if (covered.hole.first == covered.hole.last) covered.hole = {first, last};
  };
  for (const ByteRange& run : runs) {
    if (run.first > covered.extent) note_hole(covered.extent, run.first);
    if (run.last > covered.extent) {
      covered.bytes += run.last - std::max(run.first, covered.extent);
      covered.extent = run.last;
    }
  }
  // Back through the repetitions, from the innermost.
  const std::uint64_t start = runs.front().first;
  for (; !stripped.empty(); stripped.pop_back()) {
    const Level& level = stripped.back();
    const std::uint64_t within = covered.extent - start;
    if (within < level.stride) {
      note_hole(covered.extent, start + level.stride);
    }
    covered.bytes *= level.count;
    covered.extent += level.stride * (level.count - 1);
  }
  return covered;
}

RegionClasses ClassesOf(std::vector<PlacedTile> tiles) {
  RegionClasses result;
  if (tiles.empty()) return result;
  StripCommon(&tiles);
  result.too_fine = TooFine(tiles);
  if (result.too_fine) return result;
  std::vector<ByteRange> runs;
  std::vector<std::size_t> first_run;
  for (const PlacedTile& tile : tiles) {
    first_run.push_back(runs.size());
    AppendRuns(tile, &runs);
  }
  first_run.push_back(runs.size());

  // Atoms: what lies between neighbouring ends of runs.
  std::vector<std::uint64_t> ends;
  for (const ByteRange& run : runs) {
    ends.push_back(run.first);
    ends.push_back(run.last);
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  const auto atom_at = [&ends](std::uint64_t byte) {
    return static_cast<std::size_t>(
        std::lower_bound(ends.begin(), ends.end(), byte) - ends.begin());
  };
  // Each tile adds its number, mixed, to the atoms it covers: equal sums mean
  // the same tiles.
  std::vector<std::uint64_t> sums(ends.size());
  for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
    for (std::size_t run = first_run[tile]; run < first_run[tile + 1]; ++run) {
      sums[atom_at(runs[run].first)] += Mix(tile);
      sums[atom_at(runs[run].last)] -= Mix(tile);
    }
  }
  std::vector<std::uint32_t> class_of(ends.size());
  std::unordered_map<std::uint64_t, std::uint32_t> class_of_sum;
  std::uint64_t sum = 0;
  for (std::size_t atom = 0; atom + 1 < ends.size(); ++atom) {
    sum += sums[atom];
    if (sum == 0) continue;  // no tile covers it
    const auto [at, added] = class_of_sum.emplace(
        sum, static_cast<std::uint32_t>(result.bytes.size()));
    class_of[atom] = at->second;
    if (added) {
      result.bytes.push_back({ends[atom], ends[atom + 1]});
    } else if (result.bytes[at->second].last == ends[atom]) {
      result.bytes[at->second].last = ends[atom + 1];
    }
  }
  std::vector<std::size_t> seen(result.bytes.size(), tiles.size());
  std::vector<std::uint32_t>& classes = result.classes;
  result.first.reserve(tiles.size() + 1);
  for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
    result.first.push_back(classes.size());
    for (std::size_t run = first_run[tile]; run < first_run[tile + 1]; ++run) {
      const std::size_t last = atom_at(runs[run].last);
      for (std::size_t atom = atom_at(runs[run].first); atom < last; ++atom) {
        if (seen[class_of[atom]] == tile) continue;
        seen[class_of[atom]] = tile;
        classes.push_back(class_of[atom]);
      }
    }
    std::sort(
        classes.begin() + static_cast<std::ptrdiff_t>(result.first.back()),
        classes.end());
  }
  result.first.push_back(classes.size());
  return result;
}

}  // namespace graph_coverage
