// SPDX-License-Identifier: Apache-2.0
//
// Rule coverage-hole: the tiles read of a tensor that no task writes cover it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "audit/analysis/order.h"
#include "audit/analysis/region_classes.h"
#include "audit/rules/memory_rules.h"

namespace graph_coverage {
namespace {

// What the tiles read of a tensor cover.
struct Cover {
  std::uint64_t tiles = 0;   // that differ
  std::uint64_t bytes = 0;   // in at least one tile
  std::uint64_t extent = 0;  // up to the last byte of a tile
  std::uint64_t first_hole = 0;
  std::uint64_t hole_end = 0;
  std::string trouble;  // why it cannot be told

  auto Facts() const { return std::tuple(tiles, bytes, extent); }
};

Cut TilesRead(const View& view, TensorId tensor) {
  Cut tiles;
  for (const Reference& reference : view.references(tensor)) {
    if (reference.output) continue;
    const Operand& operand = view.task(reference.task).inputs[reference.slot];
    const std::pair placed(operand.layout, operand.offset);
    if (tiles.empty() || tiles.back() != placed) tiles.push_back(placed);
  }
  if (!std::is_sorted(tiles.begin(), tiles.end())) {
    std::sort(tiles.begin(), tiles.end());
  }
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  return tiles;
}

Cover CoverOf(const View& view, const Cut& tiles) {
  Cover cover;
  cover.tiles = tiles.size();
  std::vector<PlacedTile> placed;
  for (const auto& [layout, offset] : tiles) {
    cover.trouble = Distrust(view.layout(layout));
    if (offset < 0) cover.trouble = "a tile of it lies before it";
    if (!cover.trouble.empty()) return cover;
    placed.push_back(
        {static_cast<std::uint64_t>(offset), ShapeOf(view.layout(layout))});
  }
  const CoveredBytes covered = BytesOf(std::move(placed));
  if (covered.too_fine) cover.trouble = "its tiles fall into too many pieces";
  cover.bytes = covered.bytes;
  cover.extent = covered.extent;
  cover.first_hole = covered.hole.first;
  cover.hole_end = covered.hole.last;
  return cover;
}

// The cover that most peers have, and how many.
struct Majority {
  std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> facts;
  std::size_t members = 0;
  std::size_t of = 0;
};

// Peers: tensors of one family, in layers that have the same weights. A dense
// layer may cut a matrix otherwise than a layer of experts does.
using Peers = std::pair<std::string, std::optional<std::size_t>>;

class PeersOf {
 public:
  explicit PeersOf(Analyses& analyses)
      : families_(analyses.families()), layers_(analyses.layers()) {
    const LayerForms& forms = analyses.layer_forms();
    for (std::size_t i = 0; i < forms.classes().size(); ++i) {
      for (const std::uint32_t at : forms.classes()[i].layers) {
        classes_[forms.all()[at].section] = i;
      }
    }
  }

  Peers operator()(TensorId tensor) const {
    Peers peers{families_.of(tensor).family, std::nullopt};
    if (const auto section = layers_.of_tensor(tensor)) {
      const auto at = classes_.find(*section);
      if (at != classes_.end()) peers.second = at->second;
    }
    return peers;
  }

 private:
  const Families& families_;
  const Layers& layers_;
  std::map<Section, std::size_t> classes_;
};

}  // namespace

void JudgeCoverageHole(const RankContext& rank, Judgement& judgement) {
  const View& view = rank.view;
  const Accesses& accesses = rank.analyses.order().accesses();
  std::unordered_map<Cut, Cover, CutHash> covers;
  std::vector<std::pair<TensorId, const Cover*>> judged;
  for (std::size_t i = 0; i < view.declaration_count(); ++i) {
    const TensorId tensor = view.declared_tensor(i);
    const Declaration& declaration = view.declaration_at(i);
    if (accesses.written(tensor) ||
        (declaration.kind != TensorKind::kAttached &&
         declaration.kind != TensorKind::kShuffled)) {
      continue;
    }
    Cut tiles = TilesRead(view, tensor);
    if (tiles.empty()) continue;
    auto at = covers.find(tiles);
    if (at == covers.end()) {
      const Cover cover = CoverOf(view, tiles);
      at = covers.emplace(std::move(tiles), cover).first;
    }
    if (!at->second.trouble.empty()) {
      judgement.CouldNotJudge(at->second.trouble);
      continue;
    }
    judgement.Judged();
    judged.push_back({tensor, &at->second});
  }

  const PeersOf peers_of(rank.analyses);
  std::map<Peers, std::map<decltype(Majority::facts), std::size_t>> covers_of;
  for (const auto& [tensor, cover] : judged) {
    ++covers_of[peers_of(tensor)][cover->Facts()];
  }
  std::map<Peers, Majority> majority;
  for (const auto& [peers, counts] : covers_of) {
    Majority& most = majority[peers];
    for (const auto& [facts, members] : counts) {
      most.of += members;
      if (members > most.members) {
        most.members = members;
        most.facts = facts;
      }
    }
  }
  for (const auto& [tensor, cover] : judged) {
    const Majority& most = majority[peers_of(tensor)];
    const Declaration& declaration = *view.declaration(tensor);
    std::string found;
    std::string expected = "that the tiles read of it leave nothing out";
    if (cover->bytes < cover->extent) {
      found = fmt::format(
          "is read in {} tiles that leave a hole: bytes {} to {} of {}",
          cover->tiles, cover->first_hole, cover->hole_end, cover->extent);
    } else if (declaration.bytes && cover->bytes != *declaration.bytes) {
      found = fmt::format("is read in tiles of {} bytes, and has {}",
                          cover->bytes, *declaration.bytes);
    } else if (2 * most.members > most.of && cover->Facts() != most.facts) {
      found = fmt::format("is read in {} tiles that cover {} bytes",
                          cover->tiles, cover->bytes);
      expected = fmt::format("{} tiles that cover {} bytes, as of {} others",
                             std::get<0>(most.facts), std::get<1>(most.facts),
                             most.members);
    } else {
      continue;
    }
    Finding& finding = judgement.Add();
    finding.tensor = view.tensor_name(tensor);
    finding.places.push_back({view.source_file(), declaration.line, 0, 0});
    finding.found = std::move(found);
    finding.expected = std::move(expected);
    finding.advice = "Add the tiles that are missing, or mend their offsets";
  }
}

}  // namespace graph_coverage
