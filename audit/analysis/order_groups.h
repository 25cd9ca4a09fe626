// SPDX-License-Identifier: Apache-2.0
//
// The tasks that do one operator's work side by side: one (type, variant), the
// same tensors, and none ordered before another.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/analysis/families.h"
#include "audit/analysis/happens_before.h"
#include "audit/analysis/runs.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

class OrderGroups {
 public:
  OrderGroups(const View& view, const Runs& runs, const EventGraph& events,
              const HappensBefore& order, const Families& families);

  std::size_t count() const { return groups_.size(); }
  // Ascending.
  const std::vector<TaskId>& tasks(std::uint32_t group) const {
    return groups_[group].tasks;
  }
  // Groups of one kind have one type and the same tensors but for the layer.
  std::uint32_t kind(std::uint32_t group) const { return groups_[group].kind; }
  std::uint32_t of(TaskId task) const { return group_of_[Index(task)]; }

 private:
  struct Group {
    std::vector<TaskId> tasks;
    std::uint32_t kind = 0;
  };
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_of_;
};

}  // namespace graph_coverage
