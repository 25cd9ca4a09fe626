// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/order_groups.h"

#include <algorithm>
#include <string_view>
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

// Numbers the kinds of groups: type and families of tensors.
class Kinds {
 public:
  Kinds(const View& view, const Families& families)
      : families_(families), number_(view.tensor_count(), kUnknown) {}

  std::uint32_t Of(const Task& task) {
    Key key = {task.type};
    for (const Span<Operand> operands : {task.inputs, task.outputs}) {
      for (const Operand& operand : operands) {
        key.push_back(FamilyOf(operand.tensor));
      }
    }
    const auto next = static_cast<std::uint32_t>(kinds_.size());
    return kinds_.emplace(std::move(key), next).first->second;
  }

 private:
  static constexpr std::uint32_t kUnknown = 0xffffffff;

  std::uint32_t FamilyOf(TensorId tensor) {
    std::uint32_t& number = number_[Index(tensor)];
    if (number == kUnknown) {
      const auto next = static_cast<std::uint32_t>(family_numbers_.size());
      number = family_numbers_.emplace(families_.of(tensor).family, next)
                   .first->second;
    }
    return number;
  }

  const Families& families_;
  std::vector<std::uint32_t> number_;  // of the family, by tensor
  std::unordered_map<std::string_view, std::uint32_t> family_numbers_;
  std::unordered_map<Key, std::uint32_t, KeyHash> kinds_;
};

// The newest group of a key, and one member for each event it triggers.
struct Newest {
  std::uint32_t group = 0;
  std::uint32_t last_waits = EventGraph::kNone;
  std::vector<std::pair<std::uint32_t, TaskId>> triggers;
  EventRange triggered;
};

}  // namespace

OrderGroups::OrderGroups(const View& view, const Runs& runs,
                         const EventGraph& events, const HappensBefore& order,
                         const Families& families)
    : group_of_(view.task_count()) {
  std::unordered_map<Key, Newest, KeyHash> newest;
  Kinds kinds(view, families);
  Key key;
  runs.EachStretch([&](TaskId first, std::uint32_t tasks) {
    const Task front = view.task(first);
    KeyOf(front, &key);
    Newest& at = newest[key];
    for (std::uint32_t i = 0; i < tasks; ++i) {
      const auto task = TaskId(static_cast<std::uint32_t>(first) + i);
      const std::uint32_t waits = events.dependent(task);
      const bool fresh =
          at.triggers.empty() ||
          (waits != at.last_waits &&
           order.AnyMayComeBefore(at.triggered, task) &&
           std::any_of(at.triggers.begin(), at.triggers.end(),
                       [&](const auto& trigger) {
                         return order.Before(trigger.second, task);
                       }));
      if (fresh) {
        at.group = static_cast<std::uint32_t>(groups_.size());
        at.triggers.clear();
        at.triggered = {};
        groups_.push_back({{}, kinds.Of(front)});
      }
      at.last_waits = waits;
      const std::uint32_t trigger = events.trigger(task);
      if (at.triggers.empty() || at.triggers.back().first != trigger) {
        at.triggers.push_back({trigger, task});
        order.Include(trigger, &at.triggered);
      }
      groups_[at.group].tasks.push_back(task);
      group_of_[Index(task)] = at.group;
    }
  });
}

}  // namespace graph_coverage
