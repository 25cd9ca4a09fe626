// SPDX-License-Identifier: Apache-2.0
//
// A rank: one kernel source with one task graph, bound to each other.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
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

// Immutable once made; copies are cheap and share what they hold. Tensor ids
// extend those of the graph: names that only the source declares come after the
// graph's own.
class Rank {
 public:
  Rank(RankId id, KernelSource source, TaskGraph graph, TypeBinding types);

  RankId id() const { return content_->id; }
  const KernelSource& source() const { return content_->source; }
  const TaskGraph& graph() const { return content_->graph; }
  const TypeBinding& types() const { return content_->types; }

  std::size_t tensor_count() const { return content_->declaration_of.size(); }
  std::string_view tensor_name(TensorId id) const;
  // The tensor of that name, if the graph or the source has one.
  std::optional<TensorId> FindTensor(std::string_view name) const;
  // The operand that stands for "no tensor"; absent where nothing uses it.
  std::optional<TensorId> null_tensor() const { return content_->null_tensor; }
  // The position in source().declarations, or nothing.
  std::optional<std::size_t> declaration_index(TensorId id) const;
  // The tensor of a declaration, by its position in source().declarations.
  TensorId declared_tensor(std::size_t declaration) const {
    return content_->tensor_of[declaration];
  }
  // Everything that names the tensor, in task order, inputs before outputs.
  Span<Reference> references(TensorId id) const;

 private:
  struct Content {
    RankId id;
    KernelSource source;
    TaskGraph graph;
    TypeBinding types;
    std::optional<TensorId> null_tensor = {};
    std::vector<std::int32_t> declaration_of = {};  // by tensor; -1: undeclared
    std::vector<TensorId> tensor_of = {};           // by declaration
    std::vector<TensorId> by_name = {};             // sorted by name
    std::vector<std::uint32_t> first_reference = {};
    std::vector<Reference, LargePages<Reference>> references = {};
  };

  void IndexNames(Content* content);
  static void IndexReferences(Content* content);

  std::shared_ptr<const Content> content_;
};

// GoogleTest prints these types with one line each.
void PrintTo(const Reference& reference, std::ostream* out);
void PrintTo(const Rank& rank, std::ostream* out);

}  // namespace graph_coverage
