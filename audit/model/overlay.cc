// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/model/overlay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

namespace graph_coverage {

bool Overlay::empty() const {
  return tasks.empty() && dropped.empty() && events.empty() &&
         added_events.empty() && !first_tasks && added_tensors.empty() &&
         added_layouts.empty() && added_keys.empty() && renamed.empty() &&
         declarations.empty() && !declaration_order && branches.empty() &&
         dropped_branches.empty();
}

void PrintTo(const TaskEdit& edit, std::ostream* out) {
  *out << fmt::format("task of type {} with {} inputs and {} outputs",
                      edit.task.type, edit.inputs.size(), edit.outputs.size());
}

void PrintTo(const AddedLayout& layout, std::ostream* out) {
  *out << fmt::format("{} dims [{}] strides [{}]", ToString(layout.data_type),
                      fmt::join(layout.dims, ", "),
                      fmt::join(layout.strides, ", "));
}

void PrintTo(const Overlay& overlay, std::ostream* out) {
  if (overlay.empty()) {
    *out << "no edits";
    return;
  }
  const char* separator = "";
  const auto print = [&](std::size_t count, const char* what) {
    if (count == 0) return;
    *out << separator << count << ' ' << what;
    separator = ", ";
  };
  print(overlay.tasks.size(), "tasks changed");
  print(overlay.dropped.size(), "tasks dropped");
  print(overlay.events.size(), "events changed");
  print(overlay.added_events.size(), "events added");
  print(overlay.first_tasks ? 1 : 0, "list of first tasks");
  print(overlay.added_tensors.size(), "tensors added");
  print(overlay.added_layouts.size(), "layouts added");
  print(overlay.added_keys.size(), "keys added");
  print(overlay.renamed.size(), "tensors renamed");
  print(overlay.declarations.size(), "declarations changed");
  print(overlay.declaration_order ? 1 : 0, "order of declarations");
  print(overlay.branches.size(), "branches changed");
  print(overlay.dropped_branches.size(), "branches dropped");
}

}  // namespace graph_coverage
