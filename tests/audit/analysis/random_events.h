// SPDX-License-Identifier: Apache-2.0
//
// Random small graphs of events for properties: right ones and broken ones.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>

#include "tests/support/wired_rank.h"

namespace graph_coverage {

// Up to 12 tasks over up to 6 events in any order, cycles included; counts and
// ranges fit but for a few.
inline WiredRank RandomEvents() {
  WiredRank rank;
  const auto tasks = *rc::gen::inRange(0, 13);
  const auto events = *rc::gen::inRange(2u, 8u);
  for (int i = 0; i < tasks; ++i) {
    const auto waits = *rc::gen::inRange(1u, events);
    const auto triggers = *rc::gen::inRange(2u, events + 1);
    rank.Task(100, {}, {}, waits == 1 ? WiredRank::kNothing : waits,
              triggers == events ? WiredRank::kEnd : triggers);
  }
  rank.Wire();
  const auto edits = *rc::gen::inRange(0, 3);
  for (int i = 0; i < edits; ++i) {
    Event& event =
        rank.events[*rc::gen::inRange<std::size_t>(1, rank.events.size())];
    event.num_triggers = *rc::gen::inRange<std::uint64_t>(0, 5);
    if (*rc::gen::inRange(0, 4) == 0) {
      event.type = EventType::kLaunchTasks;
      event.first_task = *rc::gen::inRange<std::uint64_t>(0, 14);
      event.last_task = *rc::gen::inRange<std::uint64_t>(0, 16);
    }
  }
  return rank;
}

}  // namespace graph_coverage
