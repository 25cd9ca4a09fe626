// SPDX-License-Identifier: Apache-2.0
#include "tests/support/small_rank.h"

#include <utility>

namespace graph_coverage {

SmallRank::SmallRank(std::uint32_t rank)
    : id_(RankId(rank)),
      graph_("task_graph_" + std::to_string(rank) + ".json") {
  source_.file = "kernel_" + std::to_string(rank) + ".cu";
}

Declaration& SmallRank::Declare(const std::string& name, TensorKind kind) {
  Declaration& declaration = source_.declarations.emplace_back();
  declaration.name = name;
  declaration.kind = kind;
  declaration.line = static_cast<std::uint32_t>(source_.declarations.size());
  return declaration;
}

SmallRank& SmallRank::Attached(const std::string& name) {
  Declare(name, TensorKind::kAttached);
  return *this;
}

SmallRank& SmallRank::Scratch(const std::string& name) {
  Declare(name, TensorKind::kScratch).bytes = 16;
  return *this;
}

SmallRank& SmallRank::Shuffled(const std::string& name, std::uint64_t bytes,
                               const std::vector<Copy>& copies) {
  Declaration& declaration = Declare(name, TensorKind::kShuffled);
  declaration.bytes = bytes;
  declaration.copies = copies;
  return *this;
}

SmallRank& SmallRank::Alias(const std::string& name, const std::string& of) {
  Declare(name, TensorKind::kAlias).alias_of = of;
  return *this;
}

SmallRank& SmallRank::AtAddress(const std::string& name,
                                std::uint64_t address) {
  Declare(name, TensorKind::kAttached).address = address;
  return *this;
}

SmallRank& SmallRank::NumGpus(std::uint32_t count) {
  source_.num_gpus = count;
  return *this;
}

SmallRank& SmallRank::Branch(const std::string& type,
                             const std::vector<std::uint32_t>& inputs,
                             const std::vector<std::uint32_t>& outputs) {
  graph_coverage::Branch& branch = source_.branches.emplace_back();
  branch.type = type;
  branch.inputs = inputs;
  branch.outputs = outputs;
  source_.has_dispatch = true;
  return *this;
}

Operand SmallRank::Row(const std::string& name) {
  const std::vector<std::int64_t> dims = {8};
  const std::vector<std::int64_t> strides = {1};
  return {graph_.Name(name),
          graph_.Shape({DataType::kBf16, true, dims, strides}), 0};
}

SmallRank& SmallRank::Task(std::uint32_t type,
                           const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs) {
  for (const std::string& name : inputs) graph_.AddInput(Row(name));
  for (const std::string& name : outputs) graph_.AddOutput(Row(name));
  graph_coverage::Task task;
  task.type = type;
  graph_.AddTask(task);
  return *this;
}

Rank SmallRank::Build() {
  TaskGraph graph = graph_.Build();
  TypeBinding types = TypeBinding::Bind(graph, source_);
  return Rank(id_, std::move(source_), std::move(graph), std::move(types));
}

Copy CopyOf(const std::string& source, std::uint64_t offset,
            std::uint64_t width, std::uint64_t pitch, std::uint64_t height) {
  Copy copy;
  copy.source = source;
  copy.target_offset = offset;
  copy.width = width;
  copy.source_pitch = width;
  copy.target_pitch = pitch;
  copy.height = height;
  return copy;
}

}  // namespace graph_coverage
