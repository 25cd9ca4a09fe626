// SPDX-License-Identifier: Apache-2.0
//
// A rank: one kernel source with one task graph, bound to each other.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/internal/large_pages.h"
#include "graph_coverage/model/ids.h"
#include "graph_coverage/model/kernel_source.h"
#include "graph_coverage/model/task_graph.h"
#include "graph_coverage/model/type_binding.h"

namespace graph_coverage {

// One place where a task names a tensor.
struct Reference {
  TaskId task{};
  std::uint16_t slot = 0;
  bool output = false;

  friend bool operator==(const Reference& a, const Reference& b) {
    return a.task == b.task && a.slot == b.slot && a.output == b.output;
  }
};

// Immutable once made. Tensor ids extend those of the graph: names that only
// the source declares come after the graph's own.
class Rank {
 public:
  Rank(RankId id, KernelSource source, TaskGraph graph, TypeBinding types);

  RankId id() const { return id_; }
  const KernelSource& source() const { return source_; }
  const TaskGraph& graph() const { return graph_; }
  const TypeBinding& types() const { return types_; }

  std::size_t tensor_count() const { return declaration_of_.size(); }
  std::string_view tensor_name(TensorId id) const;
  // The tensor of that name, if the graph or the source has one.
  std::optional<TensorId> FindTensor(std::string_view name) const;
  // The operand that stands for "no tensor"; absent where nothing uses it.
  std::optional<TensorId> null_tensor() const { return null_tensor_; }
  // The position in source().declarations, or nothing.
  std::optional<std::size_t> declaration_index(TensorId id) const;
  // The tensor of a declaration, by its position in source().declarations.
  TensorId declared_tensor(std::size_t declaration) const {
    return tensor_of_[declaration];
  }
  // Everything that names the tensor, in task order, inputs before outputs.
  Span<Reference> references(TensorId id) const;

 private:
  RankId id_;
  KernelSource source_;
  TaskGraph graph_;
  TypeBinding types_;
  std::optional<TensorId> null_tensor_;
  std::vector<std::int32_t> declaration_of_;  // by tensor; -1: undeclared
  std::vector<TensorId> tensor_of_;           // by declaration
  std::vector<TensorId> by_name_;             // sorted by name
  std::vector<std::uint32_t> first_reference_;
  std::vector<Reference, LargePages<Reference>> references_;
};

// GoogleTest prints these types with one line each.
void PrintTo(const Reference& reference, std::ostream* out);
void PrintTo(const Rank& rank, std::ostream* out);

}  // namespace graph_coverage
