// SPDX-License-Identifier: Apache-2.0
//
// What an overlay changes of a rank: what a finding may name, and two lines
// that say it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph_coverage/finding.h"
#include "graph_coverage/model/overlay.h"
#include "graph_coverage/model/rank.h"

namespace graph_coverage {

class Edit {
 public:
  // Both must outlive the edit.
  Edit(const Rank& rank, const Overlay& overlay);

  // Whether the finding is about what was edited: one of its tasks, tasks
  // around the place of a dropped one and of its type, a tensor that those
  // tasks wire or wired, an event that they trigger or wait for, a declaration;
  // or else their type, if it names none of these.
  bool IsNamedBy(const Finding& finding) const;

  // A task of the mutant, as the unchanged rank numbers it; where a task is
  // gone, the one behind it has its number.
  std::uint64_t OldTask(TaskId task) const;
  // The name that a tensor has in the unchanged rank.
  std::string OldName(const std::string& name) const;

  // What was edited first, a line each, as it was and as it is.
  std::string Before() const;
  std::string After() const;

 private:
  void Touch(const Task& task);
  void TouchType(const std::string& name);
  bool IsGapWithin(const TaskRange& range, const std::string& type) const;
  std::string Line(bool after) const;
  std::string TaskLine(TaskId id, bool after) const;

  const Rank& rank_;
  const Overlay& overlay_;
  std::set<std::uint64_t> tasks_;  // as the mutant numbers them
  // Where a task is gone: the number of the one that moved up, and the type.
  std::set<std::pair<std::uint64_t, std::string>> gaps_;
  std::set<std::string> tensors_;
  std::set<std::uint32_t> events_;
  std::set<std::string> types_;
};

}  // namespace graph_coverage
