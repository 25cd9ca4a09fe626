// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/task_graph_builder.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace graph_coverage {
namespace {

// Multiplies and folds, eight bytes at a time: names are short and layouts few,
// so speed counts for more than the spread.
std::uint64_t Mix(std::uint64_t hash, std::uint64_t word) {
  const std::uint64_t x = (hash ^ word) * 0x9e3779b97f4a7c15;
  return x ^ (x >> 29);
}

std::uint64_t HashName(std::string_view name) {
  std::uint64_t hash = name.size();
  while (name.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, name.data(), sizeof(word));
    hash = Mix(hash, word);
    name.remove_prefix(8);
  }
  std::uint64_t rest = 0;
  for (const char c : name) rest = rest << 8 | static_cast<unsigned char>(c);
  return Mix(hash, rest);
}

std::uint64_t HashLayout(const Layout& layout) {
  std::uint64_t hash =
      Mix(layout.dims.size() << 1 | (layout.has_offset ? 1 : 0),
          static_cast<std::uint64_t>(layout.data_type));
  for (const std::int64_t dim : layout.dims) {
    hash = Mix(hash, static_cast<std::uint64_t>(dim));
  }
  for (const std::int64_t stride : layout.strides) {
    hash = Mix(hash, static_cast<std::uint64_t>(stride));
  }
  return hash;
}

}  // namespace

void InternTable::Grow() {
  const std::size_t size = entries_.empty() ? 256 : entries_.size() * 2;
  const std::vector<Entry> old = std::exchange(entries_, {});
  entries_.resize(size);
  for (const Entry& entry : old) {
    if (entry.position == kFree) continue;
    std::size_t at = entry.hash & (size - 1);
    while (entries_[at].position != kFree) at = (at + 1) & (size - 1);
    entries_[at] = entry;
  }
}

TaskGraphBuilder::TaskGraphBuilder(std::string file, std::uint64_t bytes) {
  graph_.file_ = std::move(file);
  // Growing an array costs more in fresh pages than reading the text. Real
  // graphs take 310 to 350 bytes an operand and 1,100 to 1,750 a task; what is
  // set aside and not used is never touched. A wrong size only costs speed.
  constexpr std::uint64_t kBytesAnOperand = 256;
  constexpr std::uint64_t kBytesATask = 1000;
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;
  const std::uint64_t likely = std::min(bytes, kMostBytes);
  graph_.operands_.reserve(likely / kBytesAnOperand);
  graph_.tasks_.reserve(likely / kBytesATask);
}

TensorId TaskGraphBuilder::Name(std::string_view name) {
  const std::uint32_t next = static_cast<std::uint32_t>(graph_.names_.size());
  const std::uint32_t at = names_.FindOrAdd(
      HashName(name), next,
      [this, name](std::uint32_t i) { return graph_.names_[i] == name; });
  if (at == next) graph_.names_.emplace_back(name);
  return TensorId(at);
}

LayoutId TaskGraphBuilder::Shape(const Layout& layout) {
  const std::uint32_t next = static_cast<std::uint32_t>(graph_.layouts_.size());
  const std::uint32_t at = layouts_.FindOrAdd(
      HashLayout(layout), next, [this, &layout](std::uint32_t i) {
        return graph_.layout(LayoutId(i)) == layout;
      });
  if (at == next) {
    graph_.layouts_.push_back(
        {graph_.extents_.size(), static_cast<std::uint32_t>(layout.dims.size()),
         static_cast<std::uint32_t>(layout.strides.size()), layout.data_type,
         layout.has_offset});
    graph_.extents_.insert(graph_.extents_.end(), layout.dims.begin(),
                           layout.dims.end());
    graph_.extents_.insert(graph_.extents_.end(), layout.strides.begin(),
                           layout.strides.end());
  }
  return LayoutId(at);
}

void TaskGraphBuilder::AddTask(const Task& task) {
  graph_.tasks_.push_back(
      {graph_.operands_.size(), task.trigger, task.dependent, task.type,
       task.variant, static_cast<std::uint32_t>(inputs_.size()),
       static_cast<std::uint32_t>(outputs_.size()), task.metadata});
  graph_.operands_.insert(graph_.operands_.end(), inputs_.begin(),
                          inputs_.end());
  graph_.operands_.insert(graph_.operands_.end(), outputs_.begin(),
                          outputs_.end());
  inputs_.clear();
  outputs_.clear();
}

void TaskGraphBuilder::Append(const TaskGraph& part) {
  std::vector<TensorId> tensors;
  for (const std::string& name : part.names_) tensors.push_back(Name(name));
  std::vector<LayoutId> layouts;
  for (std::size_t i = 0; i < part.layout_count(); ++i) {
    layouts.push_back(Shape(part.layout(LayoutId(i))));
  }
  const std::size_t before = graph_.operands_.size();
  for (Operand operand : part.operands_) {
    operand.tensor = tensors[Index(operand.tensor)];
    operand.layout = layouts[Index(operand.layout)];
    graph_.operands_.push_back(operand);
  }
  for (TaskGraph::TaskRecord task : part.tasks_) {
    task.first_operand += before;
    graph_.tasks_.push_back(task);
  }
  graph_.format_.event_objects |= part.format_.event_objects;
  graph_.format_.dependent_event |= part.format_.dependent_event;
  graph_.format_.variant_id |= part.format_.variant_id;
}

TaskGraph TaskGraphBuilder::Build() {
  return std::exchange(graph_, TaskGraph());
}

}  // namespace graph_coverage
