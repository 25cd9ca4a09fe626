// SPDX-License-Identifier: Apache-2.0
//
// All mutations of a rank: how many an operator has, the i-th of them, and
// what a mutation changes.
//
//   const MutationSpace space(rank);
//   const MutationSites& drops = space.Sites("drop");
//   const Overlay overlay = space.Apply(drops.at(i));
//   const Report report = AuditViews("mutant", {View(rank, overlay)});
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/model/overlay.h"
#include "graph_coverage/model/rank.h"
#include "graph_coverage/mutation/mutation.h"

namespace graph_coverage {

class RankIndex;

// Where one operator can act, in the order of the artifacts. Valid as long as
// the space it comes from.
class MutationSites {
 public:
  // A place, in numbers of the operator's own, with `count` mutations.
  struct Site {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t count = 1;
  };
  MutationSites(const RankIndex& index, std::string_view op,
                std::vector<Site> sites);

  std::size_t count() const { return ends_.empty() ? 0 : ends_.back(); }
  // The i-th mutation. Precondition: i < count().
  Mutation at(std::size_t i) const;

 private:
  const RankIndex* index_;
  std::string_view op_;
  std::vector<Site> sites_;
  std::vector<std::size_t> ends_;  // mutations up to each site's last
};

// Copies are cheap and share what they hold, the rank included.
class MutationSpace {
 public:
  explicit MutationSpace(const Rank& rank);

  const Rank& rank() const;

  // Worked out once; from any thread. Throws std::invalid_argument where the
  // table has no such operator.
  const MutationSites& Sites(std::string_view op) const;

  // What the mutation changes of this rank; nothing if it is another rank's.
  // Throws std::invalid_argument where the rank has no such place.
  Overlay Apply(const Mutation& mutation) const;
  // Several mutations of one rank that drop different input operands.
  Overlay DropAll(const std::vector<Mutation>& drops) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace graph_coverage
