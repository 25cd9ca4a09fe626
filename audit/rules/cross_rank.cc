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
  PlacedTile tile;
  bool writes = false;
};

// By the rank whose memory it is and the name of the tensor.
using Touches =
    std::map<std::pair<std::size_t, std::string>, std::vector<Touch>>;

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
                  const std::set<std::string>& names) {
  Touches touches;
  for (std::size_t rank = 0; rank < gendir.ranks.size(); ++rank) {
    const View& view = gendir.ranks[rank].view;
    const Accesses& accesses = gendir.ranks[rank].analyses.order().accesses();
    for (std::size_t i = 0; i < view.task_count(); ++i) {
      for (const Access& access : accesses.of(TaskId(i))) {
        const TileId& tile = accesses.tiles()[access.tile];
        const std::string name(view.tensor_name(tile.tensor));
        if (names.count(name) == 0) continue;
        // The leading dim of a put counts ranks; it fills one slot of it.
        const PlacedTile placed{
            static_cast<std::uint64_t>(tile.offset),
            ShapeOf(view.layout(tile.layout), access.remote ? 1 : 0)};
        const std::size_t owner =
            access.remote ? view.task(TaskId(i)).trigger.gpu() : rank;
        touches[{owner, name}].push_back(
            {{rank, TaskId(i)}, placed, access.writes});
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
                                    const JointOrder& order) {
  std::vector<PlacedTile> tiles;
  for (const Touch& touch : touches) tiles.push_back(touch.tile);
  const RegionClasses classes = ClassesOf(std::move(tiles));
  std::vector<std::vector<const Touch*>> since(classes.bytes.size());
  std::vector<Overwrite> found;
  if (classes.too_fine) return found;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const Touch& touch = touches[i];
    bool reported = false;
    for (const std::uint32_t region : classes.of_tile[i]) {
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
  const Touches touches = TouchesOf(gendir, names);
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
    const std::vector<Overwrite> overwrites = OverwritesOf(all, order);
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
