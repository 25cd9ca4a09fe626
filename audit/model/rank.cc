// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/model/rank.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

namespace graph_coverage {
namespace {

constexpr std::string_view kNullTensorName = "nullptr";

}  // namespace

Rank::Rank(RankId id, KernelSource source, TaskGraph graph, TypeBinding types) {
  auto content = std::make_shared<Content>(
      Content{id, std::move(source), std::move(graph), std::move(types)});
  content_ = content;
  IndexNames(content.get());
  IndexReferences(content.get());
}

void Rank::IndexNames(Content* content) {
  const TaskGraph& graph = content->graph;
  const std::vector<Declaration>& declarations = content->source.declarations;
  std::unordered_map<std::string_view, TensorId> by_name;
  by_name.reserve(graph.tensor_count() + declarations.size());
  for (std::size_t i = 0; i < graph.tensor_count(); ++i) {
    by_name.emplace(graph.tensor_name(TensorId(i)), TensorId(i));
  }
  std::vector<std::int32_t>& declaration_of = content->declaration_of;
  declaration_of.assign(graph.tensor_count(), -1);
  content->tensor_of.reserve(declarations.size());
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    const auto [it, added] =
        by_name.emplace(declarations[i].name, TensorId(declaration_of.size()));
    if (added) declaration_of.push_back(-1);
    declaration_of[Index(it->second)] = static_cast<std::int32_t>(i);
    content->tensor_of.push_back(it->second);
  }

  content->by_name.reserve(by_name.size());
  for (const auto& [name, tensor] : by_name) content->by_name.push_back(tensor);
  std::sort(content->by_name.begin(), content->by_name.end(),
            [this](TensorId a, TensorId b) {
              return tensor_name(a) < tensor_name(b);
            });
  content->null_tensor = FindTensor(kNullTensorName);
}

// References by tensor, as one array with the start of each tensor's part.
void Rank::IndexReferences(Content* content) {
  std::vector<std::uint32_t>& first = content->first_reference;
  first.assign(content->declaration_of.size() + 1, 0);
  const TaskGraph& graph = content->graph;
  const auto each_reference = [&graph](auto&& visit) {
    for (std::size_t i = 0; i < graph.task_count(); ++i) {
      const Task task = graph.task(TaskId(i));
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
  each_reference(
      [&first](TensorId tensor, Reference) { ++first[Index(tensor) + 1]; });
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  content->references.resize(first.back());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  each_reference([content, &next](TensorId tensor, Reference reference) {
    content->references[next[Index(tensor)]++] = reference;
  });
}

std::string_view Rank::tensor_name(TensorId id) const {
  if (Index(id) < graph().tensor_count()) return graph().tensor_name(id);
  return source().declarations[*declaration_index(id)].name;
}

std::optional<TensorId> Rank::FindTensor(std::string_view name) const {
  const std::vector<TensorId>& by_name = content_->by_name;
  const auto at = std::lower_bound(
      by_name.begin(), by_name.end(), name,
      [this](TensorId t, std::string_view n) { return tensor_name(t) < n; });
  if (at == by_name.end() || tensor_name(*at) != name) return std::nullopt;
  return *at;
}

std::optional<std::size_t> Rank::declaration_index(TensorId id) const {
  const std::int32_t at = content_->declaration_of[Index(id)];
  if (at < 0) return std::nullopt;
  return static_cast<std::size_t>(at);
}

Span<Reference> Rank::references(TensorId id) const {
  const std::vector<std::uint32_t>& first = content_->first_reference;
  const std::uint32_t begin = first[Index(id)];
  return {content_->references.data() + begin, first[Index(id) + 1] - begin};
}

}  // namespace graph_coverage
