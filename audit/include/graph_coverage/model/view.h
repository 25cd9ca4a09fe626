// SPDX-License-Identifier: Apache-2.0
//
// What rules see: a rank, or a rank under a mutation. Rules never look at a
// Rank or a TaskGraph themselves, so a mutant runs the same code.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/model/rank.h"

namespace graph_coverage {

class View {
 public:
  // The rank as it is. `rank` must outlive the view.
  explicit View(const Rank& rank) : rank_(&rank) {}

  RankId rank() const { return rank_->id(); }
  const std::string& source_file() const { return rank_->source().file; }
  const std::string& graph_file() const { return rank_->graph().file(); }
  const GraphFormat& format() const { return rank_->graph().format(); }
  std::optional<std::uint32_t> num_gpus() const {
    return rank_->source().num_gpus;
  }

  // Tasks and events.
  std::size_t task_count() const { return rank_->graph().task_count(); }
  Task task(TaskId id) const { return rank_->graph().task(id); }
  std::size_t event_count() const { return rank_->graph().event_count(); }
  Event event(std::size_t index) const { return rank_->graph().event(index); }
  Span<TaskId> first_tasks() const { return rank_->graph().first_tasks(); }
  Layout layout(LayoutId id) const { return rank_->graph().layout(id); }

  // Tensors: every name that an operand or a declaration uses.
  std::size_t tensor_count() const { return rank_->tensor_count(); }
  std::string_view tensor_name(TensorId id) const {
    return rank_->tensor_name(id);
  }
  std::optional<TensorId> FindTensor(std::string_view name) const {
    return rank_->FindTensor(name);
  }
  // Whether the operand stands for "no tensor".
  bool IsNull(TensorId id) const { return rank_->null_tensor() == id; }
  // The tensor's declaration, or null.
  const Declaration* declaration(TensorId id) const;
  // Everything that names the tensor, in task order, inputs before outputs.
  Span<Reference> references(TensorId id) const {
    return rank_->references(id);
  }

  // Declarations, in the order of the text.
  std::size_t declaration_count() const {
    return rank_->source().declarations.size();
  }
  const Declaration& declaration_at(std::size_t i) const {
    return rank_->source().declarations[i];
  }
  TensorId declared_tensor(std::size_t i) const {
    return rank_->declared_tensor(i);
  }

  // The dispatch chain.
  bool has_dispatch() const { return rank_->source().has_dispatch; }
  std::size_t branch_count() const { return rank_->source().branches.size(); }
  const Branch& branch(std::size_t i) const {
    return rank_->source().branches[i];
  }
  // The branches that (type, variant) may run: one where the type's name is
  // known, several where it is ambiguous, none where there is no such branch.
  std::vector<const Branch*> BranchesOf(std::uint32_t type,
                                        std::uint32_t variant) const;
  const TypeBinding& types() const { return rank_->types(); }
  std::string TypeName(std::uint32_t type) const {
    return rank_->types().Name(type);
  }

 private:
  const Rank* rank_;
};

// GoogleTest prints the type with one line.
void PrintTo(const View& view, std::ostream* out);

}  // namespace graph_coverage
