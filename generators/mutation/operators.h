// SPDX-License-Identifier: Apache-2.0
//
// How a mutation operator acts: one row a member of the operator table, in
// rooms by what they edit.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "generators/mutation/rank_index.h"
#include "graph_coverage/model/overlay.h"
#include "graph_coverage/mutation/mutation.h"
#include "graph_coverage/mutation/mutation_space.h"

namespace graph_coverage {

using Site = MutationSites::Site;

struct OperatorRow {
  MutationOperator info;
  // Where it can act.
  std::vector<Site> (*sites)(const RankIndex& index);
  // Fills in the k-th mutation of a site; operator and rank are set.
  void (*fill)(const RankIndex& index, const Site& site, std::uint32_t k,
               Mutation& mutation);
  // Lays the mutation over the rank.
  void (*apply)(const RankIndex& index, const Mutation& mutation,
                Overlay& overlay);
};

// The rooms of the table.
std::vector<OperatorRow> OperandOperators();
std::vector<OperatorRow> RewiringOperators();
std::vector<OperatorRow> TaskOperators();
std::vector<OperatorRow> EventOperators();
std::vector<OperatorRow> TileOperators();
std::vector<OperatorRow> SourceOperators();
std::vector<OperatorRow> BenignOperators();

// The whole table.
const std::vector<OperatorRow>& AllOperators();

// The edit of a task, a copy of the task where there is none yet.
TaskEdit& EditTask(const RankIndex& index, std::uint32_t task,
                   Overlay& overlay);
// The same for an event.
Event& EditEvent(const RankIndex& index, std::uint32_t event, Overlay& overlay);
// "nullptr" as an operand.
Operand NullOperand(const RankIndex& index, Overlay& overlay);
// Adds a layout to the overlay.
LayoutId AddLayout(const RankIndex& index, AddedLayout layout,
                   Overlay& overlay);

// What a mutation names; each throws std::invalid_argument where the field is
// absent or out of the rank's range.
[[noreturn]] void Refuse(const Mutation& mutation, const std::string& why);
std::uint32_t TaskOf(const RankIndex& index, const Mutation& mutation);
std::uint32_t EventOf(const RankIndex& index, const Mutation& mutation);
TensorId TensorOf(const RankIndex& index, const Mutation& mutation,
                  const std::string& name);
// The slot, checked against the subject.
std::size_t SlotOf(const RankIndex& index, const Mutation& mutation,
                   bool output);

// Sites at each input (or output) that is not "nullptr": a is the task, b the
// slot; and their fill.
std::vector<Site> OperandSites(const RankIndex& index, bool output);
void FillInput(const RankIndex& index, const Site& site, std::uint32_t k,
               Mutation& mutation);
void FillOutput(const RankIndex& index, const Site& site, std::uint32_t k,
                Mutation& mutation);
// Sites at each work task, a being the task.
std::vector<Site> TaskSites(const RankIndex& index);
void FillTask(const RankIndex& index, const Site& site, std::uint32_t k,
              Mutation& mutation);
// For operators that have one mutation and need no more than the rank.
std::vector<Site> OneSite(const RankIndex& index);
void FillNothing(const RankIndex& index, const Site& site, std::uint32_t k,
                 Mutation& mutation);

}  // namespace graph_coverage
