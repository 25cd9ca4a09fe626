// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/type_semantics.h"

namespace graph_coverage {

TypeSemantics::TypeSemantics(const View& view, const SemanticsTable& table)
    : table_(table) {
  for (std::size_t i = 0; i < view.task_count(); ++i) {
    const std::uint32_t type = view.task(TaskId(i)).type;
    if (i > 0 && type == view.task(TaskId(i - 1)).type) continue;
    const auto& names = view.types().Names(type);
    by_type_[type] = names.size() == 1 ? table.Find(names[0]) : nullptr;
  }
}

const TaskSemantics* TypeSemantics::Find(std::uint32_t type) const {
  const auto at = by_type_.find(type);
  return at == by_type_.end() ? nullptr : at->second;
}

SlotSet TypeSemantics::Reads(const Task& task) const {
  const TaskSemantics* known = Find(task.type);
  return known ? known->reads : SlotSet::First(task.inputs.size(), 0);
}

SlotSet TypeSemantics::Writes(const Task& task) const {
  const TaskSemantics* known = Find(task.type);
  return known ? known->writes : SlotSet::First(0, task.outputs.size());
}

}  // namespace graph_coverage
