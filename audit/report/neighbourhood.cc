// SPDX-License-Identifier: Apache-2.0
#include "audit/report/neighbourhood.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace graph_coverage {
namespace {

std::vector<TensorId> Names(Span<Operand> operands) {
  std::vector<TensorId> names;
  for (const Operand& operand : operands) names.push_back(operand.tensor);
  return names;
}

class NeighbourhoodCollector {
 public:
  NeighbourhoodCollector(const View& view, const EventGraph& events, const Finding& finding)
      : view_(view), events_(events), finding_(finding) {}

  Neighbourhood Collect() {
    CollectOwn();
    CollectSiblings();
    // What is across the events of its own tasks.
    std::vector<TaskId> across;
    for (const std::uint32_t event : found_.events) {
      for (const TaskId task : events_.triggering(event)) {
        across.push_back(task);
      }
      for (const TaskId task : events_.waiting(event)) across.push_back(task);
    }
    std::sort(across.begin(), across.end());
    AddGroups(across, &found_.tasks);
    return std::move(found_);
  }

 private:
  void CollectOwn() {
    std::vector<TaskId> tasks;
    for (const TaskRange& range : finding_.tasks) {
      const std::size_t end =
          std::min<std::size_t>(Index(range.last) + 1, view_.task_count());
      for (std::size_t i = Index(range.first); i < end; ++i) {
        tasks.push_back(TaskId(i));
      }
    }
    for (const std::string& member : finding_.members) {
      const std::optional<TensorId> tensor = view_.FindTensor(member);
      if (!tensor) continue;
      AddTensor(*tensor, &found_.own_tensors);
      if (!finding_.tasks.empty()) continue;
      for (const Reference& use : view_.references(*tensor)) {
        tasks.push_back(use.task);
      }
    }
    std::sort(tasks.begin(), tasks.end());
    if (finding_.event) AddEvent(*finding_.event);
    AddGroups(tasks, &found_.own_tasks);
    for (const TaskGroup& group : found_.own_tasks) {
      AddEvent(group.dependent);
      AddEvent(group.trigger);
      AddTensors(group);
    }
  }

  void CollectSiblings() {
    std::vector<TaskId> tasks;
    std::optional<Families> families;
    for (const TensorId tensor : found_.own_tensors) {
      if (!view_.references(tensor).empty()) continue;
      if (!families) families.emplace(view_);
      const std::optional<TensorId> sibling = Nearest(*families, tensor);
      if (!sibling) continue;
      AddTensor(*sibling, &found_.siblings);
      for (const Reference& use : view_.references(*sibling)) {
        tasks.push_back(use.task);
      }
    }
    std::sort(tasks.begin(), tasks.end());
    AddGroups(tasks, &found_.tasks);
    for (const TaskGroup& group : found_.tasks) AddTensors(group);
  }

  // The tensor of the same family and the nearest layer that a task names.
  std::optional<TensorId> Nearest(const Families& families,
                                  TensorId tensor) const {
    const FamilyName& name = families.of(tensor);
    if (!name.layer) return std::nullopt;
    std::optional<TensorId> nearest;
    std::uint32_t least = 0;
    for (std::size_t i = 0; i < view_.tensor_count(); ++i) {
      const auto id = TensorId(static_cast<std::uint32_t>(i));
      const FamilyName& other = families.of(id);
      if (other.family != name.family || !other.layer ||
          view_.references(id).empty()) {
        continue;
      }
      const std::uint32_t distance = std::max(*other.layer, *name.layer) -
                                     std::min(*other.layer, *name.layer);
      if (!nearest || distance < least) {
        nearest = id;
        least = distance;
      }
    }
    return nearest;
  }

  void AddTensor(TensorId tensor, std::vector<TensorId>* to) {
    if (!view_.IsNull(tensor) && tensors_.insert(tensor).second) {
      to->push_back(tensor);
    }
  }

  void AddTensors(const TaskGroup& group) {
    for (const TensorId tensor : group.inputs) {
      AddTensor(tensor, &found_.tensors);
    }
    for (const TensorId tensor : group.outputs) {
      AddTensor(tensor, &found_.tensors);
    }
  }

  void AddEvent(std::uint32_t event) {
    if (event < events_.event_count() && seen_events_.insert(event).second) {
      found_.events.push_back(event);
    }
  }

  // `tasks` ascending; those that a group has already are passed over.
  void AddGroups(const std::vector<TaskId>& tasks, std::vector<TaskGroup>* to) {
    using Key =
        std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                   std::vector<TensorId>, std::vector<TensorId>>;
    std::map<Key, std::size_t> position;
    for (const TaskId id : tasks) {
      if (!seen_tasks_.insert(id).second) continue;
      const Task task = view_.task(id);
      TaskGroup group{{},
                      events_.trigger(id),
                      events_.dependent(id),
                      Names(task.inputs),
                      Names(task.outputs)};
      const auto [at, added] =
          position.emplace(Key{task.type, task.variant, group.trigger,
                               group.dependent, group.inputs, group.outputs},
                           to->size());
      if (added) to->push_back(std::move(group));
      (*to)[at->second].tasks.push_back(id);
    }
  }

  const View& view_;
  const EventGraph& events_;
  const Finding& finding_;
  Neighbourhood found_;
  std::set<TensorId> tensors_;
  std::set<std::uint32_t> seen_events_;
  std::set<TaskId> seen_tasks_;
};

}  // namespace

Neighbourhood NeighbourhoodOf(const View& view, const EventGraph& events,
                              const Finding& finding) {
  return NeighbourhoodCollector(view, events, finding).Collect();
}

}  // namespace graph_coverage
