// SPDX-License-Identifier: Apache-2.0
#include "audit/rules/task_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace graph_coverage {

bool operator<(const FaultKey& a, const FaultKey& b) {
  return std::tie(a.type, a.variant, a.slot, a.tensor) <
         std::tie(b.type, b.variant, b.slot, b.tensor);
}

Finding& AddTaskFinding(const RankContext& rank, const FaultKey& key,
                        const std::vector<std::uint32_t>& runs,
                        Judgement& judgement) {
  Finding& finding = judgement.Add();
  finding.task_type = rank.view.TypeName(key.type);
  finding.count = 0;
  for (const std::uint32_t run : runs) {
    finding.count += rank.analyses.runs()[run].count;
    finding.tasks.push_back(rank.analyses.runs()[run].tasks());
  }
  finding.layers = LayersOf(rank, runs);
  for (const Branch* branch : rank.view.BranchesOf(key.type, key.variant)) {
    finding.places.push_back({rank.view.source_file(), branch->line, 0, 0});
  }
  if (key.tensor) {
    finding.tensor = std::string(rank.view.tensor_name(*key.tensor));
    if (const Declaration* declaration = rank.view.declaration(*key.tensor)) {
      finding.places.push_back(
          {rank.view.source_file(), declaration->line, 0, 0});
    }
  }
  return finding;
}

std::string SlotOfKind(const RankContext& rank, std::uint32_t type,
                       std::uint32_t variant, Slot slot) {
  std::string text =
      fmt::format("{} of {}", ToString(slot), rank.view.TypeName(type));
  if (variant != 0) text += fmt::format(" (variant {})", variant);
  return text;
}

std::vector<std::uint32_t> LayersOf(const RankContext& rank,
                                    const std::vector<std::uint32_t>& runs) {
  std::vector<std::uint32_t> layers;
  for (const std::uint32_t run : runs) {
    const auto section = rank.analyses.layers().of_run(run);
    if (section) layers.push_back(section->layer);
  }
  std::sort(layers.begin(), layers.end());
  layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
  return layers;
}

const Operand* OperandIn(const Task& task, Slot slot) {
  const Span<Operand> operands = slot.output ? task.outputs : task.inputs;
  return slot.index < operands.size() ? &operands[slot.index] : nullptr;
}

std::string LayersText(const std::vector<std::uint32_t>& layers) {
  if (layers.empty()) return "other tasks";
  return fmt::format("layer{} {}", layers.size() == 1 ? "" : "s",
                     RangesText(layers));
}

std::string Sentence(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') {
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  }
  return text;
}

}  // namespace graph_coverage
