// SPDX-License-Identifier: Apache-2.0
//
// Runs of equal tasks: the tiles of an operator follow each other in the
// graph and differ in offsets, events and metadata only.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph_coverage/finding.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// A tile's data type and dims, without its strides; equal shapes have equal
// ids within one view.
enum class ShapeId : std::uint32_t {};

// Consecutive tasks of one type and variant whose operands name the same
// tensors with the same shapes.
struct Run {
  TaskId first{};
  std::uint32_t count = 0;

  TaskId last() const {
    return TaskId(static_cast<std::uint32_t>(first) + count - 1);
  }
  TaskRange tasks() const { return {first, last()}; }
};

// All runs of one type and variant: they run the same branch.
struct Kind {
  std::uint32_t type = 0;
  std::uint32_t variant = 0;
  std::vector<std::uint32_t> runs;  // positions in Runs, ascending
  std::uint64_t task_count = 0;
};

class Runs {
 public:
  // Leaves out the terminating and the beginning task.
  explicit Runs(const View& view);

  // In the order of the task ids.
  const std::vector<Run>& all() const { return runs_; }
  std::size_t size() const { return runs_.size(); }
  const Run& operator[](std::size_t i) const { return runs_[i]; }
  // The position of a task's run; nothing for tasks that are left out.
  std::optional<std::uint32_t> of_task(TaskId task) const;
  // By type, then variant.
  const std::vector<Kind>& kinds() const { return kinds_; }
  // Its first task stands for all of them.
  Task task(std::size_t i) const { return view_.task(runs_[i].first); }

  ShapeId shape(LayoutId layout) const { return shapes_[Index(layout)]; }

  // Calls `visit(first task, tasks)` for each run and for each task that is
  // left out, in the order of the ids.
  template <typename Visit>
  void EachStretch(const Visit& visit) const {
    std::uint32_t next = 0;
    for (const Run& run : runs_) {
      for (; TaskId(next) < run.first; ++next) visit(TaskId(next), 1u);
      visit(run.first, run.count);
      next += run.count;
    }
    for (; next < view_.task_count(); ++next) visit(TaskId(next), 1u);
  }

 private:
  bool Same(const Task& a, const Task& b) const;
  bool Same(Span<Operand> a, Span<Operand> b) const;

  const View& view_;
  std::vector<Run> runs_;
  std::vector<Kind> kinds_;
  std::vector<ShapeId> shapes_;  // by layout
};

// "bf16[8, 128]".
std::string ShapeText(const Layout& layout);

}  // namespace graph_coverage
