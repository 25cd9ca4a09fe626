// SPDX-License-Identifier: Apache-2.0
//
// Rule cross-rank-overwrite: a put writes another rank's memory, which must be
// done with what was there.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "audit/analysis/joint_order.h"
#include "audit/analysis/order.h"
#include "audit/analysis/region_classes.h"
#include "audit/rules/memory_rules.h"

namespace graph_coverage {
namespace {

// One task's touch of a tensor on one rank.
struct Touch {
  RankTask by;
  std::uint32_t tile = 0;  // position in Tiles
  bool writes = false;
};

constexpr std::uint32_t kNowhere = 0xffffffff;

// By the rank whose memory it is and the name of the tensor.
using Touches =
    std::map<std::pair<std::size_t, std::string>, std::vector<Touch>>;

// Tiles of all ranks, equal ones once.
class Tiles {
 public:
  std::uint32_t Add(const PlacedTile& tile) {
    Key key{tile.offset, tile.shape.run, {}};
    for (const Level& level : tile.shape.levels) {
      std::get<2>(key).push_back({level.stride, level.count});
    }
    const auto next = static_cast<std::uint32_t>(tiles_.size());
    const auto [at, added] = position_.emplace(std::move(key), next);
    if (added) tiles_.push_back(tile);
    return at->second;
  }
  const PlacedTile& operator[](std::uint32_t i) const { return tiles_[i]; }
  std::size_t size() const { return tiles_.size(); }

 private:
  using Key = std::tuple<std::uint64_t, std::uint64_t,
                         std::vector<std::pair<std::uint64_t, std::uint64_t>>>;

  std::vector<PlacedTile> tiles_;
  std::map<Key, std::uint32_t> position_;
};

// The tiles of one rank in Tiles, where they have been placed.
class PlacedOnce {
 public:
  PlacedOnce(const View& view, const Accesses& accesses, Tiles* tiles)
      : view_(view), accesses_(accesses), tiles_(tiles) {
    for (auto& of : position_) of.resize(accesses.tiles().size(), kNowhere);
  }

  std::uint32_t Of(const Access& access) {
    std::uint32_t& position = position_[access.remote ? 1 : 0][access.tile];
    if (position == kNowhere) {
      const TileId& tile = accesses_.tiles()[access.tile];
      // The leading dim of a put counts ranks; it fills one slot of it.
      position = tiles_->Add(
          {static_cast<std::uint64_t>(tile.offset),
           ShapeOf(view_.layout(tile.layout), access.remote ? 1 : 0)});
    }
    return position;
  }

 private:
  const View& view_;
  const Accesses& accesses_;
  Tiles* tiles_;
  std::vector<std::uint32_t> position_[2];  // by tile; of puts second
};

bool IsWhole(const GendirContext& gendir) {
  for (std::size_t i = 0; i < gendir.ranks.size(); ++i) {
    const View& view = gendir.ranks[i].view;
    if (Index(view.rank()) != i ||
        view.num_gpus().value_or(gendir.ranks.size()) != gendir.ranks.size()) {
      return false;
    }
  }
  return true;
}

std::set<std::string> RemoteTensors(const GendirContext& gendir) {
  std::set<std::string> names;
  for (const RankContext& rank : gendir.ranks) {
    const Accesses& accesses = rank.analyses.order().accesses();
    std::set<TensorId> tensors;
    for (std::size_t i = 0; i < rank.view.task_count(); ++i) {
      for (const Access& access : accesses.of(TaskId(i))) {
        if (access.remote) tensors.insert(accesses.tiles()[access.tile].tensor);
      }
    }
    for (const TensorId tensor : tensors) {
      if (accesses.untrusted().count(tensor) == 0) {
        names.insert(std::string(rank.view.tensor_name(tensor)));
      }
    }
  }
  return names;
}

Touches TouchesOf(const GendirContext& gendir,
                  const std::set<std::string>& names, Tiles* tiles) {
  Touches touches;
  for (std::size_t rank = 0; rank < gendir.ranks.size(); ++rank) {
    const View& view = gendir.ranks[rank].view;
    const Accesses& accesses = gendir.ranks[rank].analyses.order().accesses();
    PlacedOnce placed(view, accesses, tiles);
    std::vector<bool> wanted(view.tensor_count());
    for (const std::string& name : names) {
      const auto tensor = view.FindTensor(name);
      if (tensor) wanted[Index(*tensor)] = true;
    }
    for (std::size_t i = 0; i < view.task_count(); ++i) {
      for (const Access& access : accesses.of(TaskId(i))) {
        const TensorId tensor = accesses.tiles()[access.tile].tensor;
        if (!wanted[Index(tensor)]) continue;
        const std::size_t owner =
            access.remote ? view.task(TaskId(i)).trigger.gpu() : rank;
        touches[{owner, std::string(view.tensor_name(tensor))}].push_back(
            {{rank, TaskId(i)}, placed.Of(access), access.writes});
      }
    }
  }
  for (auto& [where, all] : touches) {
    std::stable_sort(
        all.begin(), all.end(),
        [](const Touch& a, const Touch& b) { return a.by < b.by; });
  }
  return touches;
}

// A write that does not wait for what a task of another rank does with the
// bytes.
struct Overwrite {
  const Touch* earlier = nullptr;
  const Touch* later = nullptr;
  ByteRange bytes;
};

std::vector<Overwrite> OverwritesOf(const std::vector<Touch>& touches,
                                    const Tiles& all, const JointOrder& order) {
  std::vector<std::uint32_t> position(all.size(), kNowhere);
  std::vector<PlacedTile> tiles;
  for (const Touch& touch : touches) {
    if (position[touch.tile] != kNowhere) continue;
    position[touch.tile] = static_cast<std::uint32_t>(tiles.size());
    tiles.push_back(all[touch.tile]);
  }
  const RegionClasses classes = ClassesOf(std::move(tiles));
  std::vector<std::vector<const Touch*>> since(classes.bytes.size());
  std::vector<Overwrite> found;
  if (classes.too_fine) return found;
  for (const Touch& touch : touches) {
    bool reported = false;
    for (const std::uint32_t region : classes.of_tile(position[touch.tile])) {
      std::vector<const Touch*>& earlier = since[region];
      if (touch.writes) {
        for (const Touch* other : earlier) {
          if (reported || other->by.rank == touch.by.rank ||
              order.Before(other->by, touch.by)) {
            continue;
          }
          found.push_back({other, &touch, classes.bytes[region]});
          reported = true;
        }
        earlier.clear();
      }
      earlier.push_back(&touch);
    }
  }
  return found;
}

std::string TaskText(const GendirContext& gendir, const Touch& touch) {
  const View& view = gendir.ranks[touch.by.rank].view;
  return fmt::format("task {} ({}) of rank {}", Index(touch.by.task),
                     view.TypeName(view.task(touch.by.task).type),
                     Index(view.rank()));
}

}  // namespace

void JudgeCrossRankOverwrite(const GendirContext& gendir,
                             Judgement& judgement) {
  const std::set<std::string> names = RemoteTensors(gendir);
  if (names.empty()) return;
  if (!IsWhole(gendir)) {
    judgement.CouldNotJudge("not all ranks were given", names.size());
    return;
  }
  Tiles tiles;
  const Touches touches = TouchesOf(gendir, names, &tiles);
  std::vector<const View*> views;
  std::vector<const EventGraph*> events;
  for (const RankContext& rank : gendir.ranks) {
    views.push_back(&rank.view);
    events.push_back(&rank.analyses.order().events());
  }
  const JointOrder order(views, events);
  std::map<std::string, std::size_t> position;
  for (const auto& [where, all] : touches) {
    const auto& [owner, name] = where;
    judgement.Judged(all.size());
    const std::vector<Overwrite> overwrites = OverwritesOf(all, tiles, order);
    if (overwrites.empty() || owner >= gendir.ranks.size()) continue;
    const auto [at, added] =
        position.emplace(name, judgement.findings().size());
    if (added) {
      const Overwrite& first = overwrites.front();
      Finding& finding = judgement.Add();
      finding.tensor = name;
      finding.members = {name};
      finding.count = overwrites.size();
      finding.places.push_back({views[owner]->graph_file(), 0, 0, 0});
      finding.found = fmt::format(
          "of rank {} is written by {}, bytes {} to {}, and nothing orders "
          "that after {}, which {} them",
          owner, TaskText(gendir, *first.later), first.bytes.first,
          first.bytes.last, TaskText(gendir, *first.earlier),
          first.earlier->writes ? "writes" : "reads");
      finding.expected =
          "that a rank signals its peers when it is done with the buffer";
      finding.advice =
          "Use two buffers in turn, or let readers signal the ranks that "
          "write";
    }
    judgement.findings()[at->second].ranks.push_back(
        gendir.ranks[owner].view.rank());
  }
}

}  // namespace graph_coverage
