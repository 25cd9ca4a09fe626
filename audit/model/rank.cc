// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/model/rank.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace graph_coverage {
namespace {

constexpr std::string_view kNullName = "nullptr";

}  // namespace

Rank::Rank(RankId id, KernelSource source, TaskGraph graph, TypeBinding types)
    : id_(id),
      source_(std::move(source)),
      graph_(std::move(graph)),
      types_(std::move(types)) {
  const std::size_t used = graph_.tensor_count();
  std::unordered_map<std::string_view, TensorId> by_name;
  by_name.reserve(used + source_.declarations.size());
  for (std::size_t i = 0; i < used; ++i) {
    by_name.emplace(graph_.tensor_name(TensorId(i)), TensorId(i));
  }
  declaration_of_.assign(used, -1);
  tensor_of_.reserve(source_.declarations.size());
  for (std::size_t i = 0; i < source_.declarations.size(); ++i) {
    const auto [it, added] = by_name.emplace(source_.declarations[i].name,
                                             TensorId(declaration_of_.size()));
    if (added) declaration_of_.push_back(-1);
    declaration_of_[Index(it->second)] = static_cast<std::int32_t>(i);
    tensor_of_.push_back(it->second);
  }

  by_name_.reserve(by_name.size());
  for (const auto& [name, tensor] : by_name) by_name_.push_back(tensor);
  std::sort(by_name_.begin(), by_name_.end(), [this](TensorId a, TensorId b) {
    return tensor_name(a) < tensor_name(b);
  });
  null_tensor_ = FindTensor(kNullName);

  // References by tensor, as one array with the start of each tensor's part.
  first_reference_.assign(declaration_of_.size() + 1, 0);
  const auto each_reference = [this](auto&& visit) {
    for (std::size_t i = 0; i < graph_.task_count(); ++i) {
      const Task task = graph_.task(TaskId(i));
      for (std::size_t s = 0; s < task.inputs.size(); ++s) {
        visit(task.inputs[s].tensor,
              Reference{TaskId(i), static_cast<std::uint16_t>(s), false});
      }
      for (std::size_t s = 0; s < task.outputs.size(); ++s) {
        visit(task.outputs[s].tensor,
              Reference{TaskId(i), static_cast<std::uint16_t>(s), true});
      }
    }
  };
  each_reference([this](TensorId tensor, Reference) {
    ++first_reference_[Index(tensor) + 1];
  });
  for (std::size_t i = 1; i < first_reference_.size(); ++i) {
    first_reference_[i] += first_reference_[i - 1];
  }
  references_.resize(first_reference_.back());
  std::vector<std::uint32_t> next(first_reference_.begin(),
                                  first_reference_.end() - 1);
  each_reference([this, &next](TensorId tensor, Reference reference) {
    references_[next[Index(tensor)]++] = reference;
  });
}

std::string_view Rank::tensor_name(TensorId id) const {
  if (Index(id) < graph_.tensor_count()) return graph_.tensor_name(id);
  return source_.declarations[*declaration_index(id)].name;
}

std::optional<TensorId> Rank::FindTensor(std::string_view name) const {
  const auto at = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [this](TensorId t, std::string_view n) { return tensor_name(t) < n; });
  if (at == by_name_.end() || tensor_name(*at) != name) return std::nullopt;
  return *at;
}

std::optional<std::size_t> Rank::declaration_index(TensorId id) const {
  const std::int32_t at = declaration_of_[Index(id)];
  if (at < 0) return std::nullopt;
  return static_cast<std::size_t>(at);
}

Span<Reference> Rank::references(TensorId id) const {
  const std::uint32_t first = first_reference_[Index(id)];
  return {references_.data() + first, first_reference_[Index(id) + 1] - first};
}

}  // namespace graph_coverage
