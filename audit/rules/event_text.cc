// SPDX-License-Identifier: Apache-2.0
//
// What the rules of group D share.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "audit/rules/event_rules.h"

namespace graph_coverage {

bool HasEvents(const RankContext& rank, Judgement& judgement) {
  if (rank.view.event_count() > 0) return true;
  judgement.CouldNotJudge("the task graph has no events",
                          rank.view.task_count());
  return false;
}

std::string TypesOf(const View& view, Span<TaskId> tasks) {
  std::vector<std::string> names;
  std::set<std::uint32_t> seen;
  for (const TaskId task : tasks) {
    const std::uint32_t type = view.task(task).type;
    if (seen.insert(type).second) names.push_back(view.TypeName(type));
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

std::vector<TaskRange> RangesOf(Span<TaskId> tasks) {
  std::vector<TaskRange> ranges;
  for (const TaskId task : tasks) ranges.push_back({task, task});
  return ranges;
}

}  // namespace graph_coverage
