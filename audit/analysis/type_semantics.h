// SPDX-License-Identifier: Apache-2.0
//
// The semantics of each task type number of a view.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "audit/model/task_semantics.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

class TypeSemantics {
 public:
  TypeSemantics(const View& view, const SemanticsTable& table);

  // The semantics of a type number, or null where its name is not known, is
  // ambiguous, or is not in the table.
  const TaskSemantics* Find(std::uint32_t type) const;

  // The semantics of a type by its name, or null where the table lacks it.
  const TaskSemantics* FindName(std::string_view type) const {
    return table_.Find(type);
  }

  // What the task loads and stores. Of a type that is not known every input is
  // read and every output written.
  SlotSet Reads(const Task& task) const;
  SlotSet Writes(const Task& task) const;

 private:
  const SemanticsTable& table_;
  std::map<std::uint32_t, const TaskSemantics*> by_type_;
};

}  // namespace graph_coverage
