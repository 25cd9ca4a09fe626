// SPDX-License-Identifier: Apache-2.0
//
// Which mutants a campaign judges, cut into chunks that workers and shards
// take. The plan follows from the gendir and the options alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/campaign/campaign.h"
#include "graph_coverage/model/rank.h"
#include "graph_coverage/mutation/mutation_space.h"

namespace graph_coverage {

// One operator's part of a campaign.
struct PlannedOperator {
  const MutationOperator* info = nullptr;
  std::uint64_t places = 0;  // over all ranks that are edited
  bool exhaustive = false;
  std::vector<std::uint64_t> drawn;  // ascending; unless exhaustive

  std::uint64_t chosen() const { return exhaustive ? places : drawn.size(); }
  // The place of the i-th mutant. Precondition: i < chosen().
  std::uint64_t place(std::uint64_t i) const {
    return exhaustive ? i : drawn[i];
  }
};

// Mutants [begin, end) of one planned operator.
struct Chunk {
  std::size_t op = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

class Plan {
 public:
  // The ranks must outlive the plan. Throws std::invalid_argument where an
  // operator or the rank does not exist.
  Plan(const std::vector<Rank>& ranks, const CampaignOptions& options);

  const std::vector<PlannedOperator>& operators() const { return operators_; }
  const std::vector<Chunk>& chunks() const { return chunks_; }
  // A mutation space a rank, in the order of the ranks.
  const std::deque<MutationSpace>& spaces() const { return spaces_; }

  // The i-th mutant of an operator. From any thread.
  Mutation MutationAt(std::size_t op, std::uint64_t i) const;

 private:
  std::uint64_t PlacesOn(const MutationOperator& info, std::size_t rank) const;

  std::deque<MutationSpace> spaces_;
  std::vector<std::size_t> edited_;  // positions of the ranks that are edited
  std::vector<PlannedOperator> operators_;
  std::vector<Chunk> chunks_;
};

// `count` different numbers below `below`, ascending; all, if there are fewer.
// The same for the same seed and name, on any platform.
std::vector<std::uint64_t> Draw(std::uint64_t count, std::uint64_t below,
                                std::uint64_t seed, std::string_view name);

}  // namespace graph_coverage
