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

std::vector<LeafRoot> LeafRoots(const View& view, Order& order) {
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

std::vector<CountRoot> CountRoots(const View& view, const EventGraph& events) {
  using Types = std::set<std::uint32_t>;
  const auto types_of = [&view](Span<TaskId> tasks) {
    Types types;
    for (const TaskId task : tasks) types.insert(view.task(task).type);
    return types;
  };
  using Way =
      std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, Types, Types>;
  std::vector<CountRoot> roots;
  std::map<Way, std::size_t> position;
  for (std::uint32_t event = 0; event < events.event_count(); ++event) {
    if (events.triggers(event) <= events.demands(event)) continue;
    const auto [at, added] = position.emplace(
        Way(events.triggers(event), events.demands(event),
            events.remote_coming(event), types_of(events.triggering(event)),
            types_of(events.waiting(event))),
        roots.size());
    if (added) roots.emplace_back();
    roots[at->second].events.push_back(event);
  }
  return roots;
}

// Lays one mend after the other over the graph.
class Mender {
 public:
  explicit Mender(const View& view, Order& order)
      : order_(order), raced_(view.tensor_count()) {
    // A mend makes no races where there were none.
    for (const Race& race : order.walk().races) {
      left_.push_back(&race);
      raced_[Index(race.tensor)] = true;
    }
  }

  bool done() const { return left_.empty(); }

  // The races that are gone once this is mended, too.
  std::vector<const Race*> Add(const Mend& mend) {
    mend_.edges.insert(mend_.edges.end(), mend.edges.begin(), mend.edges.end());
    mend_.counts.insert(mend_.counts.end(), mend.counts.begin(),
                        mend.counts.end());
    std::set<RaceKey> remain;
    for (const Race& race : order_.WalkWith(mend_, raced_).races) {
      remain.insert(KeyOf(race, order_.groups()));
    }
    std::vector<const Race*> gone;
    std::vector<const Race*> left;
    for (const Race* race : left_) {
      const bool stays = remain.count(KeyOf(*race, order_.groups())) != 0;
      (stays ? left : gone).push_back(race);
    }
    left_ = std::move(left);
    return gone;
  }

 private:
  Order& order_;
  std::vector<bool> raced_;  // by tensor
  std::vector<const Race*> left_;
  Mend mend_;
};

}  // namespace

RaceRoots PartRaces(const View& view, Order& order) {
  RaceRoots parted;
  parted.counts = CountRoots(view, order.events());
  parted.leaves = LeafRoots(view, order);
  Mender mender(view, order);
  for (CountRoot& root : parted.counts) {
    if (mender.done()) break;
    root.races = mender.Add({{}, root.events});
  }
  for (LeafRoot& root : parted.leaves) {
    const std::vector<AddedEdge> edges = MendOf(root, order.walk().races);
    if (!edges.empty()) root.races = mender.Add({edges, {}});
  }
  return parted;
}

}  // namespace graph_coverage
