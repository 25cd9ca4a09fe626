// SPDX-License-Identifier: Apache-2.0
//
// A located edit of a rank, written down as an overlay: either a mutation by
// its id or a few operands, counts and branches changed by hand.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "graph_coverage/model/overlay.h"
#include "graph_coverage/model/rank.h"
#include "graph_coverage/model/view.h"
#include "graph_coverage/mutation/mutation.h"

namespace graph_coverage::museum {

using TaskIds = std::vector<std::uint32_t>;

class Edit {
 public:
  // `rank` must outlive the edit.
  explicit Edit(const Rank& rank) : rank_(rank), view_(rank) {}

  // The rank as it was.
  const View& view() const { return view_; }
  const Overlay& overlay() const { return overlay_; }
  // The ids of the mutations laid over it.
  const std::vector<std::string>& mutations() const { return mutations_; }

  // Tasks, ascending, each once. All throw std::invalid_argument where there
  // is none: an edit of nothing is a mistake of the fixture.
  TaskIds Readers(const std::string& tensor) const;
  TaskIds Writers(const std::string& tensor) const;
  TaskIds OfType(const std::string& type) const;
  // The input (or output) slot of the task that names the tensor.
  std::uint32_t SlotOf(std::uint32_t task, const std::string& tensor,
                       bool output = false) const;

  // Lays a mutation over the rank, which must be unchanged so far.
  void Mutate(Mutation mutation);

  // Operands of a task, to be changed in place.
  std::vector<Operand>& Inputs(std::uint32_t task);
  std::vector<Operand>& Outputs(std::uint32_t task);
  graph_coverage::Task& Task(std::uint32_t task);
  graph_coverage::Event& Event(std::uint32_t event);
  TensorId Tensor(const std::string& name) const;
  void Null(std::uint32_t task, std::uint32_t slot);
  // Gives the operand a layout of its own, made from the one that it has.
  void Relayout(Operand& operand,
                const std::function<void(AddedLayout&)>& change);

  // The rank's files are not there.
  void LeaveRankOut() { left_out_ = true; }
  bool left_out() const { return left_out_; }

  std::vector<TaskId>& FirstTasks();

  // Drops tasks, and counts their events' triggers down.
  void Drop(const TaskIds& tasks);
  // Lets the tasks trigger the event (the last, where none is said), with both
  // events' counts put right.
  void MoveTriggers(const TaskIds& tasks, std::uint32_t event);
  std::uint32_t LastEvent() const;

  // Replaces text in the bodies of a type's branches.
  void ChangeBranches(const std::string& type, const std::string& from,
                      const std::string& to);
  Declaration& DeclarationOf(const std::string& name);

 private:
  TaskEdit& At(std::uint32_t task);

  const Rank& rank_;
  const View view_;
  Overlay overlay_;
  std::vector<std::string> mutations_;
  bool left_out_ = false;
};

}  // namespace graph_coverage::museum
