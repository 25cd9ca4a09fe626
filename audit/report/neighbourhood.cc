// SPDX-License-Identifier: Apache-2.0
#include "audit/report/neighbourhood.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace graph_coverage {
namespace {

class NeighbourhoodCollector {
 public:
  NeighbourhoodCollector(const View& view, Analyses& analyses,
                         const EventGraph& events, const Finding& finding,
                         std::size_t most)
      : view_(view),
        analyses_(analyses),
        events_(events),
        finding_(finding),
        most_(most) {}

  Neighbourhood Collect() {
    CollectOwn();
    CollectSiblings();
    CollectEvents();
    return std::move(found_);
  }

 private:
  void CollectOwn() {
    for (const TaskRange& range : finding_.tasks) {
      const std::size_t end =
          std::min<std::size_t>(Index(range.last) + 1, view_.task_count());
      for (std::size_t i = Index(range.first); i < end; ++i) {
        own_tasks_.insert(TaskId(i));
      }
    }
    for (const std::string& member : finding_.members) {
      const std::optional<TensorId> tensor = view_.FindTensor(member);
      if (!tensor) continue;
      found_.own_tensors.push_back(*tensor);
      if (!finding_.tasks.empty()) continue;
      for (const Reference& use : view_.references(*tensor)) {
        own_tasks_.insert(use.task);
      }
    }
    std::set<std::uint32_t> left_out;
    for (const TaskId task : own_tasks_) {
      const Key key = KeyOf(task);
      if (found_.groups.size() < most_ || position_.count(key) != 0) {
        AddTask(task);
      } else {
        left_out.insert(key.first);
      }
    }
    found_.own_groups = found_.groups.size();
    found_.left_out = left_out.size();
  }

  void CollectSiblings() {
    for (const TensorId tensor : found_.own_tensors) {
      if (!view_.references(tensor).empty()) continue;
      const std::optional<TensorId> sibling = Nearest(tensor);
      if (!sibling || std::find(found_.siblings.begin(), found_.siblings.end(),
                                *sibling) != found_.siblings.end()) {
        continue;
      }
      found_.siblings.push_back(*sibling);
      for (const Reference& use : view_.references(*sibling)) {
        AddTask(use.task);
      }
    }
    found_.sibling_groups = found_.groups.size() - found_.own_groups;
  }

  // The members of a family that a task names.
  const std::vector<TensorId>& NamedOf(const std::string& family) {
    if (!named_) {
      named_.emplace();
      for (std::size_t i = 0; i < view_.tensor_count(); ++i) {
        const auto id = TensorId(static_cast<std::uint32_t>(i));
        const FamilyName& name = analyses_.families().of(id);
        if (name.layer && !view_.references(id).empty()) {
          (*named_)[name.family].push_back(id);
        }
      }
    }
    return (*named_)[family];
  }

  // The tensor of the same family and the nearest layer that a task names.
  std::optional<TensorId> Nearest(TensorId tensor) {
    const FamilyName& name = analyses_.families().of(tensor);
    if (!name.layer) return std::nullopt;
    std::optional<TensorId> nearest;
    std::uint32_t least = 0;
    for (const TensorId id : NamedOf(name.family)) {
      const std::uint32_t layer = *analyses_.families().of(id).layer;
      const std::uint32_t distance =
          std::max(layer, *name.layer) - std::min(layer, *name.layer);
      if (!nearest || distance < least) {
        nearest = id;
        least = distance;
      }
    }
    return nearest;
  }

  void CollectEvents() {
    std::set<std::uint32_t> events;
    if (finding_.event) events.insert(*finding_.event);
    for (std::size_t i = 0; i < found_.own_groups; ++i) {
      for (const TaskId task : found_.groups[i].tasks) {
        events.insert(events_.trigger(task));
        events.insert(events_.dependent(task));
      }
    }
    std::map<std::pair<std::set<std::size_t>, std::set<std::size_t>>,
             std::size_t>
        position;
    for (const std::uint32_t event : events) {
      if (event >= events_.event_count()) continue;  // kNone above all
      EventGroup group;
      group.own = event == finding_.event;
      for (const TaskId task : events_.triggering(event)) {
        if (const auto at = AddTask(task)) group.from.insert(*at);
        group.remote |= events_.remote(task);
      }
      for (const TaskId task : events_.waiting(event)) {
        if (const auto at = AddTask(task)) group.to.insert(*at);
      }
      const auto [at, added] = position.emplace(std::pair(group.from, group.to),
                                                found_.events.size());
      if (added) found_.events.push_back(group);
      EventGroup& into = found_.events[at->second];
      into.events.push_back(event);
      into.own |= group.own;
      into.remote |= group.remote;
    }
  }

  // The operator, or its first task's number where there is none; and whether
  // the finding is about the task.
  using Key = std::pair<std::uint32_t, bool>;

  Key KeyOf(TaskId task) {
    const std::optional<std::uint32_t> run = analyses_.runs().of_task(task);
    const std::uint32_t op =
        run ? analyses_.operators().of_run(*run)
            : 0xffffffff - static_cast<std::uint32_t>(Index(task));
    return {op, own_tasks_.count(task) != 0};
  }

  // The position of the task's group; nothing where that is left out.
  std::optional<std::size_t> AddTask(TaskId task) {
    const Key key = KeyOf(task);
    const bool more_own = key.second && found_.own_groups > 0;
    if (more_own && position_.count(key) == 0) return std::nullopt;
    const auto [at, added] = position_.emplace(key, found_.groups.size());
    if (added) found_.groups.push_back({key.second, {}});
    std::vector<TaskId>& tasks = found_.groups[at->second].tasks;
    const auto place = std::lower_bound(tasks.begin(), tasks.end(), task);
    if (place == tasks.end() || *place != task) tasks.insert(place, task);
    return at->second;
  }

  const View& view_;
  Analyses& analyses_;
  const EventGraph& events_;
  const Finding& finding_;
  const std::size_t most_;
  Neighbourhood found_;
  std::set<TaskId> own_tasks_;
  std::map<Key, std::size_t> position_;
  std::optional<std::unordered_map<std::string, std::vector<TensorId>>> named_;
};

}  // namespace

Neighbourhood NeighbourhoodOf(const View& view, Analyses& analyses,
                              const EventGraph& events, const Finding& finding,
                              std::size_t most) {
  return NeighbourhoodCollector(view, analyses, events, finding, most)
      .Collect();
}

}  // namespace graph_coverage
