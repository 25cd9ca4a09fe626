// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/race_roots.h"

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "audit/analysis/order.h"

namespace graph_coverage {
namespace {

using RaceKey = std::tuple<RaceKind, TensorId, std::uint32_t, std::uint32_t>;

RaceKey KeyOf(const Race& race, const OrderGroups& groups) {
  return {race.kind, race.tensor, groups.of(race.earlier),
          groups.of(race.later)};
}

std::vector<LeafRoot> RootsOf(const View& view, Order& order) {
  std::vector<LeafRoot> roots;
  std::map<std::pair<std::uint32_t, LeafFault>, std::size_t> position;
  for (const LeafOperator& leaf : order.leaves()) {
    if (leaf.fault == LeafFault::kNone) continue;
    const std::uint32_t type = view.task(leaf.tasks.front()).type;
    const auto [at, added] =
        position.emplace(std::pair(type, leaf.fault), roots.size());
    if (added) roots.push_back({leaf.fault, {}, {}});
    roots[at->second].operators.push_back(&leaf);
  }
  return roots;
}

// The edges that are missing: what reads an operator's tiles waits for it.
std::vector<AddedEdge> MendOf(const LeafRoot& root,
                              const std::vector<Race>& races) {
  std::map<TaskId, std::size_t> operator_of;
  for (std::size_t i = 0; i < root.operators.size(); ++i) {
    for (const TaskId task : root.operators[i]->tasks) operator_of[task] = i;
  }
  std::map<std::size_t, std::set<TaskId>> readers;
  for (const Race& race : races) {
    const auto at = operator_of.find(race.earlier);
    if (race.kind != RaceKind::kRead || at == operator_of.end()) continue;
    readers[at->second].insert(race.laters.begin(), race.laters.end());
  }
  std::vector<AddedEdge> edges;
  for (const auto& [leaf, tasks] : readers) {
    edges.push_back(
        {root.operators[leaf]->tasks, {tasks.begin(), tasks.end()}});
  }
  return edges;
}

}  // namespace

RaceRoots PartRaces(const View& view, Order& order) {
  const std::vector<Race>& races = order.walk().races;
  RaceRoots parted;
  parted.roots = RootsOf(view, order);
  // Edges that are added make no races where there were none.
  std::vector<bool> raced(view.tensor_count());
  for (const Race& race : races) {
    parted.left.push_back(&race);
    raced[Index(race.tensor)] = true;
  }
  std::vector<AddedEdge> edges;
  for (LeafRoot& root : parted.roots) {
    const std::vector<AddedEdge> mend = MendOf(root, races);
    if (mend.empty()) continue;
    edges.insert(edges.end(), mend.begin(), mend.end());
    std::set<RaceKey> remain;
    for (const Race& race : order.WalkWith(edges, raced).races) {
      remain.insert(KeyOf(race, order.groups()));
    }
    std::vector<const Race*> left;
    for (const Race* race : parted.left) {
      const bool gone = remain.count(KeyOf(*race, order.groups())) == 0;
      (gone ? root.races : left).push_back(race);
    }
    parted.left = std::move(left);
  }
  return parted;
}

}  // namespace graph_coverage
