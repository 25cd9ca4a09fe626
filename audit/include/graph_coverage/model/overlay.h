// SPDX-License-Identifier: Apache-2.0
//
// What a mutation changes of a rank: a few edits, to be seen through a View.
// The rank itself stays as it is and nothing of it is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph_coverage/model/ids.h"
#include "graph_coverage/model/kernel_source.h"
#include "graph_coverage/model/task_graph.h"

namespace graph_coverage {

// A task in place of another, with operands of its own.
struct TaskEdit {
  Task task;  // its spans are ignored
  std::vector<Operand> inputs;
  std::vector<Operand> outputs;
};

// A layout that no tile of the rank has.
struct AddedLayout {
  DataType data_type = DataType::kUnknown;
  bool has_offset = true;
  std::vector<std::int64_t> dims;     // elements
  std::vector<std::int64_t> strides;  // elements
};

// All task ids, in ranges of events too, are those of the unchanged rank; the
// view gives the ids that the changed files would have.
struct Overlay {
  // The task graph. A dropped task is gone: those after it move up, and ranges
  // of events and first tasks with them.
  std::map<TaskId, TaskEdit> tasks;
  std::vector<TaskId> dropped;  // ascending, once each
  std::map<std::size_t, Event> events;
  std::vector<Event> added_events;  // after the rank's own
  std::optional<std::vector<TaskId>> first_tasks;
  // Tensor and layout ids go on from the rank's own.
  std::vector<std::string> added_tensors;
  std::vector<AddedLayout> added_layouts;
  // Keys that no version has, as "task.colour".
  std::vector<std::string> added_keys;

  // The kernel source, by position in its declarations and branches. A tensor
  // gets another name only through `renamed`; declarations that say the old
  // one must be among the changed ones.
  std::map<TensorId, std::string> renamed;
  std::map<std::size_t, Declaration> declarations;
  // The declarations that are left, in their order; not given: all, as is.
  std::optional<std::vector<std::size_t>> declaration_order;
  std::map<std::size_t, Branch> branches;
  std::vector<std::size_t> dropped_branches;  // ascending, once each

  bool empty() const;
};

// GoogleTest prints these types with one line each.
void PrintTo(const TaskEdit& edit, std::ostream* out);
void PrintTo(const AddedLayout& layout, std::ostream* out);
void PrintTo(const Overlay& overlay, std::ostream* out);

}  // namespace graph_coverage
