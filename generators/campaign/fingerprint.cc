// SPDX-License-Identifier: Apache-2.0
#include "generators/campaign/fingerprint.h"

#include <string_view>

namespace graph_coverage {
namespace {

// FNV-1a over words.
class Hash {
 public:
  void Add(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x100000001b3;
    value_ ^= value_ >> 29;
  }
  void Add(std::string_view text) {
    Add(text.size());
    for (const char c : text) Add(static_cast<unsigned char>(c));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

void AddOperands(Span<Operand> operands, Hash* hash) {
  hash->Add(operands.size());
  for (const Operand& operand : operands) {
    hash->Add(Index(operand.tensor));
    hash->Add(Index(operand.layout));
    hash->Add(static_cast<std::uint64_t>(operand.offset));
  }
}

void AddGraph(const TaskGraph& graph, Hash* hash) {
  for (std::size_t i = 0; i < graph.task_count(); ++i) {
    const Task task = graph.task(TaskId(i));
    hash->Add(task.type);
    hash->Add(task.variant);
    hash->Add(task.trigger.raw());
    hash->Add(task.dependent.raw());
    hash->Add(task.metadata.Bits());
    AddOperands(task.inputs, hash);
    AddOperands(task.outputs, hash);
  }
  for (std::size_t i = 0; i < graph.event_count(); ++i) {
    const Event& event = graph.event(i);
    hash->Add(static_cast<std::uint64_t>(event.type));
    hash->Add(event.num_triggers);
    hash->Add(event.first_task);
    hash->Add(event.last_task);
  }
  for (std::size_t i = 0; i < graph.layout_count(); ++i) {
    const Layout layout = graph.layout(LayoutId(i));
    hash->Add(static_cast<std::uint64_t>(layout.data_type));
    for (const Span<std::int64_t> extents : {layout.dims, layout.strides}) {
      hash->Add(extents.size());
      for (const std::int64_t extent : extents) {
        hash->Add(static_cast<std::uint64_t>(extent));
      }
    }
  }
}

void AddSource(const KernelSource& source, Hash* hash) {
  for (const Declaration& declaration : source.declarations) {
    hash->Add(declaration.name);
    hash->Add(static_cast<std::uint64_t>(declaration.kind));
    hash->Add(declaration.bytes.value_or(0));
    hash->Add(declaration.copies.size());
    for (const Copy& copy : declaration.copies) hash->Add(copy.source);
  }
  for (const Branch& branch : source.branches) {
    hash->Add(branch.type);
    hash->Add(branch.variant);
    hash->Add(branch.body);
  }
}

}  // namespace

std::uint64_t FingerprintOf(const std::vector<Rank>& ranks) {
  Hash hash;
  for (const Rank& rank : ranks) {
    hash.Add(Index(rank.id()));
    for (std::size_t i = 0; i < rank.tensor_count(); ++i) {
      hash.Add(rank.tensor_name(TensorId(i)));
    }
    AddGraph(rank.graph(), &hash);
    AddSource(rank.source(), &hash);
  }
  return hash.value();
}

}  // namespace graph_coverage
