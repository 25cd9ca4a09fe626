// SPDX-License-Identifier: Apache-2.0
//
// Operators: the tasks that one layer call of the builder became. The graph
// does not name them, so they are worked out from what each task reads and
// writes: docs/layers.md draws how.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/analysis/runs.h"
#include "audit/analysis/type_semantics.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// Its tasks have one type and variant, name the same tensors with the same
// shapes, and read the same contents of them.
struct Operator {
  std::vector<std::uint32_t> runs;  // positions in Runs, ascending
  std::uint32_t task_count = 0;
  // By input slot: the operators whose results are in the tensor when the
  // operator starts, ascending; none where no task has written it.
  std::vector<std::vector<std::uint32_t>> sources;
};

class Operators {
 public:
  Operators(const View& view, const Runs& runs, const TypeSemantics& semantics);

  // In the order of their first tasks.
  const std::vector<Operator>& all() const { return operators_; }
  std::size_t size() const { return operators_.size(); }
  const Operator& operator[](std::size_t i) const { return operators_[i]; }
  // The operator of a run, by position in Runs.
  std::uint32_t of_run(std::size_t run) const { return of_run_[run]; }
  // A task that stands for all of the operator's.
  Task task(std::size_t i) const { return runs_.task(operators_[i].runs[0]); }
  // The operator's tasks, ascending.
  std::vector<TaskRange> tasks(std::size_t i) const;

 private:
  const Runs& runs_;
  std::vector<Operator> operators_;
  std::vector<std::uint32_t> of_run_;
};

}  // namespace graph_coverage
