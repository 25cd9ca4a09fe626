// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/wiring.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace graph_coverage {
namespace {

void Insert(std::uint32_t type, std::vector<std::uint32_t>* types) {
  const auto at = std::lower_bound(types->begin(), types->end(), type);
  if (at == types->end() || *at != type) types->insert(at, type);
}

// All tasks of a run name the same tensors.
std::vector<Usage> UsageOf(const View& view, const Runs& runs) {
  std::vector<Usage> usage(view.tensor_count());
  runs.EachStretch([&](TaskId first, std::uint32_t tasks) {
    const Task task = view.task(first);
    for (const Operand& input : task.inputs) {
      Usage& of = usage[Index(input.tensor)];
      of.input_refs += tasks;
      Insert(task.type, &of.consumer_types);
    }
    for (const Operand& output : task.outputs) {
      Usage& of = usage[Index(output.tensor)];
      of.output_refs += tasks;
      Insert(task.type, &of.producer_types);
    }
  });
  return usage;
}

// Names of one memory: an alias and its target, or attached tensors with one
// address. Gives each tensor its class's representative.
std::vector<std::size_t> AliasClasses(const View& view) {
  std::vector<std::size_t> parent(view.tensor_count());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&parent](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::map<std::uint64_t, std::size_t> at_address;
  for (std::size_t i = 0; i < view.declaration_count(); ++i) {
    const Declaration& declaration = view.declaration_at(i);
    const std::size_t tensor = Index(view.declared_tensor(i));
    if (const auto target = view.FindTensor(declaration.alias_of);
        target && !declaration.alias_of.empty()) {
      parent[root(tensor)] = root(Index(*target));
    }
    if (declaration.address) {
      const auto [at, added] = at_address.emplace(*declaration.address, tensor);
      if (!added) parent[root(tensor)] = root(at->second);
    }
  }
  for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = root(i);
  return parent;
}

}  // namespace

Wiring::Wiring(const View& view, const Runs& runs)
    : usage_(UsageOf(view, runs)),
      consumed_(view.tensor_count()),
      written_(view.tensor_count()) {
  const std::size_t count = view.tensor_count();
  const std::vector<std::size_t> classes = AliasClasses(view);
  std::vector<bool> class_read(count);
  std::vector<bool> class_written(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (usage_[i].input_refs > 0) class_read[classes[i]] = true;
    if (usage_[i].output_refs > 0) class_written[classes[i]] = true;
  }
  // A copy reads its source, but only for a shuffled tensor that is read.
  for (std::size_t i = 0; i < view.declaration_count(); ++i) {
    if (!class_read[classes[Index(view.declared_tensor(i))]]) continue;
    for (const Copy& copy : view.declaration_at(i).copies) {
      if (const auto source = view.FindTensor(copy.source)) {
        class_read[classes[Index(*source)]] = true;
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    consumed_[i] = class_read[classes[i]];
    written_[i] = class_written[classes[i]];
  }
}

}  // namespace graph_coverage
