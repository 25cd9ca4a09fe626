// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/memory_walk.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace graph_coverage {
namespace {

// A task that touched a class; siblings that trigger the same event are alike.
struct Touch {
  TaskId task{};
  std::uint32_t group = 0;
  std::uint32_t trigger = 0;
  Access access;
};

// What is asked at each touch comes first, so that it lies together.
struct ClassState {
  bool written = false;
  bool partly = false;  // by the newest writer
  std::uint32_t writer_group = 0;
  std::uint32_t newest_group = 0;  // of writers.back()
  // The last event that a task waited for when all was in order, so that
  // siblings need not be compared again.
  std::uint32_t fine_read = EventGraph::kNone;
  std::uint32_t fine_write = EventGraph::kNone;
  std::vector<Touch> writers;  // of the newest group, and partial ones
  std::vector<Touch> readers;  // since
  std::vector<Touch> before;   // what the newest writers must come after
};

class Walker {
 public:
  Walker(const View& view, const Accesses& accesses, const Memory& memory,
         const OrderGroups& groups, const EventGraph& events,
         const HappensBefore& order)
      : view_(view),
        accesses_(accesses),
        memory_(memory),
        groups_(groups),
        events_(events),
        order_(order),
        states_(memory.class_count()) {}

  WalkOutcome Run(const std::vector<bool>* only) {
    const auto follows = [&](const Access& access) {
      return only == nullptr ||
             (*only)[Index(accesses_.tiles()[access.tile].tensor)];
    };
    for (std::size_t i = 0; i < view_.task_count(); ++i) {
      const Span<Access> touched = accesses_.of(TaskId(i));
      for (const Access& access : touched) {
        if (access.reads && follows(access)) Read(TaskId(i), access);
      }
      for (const Access& access : touched) {
        if (access.writes && follows(access)) Write(TaskId(i), access);
      }
    }
    return std::move(outcome_);
  }

 private:
  void Read(TaskId task, const Access& access) {
    const std::uint32_t group = groups_.of(task);
    const std::uint32_t waits = events_.dependent(task);
    const ClassState* newest = nullptr;
    const ClassState* oldest = nullptr;
    std::uint32_t oldest_class = 0;
    for (const std::uint32_t region : memory_.classes(access.tile)) {
      ClassState& state = states_[region];
      if (!state.written) {
        if (!access.state) AddUnwritten(task, access, region);
      } else {
        if (!state.partly) {
          if (newest == nullptr || state.newest_group > newest->newest_group) {
            newest = &state;
          }
          if (oldest == nullptr || state.newest_group < oldest->newest_group) {
            oldest = &state;
            oldest_class = region;
          }
        }
        if (state.fine_read != waits || waits == EventGraph::kNone) {
          bool fine = true;
          for (const Touch& touch : state.writers) {
            if (touch.group == group) {
              fine = false;  // for siblings only
              continue;
            }
            if (order_.Before(touch.task, task)) continue;
            AddRace(
                HasOrderedTwin(touch, task) ? RaceKind::kTwin : RaceKind::kRead,
                touch, task, access, region);
            fine = false;
          }
          if (fine) state.fine_read = waits;
        }
      }
      Append(task, group, access, &state.readers);
    }
    if (newest != nullptr && newest->newest_group != oldest->newest_group &&
        groups_.kind(newest->newest_group) ==
            groups_.kind(oldest->newest_group)) {
      AddStale(task, access, oldest->writers.back(), newest->writers.back(),
               oldest_class);
    }
  }

  void Write(TaskId task, const Access& access) {
    const std::uint32_t group = groups_.of(task);
    for (const std::uint32_t region : memory_.classes(access.tile)) {
      ClassState& state = states_[region];
      if (access.partial) {
        // Which part is known when it runs: other partial writers may differ.
        Compare(state.writers, task, group, access, region);
        Compare(state.readers, task, group, access, region);
        AppendWriter(task, group, access, &state);
        if (!state.written) state.writer_group = group;
        state.written = true;
        state.fine_read = EventGraph::kNone;
        continue;
      }
      if (!state.written || state.writer_group != group) {
        // Copied, so that all three keep the room they have.
        state.before = state.writers;
        state.before.insert(state.before.end(), state.readers.begin(),
                            state.readers.end());
        state.writers.clear();
        state.readers.clear();
        state.written = true;
        state.writer_group = group;
        state.fine_write = EventGraph::kNone;
      }
      const std::uint32_t waits = events_.dependent(task);
      if (state.fine_write != waits || waits == EventGraph::kNone) {
        const bool before = Compare(state.before, task, group, access, region);
        const bool since = Compare(state.readers, task, group, access, region);
        if (before && since && state.readers.empty()) state.fine_write = waits;
      }
      AppendWriter(task, group, access, &state);
      state.fine_read = EventGraph::kNone;
    }
  }

  // Whether the task comes after all of them, and so each task that waits for
  // the same event.
  bool Compare(const std::vector<Touch>& touches, TaskId task,
               std::uint32_t group, const Access& access,
               std::uint32_t region) {
    bool fine = true;
    for (const Touch& touch : touches) {
      if (touch.group == group) {
        fine = false;
        continue;
      }
      if (order_.Before(touch.task, task)) continue;
      if (touch.access.partial && access.partial) continue;
      AddRace(RaceKind::kWrite, touch, task, access, region);
      fine = false;
    }
    return fine;
  }

  void Append(TaskId task, std::uint32_t group, const Access& access,
              std::vector<Touch>* touches) const {
    const std::uint32_t trigger = events_.trigger(task);
    // A sibling that triggers the same event is as good as this one. To look
    // for one far back would cost more than to compare with both.
    constexpr std::size_t kLookBack = 3;
    const std::size_t count = touches->size();
    for (std::size_t i = 1; i <= std::min(kLookBack, count); ++i) {
      const Touch& touch = (*touches)[count - i];
      if (touch.group != group) break;
      if (touch.trigger == trigger) return;
    }
    touches->push_back({task, group, trigger, access});
  }

  void AppendWriter(TaskId task, std::uint32_t group, const Access& access,
                    ClassState* state) const {
    Append(task, group, access, &state->writers);
    state->newest_group = state->writers.back().group;
    state->partly = state->writers.back().access.partial;
  }

  bool SameWork(TaskId a, TaskId b) const {
    const Task one = view_.task(a);
    const Task other = view_.task(b);
    return one.inputs == other.inputs && one.outputs == other.outputs &&
           one.metadata.Bits() == other.metadata.Bits();
  }

  // Whether two of the group do the same work; most groups have no twins.
  bool HasTwins(std::uint32_t group) {
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
  bool HasOrderedTwin(const Touch& touch, TaskId reader) {
    if (!HasTwins(touch.group)) return false;
    if (order_.HasOwnWaits(reader)) return FindOrderedTwin(touch, reader);
    const auto [at, added] = has_ordered_twin_.emplace(
        std::tuple(touch.group, touch.trigger, events_.dependent(reader)),
        false);
    if (added) at->second = FindOrderedTwin(touch, reader);
    return at->second;
  }

  bool FindOrderedTwin(const Touch& touch, TaskId reader) const {
    const std::vector<TaskId>& siblings = groups_.tasks(touch.group);
    return std::all_of(siblings.begin(), siblings.end(), [&](TaskId writer) {
      return events_.trigger(writer) != touch.trigger ||
             std::any_of(siblings.begin(), siblings.end(), [&](TaskId twin) {
               return twin != writer && order_.Before(twin, reader) &&
                      SameWork(writer, twin);
             });
    });
  }

  void AddRace(RaceKind kind, const Touch& earlier, TaskId later,
               const Access& access, std::uint32_t region) {
    const TensorId tensor = memory_.tensor(region);
    const auto [at, added] = race_at_.emplace(
        std::tuple(kind, tensor, earlier.group, groups_.of(later)),
        outcome_.races.size());
    if (added) {
      outcome_.races.push_back({kind,
                                tensor,
                                earlier.task,
                                later,
                                earlier.access,
                                access,
                                memory_.bytes(region),
                                {}});
    }
    std::vector<TaskId>& laters = outcome_.races[at->second].laters;
    if (laters.empty() || laters.back() != later) laters.push_back(later);
  }

  void AddUnwritten(TaskId task, const Access& access, std::uint32_t region) {
    const TensorId tensor = memory_.tensor(region);
    const Declaration* declaration = view_.declaration(tensor);
    if (declaration == nullptr || (declaration->kind != TensorKind::kScratch &&
                                   declaration->kind != TensorKind::kNvshmem)) {
      return;
    }
    const auto [at, added] =
        unwritten_at_.emplace(tensor, outcome_.unwritten.size());
    if (added) {
      outcome_.unwritten.push_back({tensor, {}, access, memory_.bytes(region)});
    }
    std::vector<TaskId>& readers = outcome_.unwritten[at->second].readers;
    if (readers.empty() || readers.back() != task) readers.push_back(task);
  }

  void AddStale(TaskId task, const Access& access, const Touch& old_writer,
                const Touch& new_writer, std::uint32_t region) {
    const TensorId tensor = memory_.tensor(region);
    if (!stale_at_.emplace(tensor, groups_.of(task)).second) return;
    outcome_.stale.push_back({tensor, task, access, old_writer.task,
                              new_writer.task, memory_.bytes(region)});
  }

  const View& view_;
  const Accesses& accesses_;
  const Memory& memory_;
  const OrderGroups& groups_;
  const EventGraph& events_;
  const HappensBefore& order_;
  std::vector<ClassState> states_;
  WalkOutcome outcome_;
  std::map<std::tuple<RaceKind, TensorId, std::uint32_t, std::uint32_t>,
           std::size_t>
      race_at_;
  std::map<TensorId, std::size_t> unwritten_at_;
  std::set<std::pair<TensorId, std::uint32_t>> stale_at_;
  std::map<std::uint32_t, bool> has_twins_;
  // By group, event that is triggered, event that is waited for.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, bool>
      has_ordered_twin_;
};

}  // namespace

WalkOutcome Walk(const View& view, const Accesses& accesses,
                 const Memory& memory, const OrderGroups& groups,
                 const EventGraph& events, const HappensBefore& order,
                 const std::vector<bool>* only) {
  return Walker(view, accesses, memory, groups, events, order).Run(only);
}

}  // namespace graph_coverage
