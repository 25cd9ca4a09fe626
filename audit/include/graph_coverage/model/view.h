// SPDX-License-Identifier: Apache-2.0
//
// What rules see: a rank, or a rank under a mutation. Rules never look at a
// Rank or a TaskGraph themselves, so a mutant runs the same code.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/internal/overlay_index.h"
#include "graph_coverage/model/overlay.h"
#include "graph_coverage/model/rank.h"

namespace graph_coverage {

class View {
 public:
  // The rank as it is. `rank` must outlive the view.
  explicit View(const Rank& rank) : rank_(&rank) {}
  // The rank under a mutation. Both must outlive the view and its copies.
  View(const Rank& rank, const Overlay& overlay);
  View(const Rank& rank, Overlay&& overlay) = delete;

  RankId rank() const { return rank_->id(); }
  const std::string& source_file() const { return rank_->source().file; }
  const std::string& graph_file() const { return rank_->graph().file(); }
  const GraphFormat& format() const {
    return over_ ? over_->format() : rank_->graph().format();
  }
  std::optional<std::uint32_t> num_gpus() const {
    return rank_->source().num_gpus;
  }

  // Tasks and events.
  std::size_t task_count() const {
    return over_ ? over_->task_count() : rank_->graph().task_count();
  }
  [[gnu::always_inline]] Task task(TaskId id) const {
    return over_ ? over_->task(id) : rank_->graph().task(id);
  }
  std::size_t operand_count() const {
    return over_ ? over_->operand_count() : rank_->graph().operand_count();
  }
  std::size_t event_count() const {
    return over_ ? over_->event_count() : rank_->graph().event_count();
  }
  Event event(std::size_t index) const {
    return over_ ? over_->event(index) : rank_->graph().event(index);
  }
  Span<TaskId> first_tasks() const {
    return over_ ? over_->first_tasks() : rank_->graph().first_tasks();
  }
  Layout layout(LayoutId id) const {
    return over_ ? over_->layout(id) : rank_->graph().layout(id);
  }

  // Tensors: every name that an operand or a declaration uses. Under a
  // mutation some may have neither: those FindTensor does not find.
  std::size_t tensor_count() const {
    return over_ ? over_->tensor_count() : rank_->tensor_count();
  }
  std::string_view tensor_name(TensorId id) const {
    return over_ ? over_->tensor_name(id) : rank_->tensor_name(id);
  }
  std::optional<TensorId> FindTensor(std::string_view name) const {
    return over_ ? over_->FindTensor(name) : rank_->FindTensor(name);
  }
  // Whether the operand stands for "no tensor".
  bool IsNull(TensorId id) const {
    return (over_ ? over_->null_tensor() : rank_->null_tensor()) == id;
  }
  // The tensor's declaration, or null.
  const Declaration* declaration(TensorId id) const {
    if (over_) return over_->declaration(id);
    const std::optional<std::size_t> at = rank_->declaration_index(id);
    return at ? &rank_->source().declarations[*at] : nullptr;
  }
  // Everything that names the tensor, in task order, inputs before outputs.
  Span<Reference> references(TensorId id) const {
    return over_ ? over_->references(id) : rank_->references(id);
  }

  // Declarations, in the order of the text.
  std::size_t declaration_count() const {
    return over_ ? over_->declaration_count()
                 : rank_->source().declarations.size();
  }
  const Declaration& declaration_at(std::size_t i) const {
    return over_ ? over_->declaration_at(i) : rank_->source().declarations[i];
  }
  TensorId declared_tensor(std::size_t i) const {
    return over_ ? over_->declared_tensor(i) : rank_->declared_tensor(i);
  }

  // The dispatch chain.
  bool has_dispatch() const { return rank_->source().has_dispatch; }
  std::size_t branch_count() const {
    return over_ ? over_->branch_count() : rank_->source().branches.size();
  }
  const Branch& branch(std::size_t i) const {
    return over_ ? over_->branch(i) : rank_->source().branches[i];
  }
  // The branches that (type, variant) may run: one where the type's name is
  // known, several where it is ambiguous, none where there is no such branch.
  std::vector<const Branch*> BranchesOf(std::uint32_t type,
                                        std::uint32_t variant) const;
  const TypeBinding& types() const {
    return over_ ? over_->types() : rank_->types();
  }
  std::string TypeName(std::uint32_t type) const { return types().Name(type); }

 private:
  const Rank* rank_;
  std::shared_ptr<const OverlayIndex> over_;  // null: the rank as it is
};

// GoogleTest prints the type with one line.
void PrintTo(const View& view, std::ostream* out);

}  // namespace graph_coverage
