// SPDX-License-Identifier: Apache-2.0
//
// Reads the objects that a task graph lists: tasks and events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "audit/artifacts/json_members.h"
#include "audit/artifacts/json_scanner.h"
#include "audit/artifacts/task_graph_builder.h"

namespace graph_coverage {

class TaskReader {
 public:
  // Reads from `in` into `out`; unknown keys are noted in `unknown`.
  TaskReader(JsonScanner& in, TaskGraphBuilder& out,
             std::set<std::string>& unknown);

  // The object that is next.
  void ReadEvent();
  void ReadTask();

  // Whether a task that was read does more than begin or end the graph.
  bool has_work() const { return has_work_; }

 private:
  std::int32_t ReadMetadata();
  EventId ReadEventId();
  void ReadOperands(bool output);
  Operand ReadOperand();
  void ReadExtents(const char* expected, std::int64_t least,
                   std::vector<std::int64_t>* extents);

  JsonScanner& in_;
  TaskGraphBuilder& out_;
  std::set<std::string>& unknown_;
  KeyOrder event_keys_;
  KeyOrder task_keys_;
  KeyOrder operand_keys_;
  KeyOrder event_id_keys_;
  bool has_work_ = false;
  std::vector<std::int64_t> dims_;
  std::vector<std::int64_t> strides_;
};

}  // namespace graph_coverage
