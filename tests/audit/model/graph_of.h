// SPDX-License-Identifier: Apache-2.0
//
// Small task graphs and dispatch chains for tests of how types get names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "audit/artifacts/task_graph_builder.h"
#include "graph_coverage/model/kernel_source.h"
#include "graph_coverage/model/task_graph.h"

namespace graph_coverage {

struct TaskShape {
  std::uint32_t type = 0;
  std::uint32_t variant = 0;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
};

// Tasks 0 and 1, and then these.
inline TaskGraph GraphOf(const std::vector<TaskShape>& shapes) {
  TaskGraphBuilder builder("task_graph_0.json");
  Task task;
  task.type = kTerminateType;
  builder.AddTask(task);
  task.type = kBeginType;
  builder.AddTask(task);
  const Operand operand{builder.Name("x"), builder.Shape({}), 0};
  for (const TaskShape& shape : shapes) {
    for (std::size_t i = 0; i < shape.inputs; ++i) builder.AddInput(operand);
    for (std::size_t i = 0; i < shape.outputs; ++i) builder.AddOutput(operand);
    task.type = shape.type;
    task.variant = shape.variant;
    builder.AddTask(task);
  }
  return builder.Build();
}

// A branch that dereferences the first `inputs` and `outputs` slots.
inline Branch BranchOf(const std::string& type, std::uint32_t variant,
                       std::uint32_t inputs, std::uint32_t outputs) {
  Branch branch;
  branch.type = type;
  branch.variant = variant;
  for (std::uint32_t i = 0; i < inputs; ++i) branch.inputs.push_back(i);
  for (std::uint32_t i = 0; i < outputs; ++i) branch.outputs.push_back(i);
  return branch;
}

inline KernelSource SourceOf(std::vector<Branch> branches) {
  KernelSource source;
  source.file = "kernel_0.cu";
  source.has_dispatch = true;
  source.branches = std::move(branches);
  return source;
}

}  // namespace graph_coverage
