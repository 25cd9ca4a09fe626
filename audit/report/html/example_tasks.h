// SPDX-License-Identifier: Apache-2.0
//
// A few tasks around a finding, with what they read, write, wait for and
// trigger.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph_coverage/finding.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// An event as a task sees it.
struct EventFacts {
  std::uint32_t index = 0;
  std::uint64_t num_triggers = 0;
  // Task types of this rank that trigger it and that wait for it, with the
  // number of tasks, by type number.
  std::vector<std::pair<std::string, std::uint64_t>> triggered_by, waited_by;
};

struct ExampleTask {
  std::uint32_t task = 0;
  std::string type;
  std::uint32_t variant = 0;
  std::uint32_t line = 0;  // of its branch; 0 where that is not known
  std::vector<std::string> inputs, outputs;  // tensors, by slot
  std::optional<EventFacts> waits, triggers;
};

class ExampleTasks {
 public:
  // `view` must outlive it.
  explicit ExampleTasks(const View& view);

  // The tasks that the finding names, else those that name its tensor: the
  // first of the first few stretches.
  std::vector<ExampleTask> Of(const Finding& finding) const;

 private:
  // Tasks by type, of one event.
  using Counts = std::map<std::uint32_t, std::uint64_t>;

  std::vector<TaskId> Choose(const Finding& finding) const;
  std::optional<EventFacts> FactsOf(EventId event) const;

  const View& view_;
  std::vector<Counts> triggered_by_, waited_by_;  // by event
};

}  // namespace graph_coverage
