// SPDX-License-Identifier: Apache-2.0
//
// A finding: one place, or one fold of like places, where a rule fails.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph_coverage/error.h"
#include "graph_coverage/model/ids.h"
#include "graph_coverage/policy.h"

namespace graph_coverage {

// Task ids [first, last], both inclusive.
struct TaskRange {
  TaskId first{};
  TaskId last{};
};

struct Finding {
  std::string rule;  // id in the catalogue
  // Unique in a report, and the same after edits elsewhere: "3fa9c1d2". Empty
  // until a report has the finding.
  std::string id;
  Severity severity = Severity::kError;
  std::vector<RankId> ranks;

  // What it is about: a tensor (a pattern such as layer_{0..35}_q_norm where
  // several fold), a task type, an event; any may be empty.
  std::string tensor;
  std::string task_type;
  std::optional<std::uint32_t> event;  // index in all_events
  // The names behind a folded `tensor`; one name where nothing folds.
  std::vector<std::string> members;
  std::vector<std::uint32_t> layers;  // ascending; empty: not of a layer

  std::uint64_t count = 1;       // places on one rank; RULES: what is counted
  std::vector<Place> places;     // the declaration or branch, first first
  std::vector<TaskRange> tasks;  // ascending

  // The sentence parts of the message. None names the subject, a layer or a
  // rank: those are above, so that like findings fold.
  std::string found;     // "is attached and no task reads it"
  std::string expected;  // "at least one task that reads it"
  std::string siblings;  // the nearest healthy ones; may be empty
  std::string advice;    // what to do

  std::vector<Finding> consequences;  // each would vanish with this one

  // One paragraph: subject, what was found, expected, siblings, advice.
  std::string message() const;
};

// GoogleTest prints a range in one line, and a finding as the text report has
// it (write.h), with the first of its consequences.
void PrintTo(const TaskRange& range, std::ostream* out);
void PrintTo(const Finding& finding, std::ostream* out);
void PrintTo(const std::vector<Finding>& findings, std::ostream* out);

}  // namespace graph_coverage
