// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

namespace graph_coverage {

Runs::Runs(const View& view) : view_(view) {
  constexpr auto kUnseen = ShapeId(0xffffffff);
  std::map<std::pair<DataType, std::vector<std::int64_t>>, ShapeId> known;
  const auto learn = [&](LayoutId id) {
    if (Index(id) >= shapes_.size()) shapes_.resize(Index(id) + 1, kUnseen);
    if (shapes_[Index(id)] != kUnseen) return;
    const Layout layout = view.layout(id);
    const auto next = ShapeId(static_cast<std::uint32_t>(known.size()));
    shapes_[Index(id)] =
        known
            .try_emplace(
                {layout.data_type, {layout.dims.begin(), layout.dims.end()}},
                next)
            .first->second;
  };
  // Mostly the layouts are those of the task before.
  const auto learn_new = [&](Span<Operand> operands, Span<Operand> before) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (i < before.size() && before[i].layout == operands[i].layout) continue;
      learn(operands[i].layout);
    }
  };
  Task before;
  for (std::uint32_t i = 0; i < view.task_count(); ++i) {
    const Task task = view.task(TaskId(i));
    if (task.type == kTerminateType || task.type == kBeginType) continue;
    learn_new(task.inputs, before.inputs);
    learn_new(task.outputs, before.outputs);
    if (!runs_.empty() && Index(runs_.back().last()) + 1 == i &&
        Same(before, task)) {
      ++runs_.back().count;
    } else {
      runs_.push_back({TaskId(i), 1});
    }
    before = task;
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, Kind> kinds;
  for (std::uint32_t i = 0; i < runs_.size(); ++i) {
    const Task task = view.task(runs_[i].first);
    Kind& kind = kinds[{task.type, task.variant}];
    kind.type = task.type;
    kind.variant = task.variant;
    kind.runs.push_back(i);
    kind.task_count += runs_[i].count;
  }
  for (auto& [key, kind] : kinds) kinds_.push_back(std::move(kind));
}

std::optional<std::uint32_t> Runs::of_task(TaskId task) const {
  const auto after = std::upper_bound(
      runs_.begin(), runs_.end(), task,
      [](TaskId id, const Run& run) { return id < run.first; });
  if (after == runs_.begin() || (after - 1)->last() < task) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(after - 1 - runs_.begin());
}

bool Runs::Same(const Task& a, const Task& b) const {
  return a.type == b.type && a.variant == b.variant &&
         Same(a.inputs, b.inputs) && Same(a.outputs, b.outputs);
}

bool Runs::Same(Span<Operand> a, Span<Operand> b) const {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].tensor != b[i].tensor) return false;
    if (a[i].layout != b[i].layout && shape(a[i].layout) != shape(b[i].layout))
      return false;
  }
  return true;
}

std::string ShapeText(const Layout& layout) {
  return fmt::format("{}[{}]", ToString(layout.data_type),
                     fmt::join(layout.dims.begin(), layout.dims.end(), ", "));
}

}  // namespace graph_coverage
