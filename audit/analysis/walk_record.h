// SPDX-License-Identifier: Apache-2.0
//
// What a walk over the tasks finds, brought together by operators.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "audit/analysis/memory_walk.h"

namespace graph_coverage {

// A task that touched a tile; siblings that trigger the same event are alike.
struct Touch {
  TaskId task{};
  std::uint32_t group = 0;
  std::uint32_t trigger = 0;
  std::uint32_t time = 0;  // accesses are counted, from 1
  Access access;
};

class WalkRecord {
 public:
  WalkRecord(const View& view, const Memory& memory, const OrderGroups& groups,
             const EventGraph& events, const HappensBefore& order)
      : view_(view),
        memory_(memory),
        groups_(groups),
        events_(events),
        order_(order) {}

  // The later reads a class that the earlier wrote.
  void AddReadRace(const Touch& earlier, const Touch& later,
                   std::uint32_t region);
  // The later writes a class that the earlier touched.
  void AddWriteRace(const Touch& earlier, const Touch& later,
                    std::uint32_t region);
  void AddUnwritten(const Touch& reader, std::uint32_t region);
  void AddStale(const Touch& reader, const Touch& old_writer,
                const Touch& new_writer, std::uint32_t region);

  WalkOutcome Take() { return std::move(outcome_); }

 private:
  void AddRace(RaceKind kind, const Touch& earlier, const Touch& later,
               std::uint32_t region);
  bool SameWork(TaskId a, TaskId b) const;
  bool HasTwins(std::uint32_t group);
  bool HasOrderedTwin(const Touch& touch, TaskId reader);
  bool FindOrderedTwin(const Touch& touch, TaskId reader) const;

  const View& view_;
  const Memory& memory_;
  const OrderGroups& groups_;
  const EventGraph& events_;
  const HappensBefore& order_;
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

}  // namespace graph_coverage
