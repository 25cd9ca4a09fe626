// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/walk_record.h"

#include <algorithm>
#include <vector>

namespace graph_coverage {

void WalkRecord::AddReadRace(const Touch& earlier, const Touch& later,
                             std::uint32_t region) {
  AddRace(
      HasOrderedTwin(earlier, later.task) ? RaceKind::kTwin : RaceKind::kRead,
      earlier, later, region);
}

void WalkRecord::AddWriteRace(const Touch& earlier, const Touch& later,
                              std::uint32_t region) {
  AddRace(RaceKind::kWrite, earlier, later, region);
}

void WalkRecord::AddRace(RaceKind kind, const Touch& earlier,
                         const Touch& later, std::uint32_t region) {
  const TensorId tensor = memory_.tensor(region);
  const auto [at, added] =
      race_at_.emplace(std::tuple(kind, tensor, earlier.group, later.group),
                       outcome_.races.size());
  if (added) {
    outcome_.races.push_back({kind,
                              tensor,
                              earlier.task,
                              later.task,
                              earlier.access,
                              later.access,
                              memory_.bytes(region),
                              {}});
  }
  std::vector<TaskId>& laters = outcome_.races[at->second].laters;
  if (laters.empty() || laters.back() != later.task) {
    laters.push_back(later.task);
  }
}

void WalkRecord::AddUnwritten(const Touch& reader, std::uint32_t region) {
  const TensorId tensor = memory_.tensor(region);
  if (!IsOwnMemory(view_, tensor)) return;
  const auto [at, added] =
      unwritten_at_.emplace(tensor, outcome_.unwritten.size());
  if (added) {
    outcome_.unwritten.push_back(
        {tensor, {}, reader.access, memory_.bytes(region)});
  }
  std::vector<TaskId>& readers = outcome_.unwritten[at->second].readers;
  if (readers.empty() || readers.back() != reader.task) {
    readers.push_back(reader.task);
  }
}

void WalkRecord::AddStale(const Touch& reader, const Touch& old_writer,
                          const Touch& new_writer, std::uint32_t region) {
  const TensorId tensor = memory_.tensor(region);
  if (!stale_at_.emplace(tensor, reader.group).second) return;
  outcome_.stale.push_back({tensor, reader.task, reader.access, old_writer.task,
                            new_writer.task, memory_.bytes(region)});
}

bool WalkRecord::SameWork(TaskId a, TaskId b) const {
  const Task one = view_.task(a);
  const Task other = view_.task(b);
  return one.inputs == other.inputs && one.outputs == other.outputs &&
         one.metadata.Bits() == other.metadata.Bits();
}

// Whether two of the group do the same work; most groups have no twins.
bool WalkRecord::HasTwins(std::uint32_t group) {
  const auto [at, added] = has_twins_.emplace(group, false);
  if (added) {
    std::set<std::vector<std::uint64_t>> works;
    for (const TaskId id : groups_.tasks(group)) {
      const Task task = view_.task(id);
      std::vector<std::uint64_t> work = {task.metadata.Bits()};
      for (const Span<Operand> operands : {task.inputs, task.outputs}) {
        for (const Operand& operand : operands) {
          work.push_back(Index(operand.layout));
          work.push_back(static_cast<std::uint64_t>(operand.offset));
        }
      }
      if (!works.insert(std::move(work)).second) at->second = true;
    }
  }
  return at->second;
}

// Whether all siblings that the touch stands for have a twin: a sibling with
// the same operands and metadata that does come before the reader. Readers
// that wait for one event have one answer.
bool WalkRecord::HasOrderedTwin(const Touch& touch, TaskId reader) {
  if (!HasTwins(touch.group)) return false;
  if (order_.HasOwnWaits(reader)) return FindOrderedTwin(touch, reader);
  const auto [at, added] = has_ordered_twin_.emplace(
      std::tuple(touch.group, touch.trigger, events_.dependent(reader)), false);
  if (added) at->second = FindOrderedTwin(touch, reader);
  return at->second;
}

bool WalkRecord::FindOrderedTwin(const Touch& touch, TaskId reader) const {
  const std::vector<TaskId>& siblings = groups_.tasks(touch.group);
  return std::all_of(siblings.begin(), siblings.end(), [&](TaskId writer) {
    return events_.trigger(writer) != touch.trigger ||
           std::any_of(siblings.begin(), siblings.end(), [&](TaskId twin) {
             return twin != writer && order_.Before(twin, reader) &&
                    SameWork(writer, twin);
           });
  });
}

}  // namespace graph_coverage
