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

// What a tensor's memory on one rank goes through, in the order of the tasks.
using Touches = std::vector<Touch>;

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

// The names of the tensors that puts write, ascending.
std::vector<std::string> RemoteTensors(const GendirContext& gendir) {
  std::set<std::string> names;
  for (const RankContext& rank : gendir.ranks) {
    const Accesses& accesses = rank.analyses.order().accesses();
    for (std::uint32_t i = 0; i < accesses.tiles().size(); ++i) {
      const TensorId tensor = accesses.tiles()[i].tensor;
      if (accesses.remote(i) && accesses.untrusted().count(tensor) == 0) {
        names.insert(std::string(rank.view.tensor_name(tensor)));
      }
    }
  }
  return {names.begin(), names.end()};
}

// By the rank whose memory it is, and by name. A put that names a rank which
// is not there comes last.
std::vector<std::vector<Touches>> TouchesOf(
    const GendirContext& gendir, const std::vector<std::string>& names,
    Tiles* tiles) {
  const std::size_t ranks = gendir.ranks.size();
  std::vector<std::vector<Touches>> touches(ranks + 1,
                                            std::vector<Touches>(names.size()));
  std::vector<PlacedOnce> placed;
  std::vector<std::vector<std::size_t>> name_of(ranks);  // by tensor
  std::size_t tasks = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const View& view = gendir.ranks[rank].view;
    placed.emplace_back(view, gendir.ranks[rank].analyses.order().accesses(),
                        tiles);
    name_of[rank].assign(view.tensor_count(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto tensor = view.FindTensor(names[i]);
      if (tensor) name_of[rank][Index(*tensor)] = i;
    }
    tasks = std::max(tasks, view.task_count());
  }
  for (std::size_t i = 0; i < tasks; ++i) {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const View& view = gendir.ranks[rank].view;
      const Accesses& accesses = gendir.ranks[rank].analyses.order().accesses();
      if (i >= view.task_count()) continue;
      for (const Access& access : accesses.of(TaskId(i))) {
        const TensorId tensor = accesses.tiles()[access.tile].tensor;
        const std::size_t name = name_of[rank][Index(tensor)];
        if (name == names.size()) continue;
        const std::size_t owner =
            access.remote ? view.task(TaskId(i)).trigger.gpu() : rank;
        touches[std::min(owner, ranks)][name].push_back(
            {{rank, TaskId(i)}, placed[rank].Of(access), access.writes});
      }
    }
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

std::vector<Overwrite> OverwritesOf(const Touches& touches, const Tiles& all,
                                    const JointOrder& order) {
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

std::string FoundText(const GendirContext& gendir, std::size_t owner,
                      const Overwrite& overwrite) {
  return fmt::format(
      "of rank {} is written by {}, bytes {} to {}, and nothing orders "
      "that after {}, which {} them",
      owner, TaskText(gendir, *overwrite.later), overwrite.bytes.first,
      overwrite.bytes.last, TaskText(gendir, *overwrite.earlier),
      overwrite.earlier->writes ? "writes" : "reads");
}

}  // namespace

void JudgeCrossRankOverwrite(const GendirContext& gendir,
                             Judgement& judgement) {
  const std::vector<std::string> names = RemoteTensors(gendir);
  if (names.empty()) return;
  if (!IsWhole(gendir)) {
    judgement.CouldNotJudge("not all ranks were given", names.size());
    return;
  }
  Tiles tiles;
  const std::vector<std::vector<Touches>> touches =
      TouchesOf(gendir, names, &tiles);
  std::vector<const View*> views;
  std::vector<const EventGraph*> events;
  for (const RankContext& rank : gendir.ranks) {
    views.push_back(&rank.view);
    events.push_back(&rank.analyses.order().events());
  }
  const JointOrder order(views, events);
  std::map<std::string, std::size_t> position;
  for (std::size_t owner = 0; owner < touches.size(); ++owner) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Touches& all = touches[owner][i];
      judgement.Judged(all.size());
      if (owner == gendir.ranks.size()) continue;
      const std::vector<Overwrite> overwrites = OverwritesOf(all, tiles, order);
      if (overwrites.empty()) continue;
      const auto [at, added] =
          position.emplace(names[i], judgement.findings().size());
      if (added) {
        Finding& finding = judgement.Add();
        finding.tensor = names[i];
        finding.members = {names[i]};
        finding.count = overwrites.size();
        finding.places.push_back({views[owner]->graph_file(), 0, 0, 0});
        finding.found = FoundText(gendir, owner, overwrites.front());
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
}

}  // namespace graph_coverage
