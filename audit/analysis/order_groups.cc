// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/order_groups.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace graph_coverage {
namespace {

using Key = std::vector<std::uint32_t>;

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const std::uint32_t part : key) {
      hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

// Type, variant and tensors.
void KeyOf(const Task& task, Key* key) {
  key->clear();
  key->push_back(task.type);
  key->push_back(task.variant);
  key->push_back(static_cast<std::uint32_t>(task.inputs.size()));
  for (const Span<Operand> operands : {task.inputs, task.outputs}) {
    for (const Operand& operand : operands) {
      key->push_back(static_cast<std::uint32_t>(operand.tensor));
    }
  }
}

// The newest group of a key, and one member for each event it triggers.
struct Newest {
  std::uint32_t group = 0;
  std::uint32_t last_waits = EventGraph::kNone;
  std::vector<std::pair<std::uint32_t, TaskId>> triggers;
};

}  // namespace

OrderGroups::OrderGroups(const View& view, const EventGraph& events,
                         const HappensBefore& order, const Families& families)
    : group_of_(view.task_count()) {
  std::unordered_map<Key, Newest, KeyHash> newest;
  std::map<std::vector<std::string>, std::uint32_t> kinds;
  Key key;
  Key last_key;
  Newest* at = nullptr;
  for (std::size_t i = 0; i < view.task_count(); ++i) {
    const Task task = view.task(TaskId(i));
    KeyOf(task, &key);
    const bool same = at != nullptr && key == last_key;
    if (!same) at = &newest[key];
    last_key = key;
    const std::uint32_t waits = events.dependent(TaskId(i));
    const bool fresh =
        at->triggers.empty() ||
        (waits != at->last_waits &&
         std::any_of(at->triggers.begin(), at->triggers.end(),
                     [&](const auto& trigger) {
                       return order.Before(trigger.second, TaskId(i));
                     }));
    if (fresh) {
      at->group = static_cast<std::uint32_t>(groups_.size());
      at->triggers.clear();
      std::vector<std::string> kind = {std::to_string(task.type)};
      for (const Span<Operand> operands : {task.inputs, task.outputs}) {
        for (const Operand& operand : operands) {
          kind.push_back(families.of(operand.tensor).family);
        }
      }
      groups_.push_back({{},
                         kinds
                             .emplace(std::move(kind),
                                      static_cast<std::uint32_t>(kinds.size()))
                             .first->second});
    }
    at->last_waits = waits;
    const std::uint32_t trigger = events.trigger(TaskId(i));
    if (at->triggers.empty() || at->triggers.back().first != trigger) {
      at->triggers.push_back({trigger, TaskId(i)});
    }
    groups_[at->group].tasks.push_back(TaskId(i));
    group_of_[i] = at->group;
  }
}

}  // namespace graph_coverage
