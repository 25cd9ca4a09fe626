// SPDX-License-Identifier: Apache-2.0
#include "generators/synthetic/tile_groups.h"

#include <algorithm>
#include <numeric>

#include "generators/synthetic/tiling.h"

namespace graph_coverage::synthetic {
namespace {

class Grouper {
 public:
  Grouper(const Program& program,
          const std::vector<std::vector<Dependency>>& dependencies,
          const Waits& waits)
      : ops_(program.operators()),
        program_(program),
        dependencies_(dependencies),
        waits_(waits),
        groups_(waits.meetings.size()) {}

  std::vector<TileGroups> Run() && {
    // In the order of the operators, so that what lies before is settled.
    for (std::uint32_t op = 0; op < ops_.size(); ++op) {
      const auto& meeting = waits_.dependent[op];
      if (!meeting) continue;
      const Meeting& tasks = waits_.meetings[*meeting];
      if (tasks.producers.size() != 1 || tasks.consumers.size() != 1) continue;
      TileGroups groups = Pair(tasks.producers.front(), op);
      if (groups.count < 2) continue;
      groups_[*meeting] = std::move(groups);
      if (!StillOrdered(tasks.producers.front(), op)) groups_[*meeting] = {};
    }
    return std::move(groups_);
  }

 private:
  static std::size_t Root(std::vector<std::size_t>& parent, std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  }

  bool Cut(const Operator& op, const Use& use) const {
    for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
      if (use.split[axis] != Use::kWhole && op.grid[axis] > 1) return true;
    }
    return false;
  }

  // Groups the tasks that touch common elements; one group where they cannot
  // be told apart, or where a group's waiters would not be neighbours.
  TileGroups Pair(std::uint32_t producer, std::uint32_t consumer) const {
    const Operator& before = ops_[producer];
    const Operator& after = ops_[consumer];
    const auto producers = static_cast<std::size_t>(TaskCount(before));
    const auto consumers = static_cast<std::size_t>(TaskCount(after));
    if (producers < 2 || consumers < 2) return {};

    std::vector<const Dependency*> reasons;
    for (const Dependency& reason : dependencies_[consumer]) {
      if (reason.on != producer) continue;
      if (reason.earlier->order_only || reason.later->order_only ||
          !Cut(before, *reason.earlier) || !Cut(after, *reason.later)) {
        return {};
      }
      reasons.push_back(&reason);
    }

    std::vector<std::size_t> parent(producers + consumers);
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    for (const Dependency* reason : reasons) {
      for (std::size_t p = 0; p < producers; ++p) {
        for (std::size_t c = 0; c < consumers; ++c) {
          const std::size_t a = Root(parent, p);
          const std::size_t b = Root(parent, producers + c);
          if (a != b && Meet(*reason, p, consumer, c)) parent[a] = b;
        }
      }
    }

    constexpr std::uint32_t kUnset = ~std::uint32_t{0};
    TileGroups result;
    result.count = 0;
    std::vector<std::uint32_t> number(parent.size(), kUnset);
    for (std::size_t c = 0; c < consumers; ++c) {
      std::uint32_t& group = number[Root(parent, producers + c)];
      if (group == kUnset) {
        group = result.count++;
      } else if (group + 1 != result.count) {
        return {};  // its waiters are no neighbours
      }
      result.consumer.push_back(group);
    }
    std::vector<bool> produced(result.count, false);
    for (std::size_t p = 0; p < producers; ++p) {
      const std::uint32_t group = number[Root(parent, p)];
      if (group == kUnset) return {};  // nobody waits for it
      produced[group] = true;
      result.producer.push_back(group);
    }
    // A group that nobody produces for waits for nothing.
    if (std::count(produced.begin(), produced.end(), false) > 0) return {};
    return result;
  }

  bool Meet(const Dependency& reason, std::size_t earlier_task,
            std::uint32_t later, std::size_t later_task) const {
    return TilesMeet(program_, ops_[reason.on], *reason.earlier,
                     static_cast<std::int64_t>(earlier_task), ops_[later],
                     *reason.later, static_cast<std::int64_t>(later_task));
  }

  // Whether the groups between `producer` and `op` leave `op` ordered after
  // the other operators it depends on. Up a chain of grouped events each task
  // sees but some tasks of the operator above; beyond the first event that
  // has no groups it sees everything.
  bool StillOrdered(std::uint32_t producer, std::uint32_t op) const {
    for (const Dependency& reason : dependencies_[op]) {
      if (reason.on == producer) continue;
      for (std::size_t task = 0;
           task < static_cast<std::size_t>(TaskCount(ops_[op])); ++task) {
        if (!Sees(op, task, reason)) return false;
      }
    }
    return true;
  }

  bool Sees(std::uint32_t op, std::size_t task,
            const Dependency& reason) const {
    std::uint32_t at = op;
    std::vector<std::size_t> tasks = {task};
    while (waits_.dependent[at]) {
      const std::uint32_t meeting = *waits_.dependent[at];
      const TileGroups& groups = groups_[meeting];
      if (groups.count < 2) return true;
      const std::uint32_t above = waits_.meetings[meeting].producers.front();
      std::vector<bool> reached(groups.count, false);
      for (const std::size_t t : tasks) reached[groups.consumer[t]] = true;
      tasks.clear();
      for (std::size_t p = 0; p < groups.producer.size(); ++p) {
        if (reached[groups.producer[p]]) {
          tasks.push_back(p);
        } else if (above == reason.on && Meet(reason, p, op, task)) {
          return false;
        }
      }
      if (above == reason.on) return true;
      at = above;
    }
    return false;
  }

  const std::vector<Operator>& ops_;
  const Program& program_;
  const std::vector<std::vector<Dependency>>& dependencies_;
  const Waits& waits_;
  std::vector<TileGroups> groups_;
};

}  // namespace

std::vector<TileGroups> FindTileGroups(
    const Program& program,
    const std::vector<std::vector<Dependency>>& dependencies,
    const Waits& waits) {
  return Grouper(program, dependencies, waits).Run();
}

}  // namespace graph_coverage::synthetic
