// SPDX-License-Identifier: Apache-2.0
//
// What mutation operators ask of a rank: operators, layers, tensors alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/analysis/families.h"
#include "graph_coverage/model/rank.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// Tasks [begin, end) of one operator, as far as neighbours tell: they have
// one (type, variant) and name one first output, else one first input.
struct TaskRun {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

class RankIndex {
 public:
  explicit RankIndex(const Rank& rank);

  const Rank& rank() const { return rank_; }
  const View& view() const { return view_; }
  const Families& families() const { return families_; }

  // Runs of all tasks but the two that begin and end a graph.
  const std::vector<TaskRun>& runs() const { return runs_; }
  const TaskRun& run_of(std::uint32_t task) const {
    return runs_[run_of_[task]];
  }
  // The layer of the first operand that has one, else the task before's.
  std::optional<std::uint32_t> layer_of(std::uint32_t task) const {
    return layers_[task];
  }
  // The tasks of a (type, variant), ascending.
  const std::vector<std::uint32_t>& tasks_like(std::uint32_t task) const;

  // Tensors that inputs name with that layout, in order of appearance.
  const std::vector<TensorId>& tensors_of(LayoutId layout) const {
    return tensors_of_[Index(layout)];
  }

 private:
  const Rank rank_;
  View view_;
  Families families_;
  std::vector<TaskRun> runs_;
  std::vector<std::uint32_t> run_of_;  // by task
  std::vector<std::optional<std::uint32_t>> layers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>>
      tasks_of_;
  std::vector<std::vector<TensorId>> tensors_of_;
};

}  // namespace graph_coverage
