// SPDX-License-Identifier: Apache-2.0
//
// From a program to task ids and events. Tasks lie in the order of the
// program. A task triggers one event and waits for at most one, so operators
// whose results are needed together share an event.
#pragma once

#include <cstdint>
#include <vector>

#include "graph_coverage/model/task_graph.h"
#include "graph_coverage/synthetic/program.h"

namespace graph_coverage::synthetic {

// The events of an operator's tasks: `first`, or `first` plus the group of
// the task where groups of tiles have an event each.
struct EventRefs {
  std::uint32_t first = 0;
  std::vector<std::uint32_t> groups;  // by task; empty: one event for all
  bool none = true;                   // the tasks wait for nothing

  std::uint32_t Of(std::int64_t task) const {
    return groups.empty() ? first
                          : first + groups[static_cast<std::size_t>(task)];
  }
};

struct ScheduledOperator {
  std::uint64_t first_task = 0;
  std::int64_t tasks = 0;
  EventRefs dependent;
  EventRefs trigger;
  bool waits_remote = false;  // for tasks of another rank
};

struct Schedule {
  std::vector<ScheduledOperator> operators;  // as in the program
  std::vector<Event> events;
  std::vector<std::uint64_t> first_tasks;  // those that wait for nothing
  std::uint64_t task_count = 0;            // tasks 0 and 1 included
};

// Every reader comes after the writers it needs, every writer after the
// readers and writers before it. Throws std::invalid_argument for a program
// without operators.
Schedule MakeSchedule(const Program& program);

}  // namespace graph_coverage::synthetic
