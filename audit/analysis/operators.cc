// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/operators.h"

#include <algorithm>
#include <map>

namespace graph_coverage {
namespace {

// What is known of a tensor's contents at one point of the graph.
struct Contents {
  std::uint32_t epoch = 0;             // grows at the first write after a read
  std::vector<std::uint32_t> writers;  // operators, since then
  bool read = false;                   // since then, by another than those

  bool WrittenBy(std::uint32_t op) const {
    return std::find(writers.begin(), writers.end(), op) != writers.end();
  }
};

using Key = std::vector<std::uint32_t>;

void AddOperands(const Runs& runs, Span<Operand> operands, Key* key) {
  key->push_back(static_cast<std::uint32_t>(operands.size()));
  for (const Operand& operand : operands) {
    key->push_back(static_cast<std::uint32_t>(operand.tensor));
    key->push_back(static_cast<std::uint32_t>(runs.shape(operand.layout)));
  }
}

Key KeyOf(const Runs& runs, const Task& task) {
  Key key = {task.type, task.variant};
  AddOperands(runs, task.inputs, &key);
  AddOperands(runs, task.outputs, &key);
  return key;
}

// Follows the contents of all tensors through the graph.
class Epochs {
 public:
  Epochs(const View& view, const TypeSemantics& semantics)
      : view_(view), semantics_(semantics), contents_(view.tensor_count()) {}

  // Whether a task still finds what operator `op` read when it last ran, and
  // nobody has used the operator's results.
  bool Unchanged(std::uint32_t op, const Task& task,
                 const std::vector<std::uint32_t>& read_at) const {
    bool same = true;
    std::size_t next = 0;
    EachRead(task, [&](TensorId tensor) {
      same &= contents_[Index(tensor)].epoch == read_at[next++];
    });
    EachWrite(task, [&](TensorId tensor) {
      const Contents& contents = contents_[Index(tensor)];
      same &= contents.WrittenBy(op) && !contents.read;
    });
    return same;
  }

  // The operators whose results a task would find in a tensor.
  const std::vector<std::uint32_t>& Writers(TensorId tensor) const {
    return contents_[Index(tensor)].writers;
  }

  // Lets a task of the operator run; returns the epochs of what it read, as
  // they are once it has written.
  std::vector<std::uint32_t> Run(std::uint32_t op, const Task& task) {
    EachRead(task, [&](TensorId tensor) {
      Contents& contents = contents_[Index(tensor)];
      contents.read |= !contents.WrittenBy(op);
    });
    EachWrite(task, [&](TensorId tensor) {
      Contents& contents = contents_[Index(tensor)];
      if (contents.read) {
        ++contents.epoch;
        contents.writers.clear();
        contents.read = false;
      }
      if (!contents.WrittenBy(op)) contents.writers.push_back(op);
    });
    std::vector<std::uint32_t> read_at;
    EachRead(task, [&](TensorId tensor) {
      read_at.push_back(contents_[Index(tensor)].epoch);
    });
    return read_at;
  }

 private:
  template <typename Visit>
  void EachRead(const Task& task, const Visit& visit) const {
    const SlotSet reads = semantics_.Reads(task);
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      const TensorId tensor = task.inputs[i].tensor;
      if (reads.input(i) && !view_.IsNull(tensor)) visit(tensor);
    }
  }
  template <typename Visit>
  void EachWrite(const Task& task, const Visit& visit) const {
    const SlotSet writes = semantics_.Writes(task);
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      const TensorId tensor = task.inputs[i].tensor;
      if (writes.input(i) && !view_.IsNull(tensor)) visit(tensor);
    }
    for (std::size_t i = 0; i < task.outputs.size(); ++i) {
      const TensorId tensor = task.outputs[i].tensor;
      if (writes.output(i) && !view_.IsNull(tensor)) visit(tensor);
    }
  }

  const View& view_;
  const TypeSemantics& semantics_;
  std::vector<Contents> contents_;  // by tensor
};

}  // namespace

Operators::Operators(const View& view, const Runs& runs,
                     const TypeSemantics& semantics)
    : runs_(runs) {
  Epochs epochs(view, semantics);
  std::map<Key, std::uint32_t> latest;  // the last operator of each key
  std::vector<std::vector<std::uint32_t>> read_at;  // by operator
  of_run_.reserve(runs.size());
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    const Task task = runs.task(i);
    const auto next = static_cast<std::uint32_t>(operators_.size());
    std::uint32_t& op =
        latest.try_emplace(KeyOf(runs, task), next).first->second;
    if (op == next || !epochs.Unchanged(op, task, read_at[op])) {
      op = next;
      operators_.emplace_back();
      for (const Operand& operand : task.inputs) {
        operators_.back().sources.push_back(epochs.Writers(operand.tensor));
      }
      read_at.emplace_back();
    }
    operators_[op].runs.push_back(i);
    operators_[op].task_count += runs[i].count;
    of_run_.push_back(op);
    read_at[op] = epochs.Run(op, task);
  }
}

std::vector<TaskRange> Operators::tasks(std::size_t i) const {
  std::vector<TaskRange> ranges;
  for (const std::uint32_t run : operators_[i].runs) {
    ranges.push_back(runs_[run].tasks());
  }
  return ranges;
}

}  // namespace graph_coverage
