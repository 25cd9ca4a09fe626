// SPDX-License-Identifier: Apache-2.0
#include "generators/synthetic/waits.h"

#include <algorithm>

namespace graph_coverage::synthetic {
namespace {

class Planner {
 public:
  explicit Planner(std::size_t operators) {
    waits_.dependent.resize(operators);
    waits_.trigger.resize(operators);
  }

  void Append(std::uint32_t op, const std::vector<Dependency>& dependencies) {
    std::vector<std::uint32_t> needs;
    for (const Dependency& dependency : dependencies) {
      needs.push_back(waits_.trigger[dependency.on]);
    }
    Reduce(needs);
    if (!needs.empty()) Join(op, Choose(op, needs));

    const auto fresh = static_cast<std::uint32_t>(waits_.meetings.size());
    waits_.meetings.push_back({{op}, {}});
    waits_.trigger[op] = fresh;
    open_.push_back(fresh);
  }

  Waits Take() && {
    // Operators that nobody waits for trigger the end together.
    if (open_.size() > 1) Merge(open_);
    return std::move(waits_);
  }

 private:
  bool IsOpen(std::uint32_t meeting) const {
    return waits_.meetings[meeting].consumers.empty();
  }

  // Drops what another need implies.
  void Reduce(std::vector<std::uint32_t>& needs) {
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
    const std::vector<std::uint32_t> all = needs;
    std::erase_if(needs, [&](std::uint32_t need) {
      return std::any_of(all.begin(), all.end(), [&](std::uint32_t other) {
        return other != need && Implies(other, need);
      });
    });
  }

  // Whether whoever waits for `later` comes after all producers of `earlier`.
  bool Implies(std::uint32_t later, std::uint32_t earlier) {
    const std::uint32_t target = waits_.meetings[earlier].producers.front();
    seen_.resize(waits_.meetings.size(), 0);
    ++stamp_;
    std::vector<std::uint32_t> pending = {later};
    while (!pending.empty()) {
      const std::uint32_t meeting = pending.back();
      pending.pop_back();
      for (const std::uint32_t op : waits_.meetings[meeting].producers) {
        if (!waits_.dependent[op]) continue;
        const std::uint32_t before = *waits_.dependent[op];
        if (before == earlier) return true;
        // All before a meeting lies before its last producer.
        if (waits_.meetings[before].producers.back() < target) continue;
        if (seen_[before] == stamp_) continue;
        seen_[before] = stamp_;
        pending.push_back(before);
      }
    }
    return false;
  }

  std::uint32_t Choose(std::uint32_t op,
                       const std::vector<std::uint32_t>& needs) {
    if (needs.size() == 1) {
      const Meeting& meeting = waits_.meetings[needs.front()];
      if (meeting.consumers.empty() || meeting.consumers.back() + 1 == op) {
        return needs.front();
      }
    } else if (std::all_of(needs.begin(), needs.end(),
                           [&](std::uint32_t need) { return IsOpen(need); })) {
      return Merge(needs);
    }
    return Merge(open_);
  }

  void Join(std::uint32_t op, std::uint32_t meeting) {
    waits_.dependent[op] = meeting;
    waits_.meetings[meeting].consumers.push_back(op);
    std::erase(open_, meeting);
  }

  // Makes open meetings one: the first of them. Nobody waits for them yet, so
  // no order that was relied on is lost.
  std::uint32_t Merge(std::vector<std::uint32_t> parts) {
    const std::uint32_t first = parts.front();
    Meeting& whole = waits_.meetings[first];
    for (std::size_t i = 1; i < parts.size(); ++i) {
      Meeting& part = waits_.meetings[parts[i]];
      for (const std::uint32_t op : part.producers) {
        waits_.trigger[op] = first;
        whole.producers.push_back(op);
      }
      part.producers.clear();
      std::erase(open_, parts[i]);
    }
    std::sort(whole.producers.begin(), whole.producers.end());
    return first;
  }

  Waits waits_;
  std::vector<std::uint32_t> open_;  // meetings without waiters
  std::vector<std::uint64_t> seen_;
  std::uint64_t stamp_ = 0;
};

}  // namespace

Waits FindWaits(const std::vector<std::vector<Dependency>>& dependencies) {
  Planner planner(dependencies.size());
  for (std::uint32_t op = 0; op < dependencies.size(); ++op) {
    planner.Append(op, dependencies[op]);
  }
  return std::move(planner).Take();
}

}  // namespace graph_coverage::synthetic
