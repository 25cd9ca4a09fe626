// SPDX-License-Identifier: Apache-2.0
//
// Mutations as data: small edits of a rank, each with a readable id that says
// all there is to say, and the table of operators that make them.
//
//   drop:rank=0:task=812:in=5:cos_position_embedding
//   rewire-layers:rank=0:to=layer_0_k_norm:layer_0_q_norm
//   control:rank=0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/model/ids.h"

namespace graph_coverage {

// One edit. Which fields are set depends on the operator: see
// docs/mutation.md. Ids and positions are those of the unchanged rank.
struct Mutation {
  std::string op;              // "drop": the id of its operator
  std::optional<RankId> rank;  // not given: every rank
  std::optional<std::uint32_t> task;
  std::optional<std::uint32_t> layer;
  std::optional<std::uint32_t> in;    // an input slot
  std::optional<std::uint32_t> out;   // an output slot
  std::optional<std::uint32_t> with;  // another slot of the same list
  std::optional<std::uint32_t> event;
  std::optional<std::uint32_t> branch;  // position in the chain
  std::optional<std::uint32_t> at;      // which of several places in it
  std::optional<std::int64_t> by;       // by how much
  std::string to;                       // the tensor put in its place
  std::string subject;                  // a tensor, or a branch's task type
};
bool operator==(const Mutation& a, const Mutation& b);

// The id. In names, %, :, =, blanks and control characters are written
// as %xx.
std::string ToString(const Mutation& mutation);
// The reverse. Throws std::invalid_argument, saying what was expected, where
// the text is no id of a mutation of the table.
Mutation ParseMutation(std::string_view id);

// What a mutation operator edits.
enum class Edits { kNothing, kOperands, kTasks, kEvents, kTiles, kSource };
const char* ToString(Edits edits);

// How much of a rank an operator edits at a time.
enum class EditExtent { kPlace, kOperator, kLayer, kModel };
const char* ToString(EditExtent extent);

// A row of the operator table.
struct MutationOperator {
  std::string_view id;
  std::string_view title;  // "drop an input operand of a task"
  Edits edits;
  // The kind of fault that comes of it; empty for edits that change nothing
  // that an audit should mind.
  std::string_view fault;
  EditExtent extent = EditExtent::kPlace;

  bool benign() const { return fault.empty(); }
};
const std::vector<MutationOperator>& MutationOperators();
// Null where the table has no such operator.
const MutationOperator* FindMutationOperator(std::string_view id);

// GoogleTest and RapidCheck print a mutation as its id.
std::ostream& operator<<(std::ostream& out, const Mutation& mutation);

}  // namespace graph_coverage
