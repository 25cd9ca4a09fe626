// SPDX-License-Identifier: Apache-2.0
//
// A rank under an overlay, indexed: what a View asks where there is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph_coverage/model/overlay.h"
#include "graph_coverage/model/rank.h"

namespace graph_coverage {

class OverlayIndex {
 public:
  // Both must outlive the index.
  OverlayIndex(const Rank& rank, const Overlay& overlay);

  std::size_t task_count() const {
    return graph_.task_count() - overlay_.dropped.size();
  }
  Task task(TaskId id) const;
  std::size_t event_count() const {
    return graph_.event_count() + overlay_.added_events.size();
  }
  Event event(std::size_t index) const;
  Span<TaskId> first_tasks() const { return first_tasks_; }
  Layout layout(LayoutId id) const;
  std::size_t operand_count() const { return operand_count_; }
  const GraphFormat& format() const { return format_; }

  std::size_t tensor_count() const {
    return rank_.tensor_count() + overlay_.added_tensors.size();
  }
  std::string_view tensor_name(TensorId id) const;
  std::optional<TensorId> FindTensor(std::string_view name) const;
  std::optional<TensorId> null_tensor() const { return null_tensor_; }
  const Declaration* declaration(TensorId id) const;
  Span<Reference> references(TensorId id) const;

  std::size_t declaration_count() const { return declarations_.size(); }
  const Declaration& declaration_at(std::size_t i) const;
  TensorId declared_tensor(std::size_t i) const {
    return rank_.declared_tensor(declarations_[i]);
  }
  std::size_t branch_count() const { return branches_.size(); }
  const Branch& branch(std::size_t i) const { return *branches_[i]; }

  // Whether another binding of types may come of it.
  bool MayRebind() const { return may_rebind_; }
  void Bind(TypeBinding types) { types_ = std::move(types); }
  const TypeBinding& types() const { return types_ ? *types_ : rank_.types(); }

 private:
  // The id that a task of the rank has under the overlay, or that the next one
  // left has, if it is dropped; and the reverse.
  std::uint64_t NewId(std::uint64_t id) const;
  TaskId OldId(TaskId id) const;

  void IndexTensors();
  void IndexDeclarations();
  void IndexBranches();
  void IndexFirstTasks();
  void IndexReferences();

  const Rank& rank_;
  const TaskGraph& graph_;
  const Overlay& overlay_;
  GraphFormat format_;
  std::size_t operand_count_ = 0;
  bool may_rebind_ = false;
  std::optional<TypeBinding> types_;
  std::vector<TaskId> first_tasks_;
  std::optional<TensorId> null_tensor_;
  std::unordered_map<std::string_view, TensorId> new_names_;
  std::vector<std::size_t> declarations_;  // positions in the source
  std::vector<bool> declared_;             // by position in the source
  std::vector<const Branch*> branches_;
  // Of the tensors whose references are not the rank's.
  std::unordered_map<std::size_t, std::vector<Reference>> references_;
};

}  // namespace graph_coverage
