// SPDX-License-Identifier: Apache-2.0
#include "generators/mutation/rank_index.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace graph_coverage {
namespace {

std::optional<TensorId> Lead(const Task& task) {
  if (!task.outputs.empty()) return task.outputs[0].tensor;
  if (!task.inputs.empty()) return task.inputs[0].tensor;
  return std::nullopt;
}

bool SameOperator(const Task& a, const Task& b) {
  return a.type == b.type && a.variant == b.variant && Lead(a) == Lead(b);
}

bool IsWork(const Task& task) {
  return task.type != kTerminateType && task.type != kBeginType;
}

}  // namespace

RankIndex::RankIndex(const Rank& rank)
    : rank_(rank), view_(rank_), families_(view_) {
  const auto count = static_cast<std::uint32_t>(view_.task_count());
  constexpr std::uint32_t kNoRun = std::numeric_limits<std::uint32_t>::max();
  run_of_.assign(count, kNoRun);
  layers_.resize(count);
  tensors_of_.resize(rank.graph().layout_count());
  std::set<std::pair<LayoutId, TensorId>> seen;
  std::optional<std::uint32_t> layer;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Task task = view_.task(TaskId(i));
    std::optional<std::uint32_t> own;
    for (const Span<Operand> operands : {task.inputs, task.outputs}) {
      for (const Operand& operand : operands) {
        if (!own) own = families_.of(operand.tensor).layer;
      }
    }
    if (own) layer = own;
    layers_[i] = layer;
    for (const Operand& operand : task.inputs) {
      if (view_.IsNull(operand.tensor)) continue;
      if (seen.emplace(operand.layout, operand.tensor).second) {
        tensors_of_[Index(operand.layout)].push_back(operand.tensor);
      }
    }
    if (!IsWork(task)) continue;
    tasks_of_[{task.type, task.variant}].push_back(i);
    if (i > 0 && run_of_[i - 1] != kNoRun &&
        SameOperator(task, view_.task(TaskId(i - 1)))) {
      runs_.back().end = i + 1;
    } else {
      runs_.push_back({i, i + 1});
    }
    run_of_[i] = static_cast<std::uint32_t>(runs_.size() - 1);
  }
}

const std::vector<std::uint32_t>& RankIndex::tasks_like(
    std::uint32_t task) const {
  const Task like = view_.task(TaskId(task));
  return tasks_of_.at({like.type, like.variant});
}

}  // namespace graph_coverage
