// SPDX-License-Identifier: Apache-2.0
//
// Findings about tasks: the same fault of many tasks becomes one finding, which
// knows their layers, their ids and the lines to look at.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/model/task_semantics.h"
#include "audit/rules/rule.h"

namespace graph_coverage {

// What the tasks of a fault have in common.
struct FaultKey {
  std::uint32_t type = 0;
  std::uint32_t variant = 0;
  Slot slot;
  std::optional<TensorId> tensor;  // the subject; none: the type

  friend bool operator<(const FaultKey& a, const FaultKey& b);
};

// The faulty runs (positions in Runs), by what they have in common.
using Faults = std::map<FaultKey, std::vector<std::uint32_t>>;

// Adds a finding about the tasks of these runs, without its sentences: its
// count is their number.
Finding& AddTaskFinding(const RankContext& rank, const FaultKey& key,
                        const std::vector<std::uint32_t>& runs,
                        Judgement& judgement);

// "in5 of TASK_PAGED_ATTENTION_1", with the variant where there are several.
std::string SlotOfKind(const RankContext& rank, std::uint32_t type,
                       std::uint32_t variant, Slot slot);

// The layers of the runs, ascending, once each.
std::vector<std::uint32_t> LayersOf(const RankContext& rank,
                                    const std::vector<std::uint32_t>& runs);

// The operand in a slot, or null where the task has no such slot.
const Operand* OperandIn(const Task& task, Slot slot);

// "layers 0-16, 18-35", "layer 3"; "other tasks" where there are none.
std::string LayersText(const std::vector<std::uint32_t>& layers);

// The text with a capital letter at its start.
std::string Sentence(std::string text);

}  // namespace graph_coverage
