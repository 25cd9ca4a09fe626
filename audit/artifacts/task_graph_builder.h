// SPDX-License-Identifier: Apache-2.0
//
// Makes a TaskGraph, task by task, interning names and layouts as it goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/model/task_graph.h"

namespace graph_coverage {

// An open hash table of positions in an array that lives elsewhere.
class InternTable {
 public:
  // The position for which `equal` holds among those filed under `hash`, or
  // `next`, which is then filed.
  template <typename Equal>
  std::uint32_t FindOrAdd(std::uint64_t hash, std::uint32_t next,
                          const Equal& equal) {
    if (2 * (used_ + 1) > entries_.size()) Grow();
    for (std::size_t at = hash & (entries_.size() - 1);;
         at = (at + 1) & (entries_.size() - 1)) {
      Entry& entry = entries_[at];
      if (entry.position == kFree) {
        entry = {hash, next};
        ++used_;
        return next;
      }
      if (entry.hash == hash && equal(entry.position)) return entry.position;
    }
  }

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t position = kFree;
  };
  void Grow();

  std::vector<Entry> entries_;  // a power of two of them
  std::size_t used_ = 0;
};

class TaskGraphBuilder {
 public:
  // `file` is what reports call the graph; `bytes` is how large it is, 0 where
  // that is not known: memory is set aside for it, so that it need not grow.
  explicit TaskGraphBuilder(std::string file, std::uint64_t bytes = 0);

  TensorId Name(std::string_view name);
  LayoutId Shape(const Layout& layout);

  // Operands of the task that the next AddTask makes. Slots count up.
  void AddInput(const Operand& operand) { inputs_.push_back(operand); }
  void AddOutput(const Operand& operand) { outputs_.push_back(operand); }
  // Adds a task with the operands since the last; its own spans are ignored.
  void AddTask(const Task& task);

  // Adds the tasks of another graph behind those that are there.
  void Append(const TaskGraph& part);

  void AddEvent(const Event& event) { graph_.events_.push_back(event); }
  void AddFirstTask(TaskId id) { graph_.first_tasks_.push_back(id); }
  GraphFormat& format() { return graph_.format_; }

  std::size_t task_count() const { return graph_.tasks_.size(); }
  std::size_t operand_count() const { return graph_.operands_.size(); }

  // The graph; the builder is empty afterwards.
  TaskGraph Build();

 private:
  TaskGraph graph_;
  InternTable names_;
  InternTable layouts_;
  std::vector<Operand> inputs_;
  std::vector<Operand> outputs_;
};

}  // namespace graph_coverage
