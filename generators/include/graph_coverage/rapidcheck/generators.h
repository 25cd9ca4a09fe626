// SPDX-License-Identifier: Apache-2.0
//
// RapidCheck generators of what the project is about:
//
//   CheckProperty([] {
//     const auto healthy = *graph_coverage::HealthyModels();
//     const auto ranks = graph_coverage::ReadRanks(healthy.Make());
//     const graph_coverage::MutationSpace space(ranks.front());
//     const auto drop = *graph_coverage::MutationsOf(space, "drop");
//     …
//   });
//
// All shrink fast: a gendir towards the smallest model in today's format, a
// mutation towards the first place of the rank, a set of dropped edges towards
// one edge. Nothing is rebuilt for that: mutations are positions in one
// immutable rank.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "graph_coverage/gendir.h"
#include "graph_coverage/mutation/mutation.h"
#include "graph_coverage/mutation/mutation_space.h"
#include "graph_coverage/rapidcheck/healthy_model.h"
#include "graph_coverage/synthetic/model.h"
#include "graph_coverage/synthetic/write.h"

namespace graph_coverage {

// A small model and the form it is written in. Every version of the format,
// every file naming, one to four ranks.
inline rc::Gen<HealthyModel> HealthyModels() {
  return rc::gen::map(
      rc::gen::container<std::vector<std::uint32_t>>(
          HealthyModel::kDice, rc::gen::inRange<std::uint32_t>(0, 1u << 16)),
      [](std::vector<std::uint32_t> dice) {
        return HealthyModel(std::move(dice));
      });
}

// Mutations of one operator. Discards the test case where the operator has no
// place to act.
inline rc::Gen<Mutation> MutationsOf(const MutationSpace& space,
                                     const std::string& op) {
  const MutationSites& sites = space.Sites(op);
  if (sites.count() == 0) RC_DISCARD("the rank has no place for " + op);
  return rc::gen::map(
      rc::gen::inRange<std::size_t>(0, sites.count()),
      [space, op](std::size_t i) { return space.Sites(op).at(i); });
}

// Mutations of any operator that `keep` holds for and that has a place to act.
template <typename Keep>
rc::Gen<Mutation> MutationsWhere(const MutationSpace& space, const Keep& keep) {
  std::vector<std::string> ops;
  for (const MutationOperator& row : MutationOperators()) {
    if (keep(row) && space.Sites(row.id).count() > 0) ops.emplace_back(row.id);
  }
  if (ops.empty()) RC_DISCARD("the rank has no place for a mutation");
  return rc::gen::mapcat(
      rc::gen::elementOf(ops),
      [space](const std::string& op) { return MutationsOf(space, op); });
}

// Sets of input operands to drop, at least one: "drop" mutations for
// MutationSpace::DropAll, ascending.
inline rc::Gen<std::vector<Mutation>> DropSets(const MutationSpace& space) {
  const MutationSites& sites = space.Sites("drop");
  if (sites.count() == 0) RC_DISCARD("the rank has no edge to drop");
  return rc::gen::map(
      rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(
          rc::gen::inRange<std::size_t>(0, sites.count()))),
      [space](std::vector<std::size_t> positions) {
        const MutationSites& drops_of = space.Sites("drop");
        std::sort(positions.begin(), positions.end());
        positions.erase(std::unique(positions.begin(), positions.end()),
                        positions.end());
        std::vector<Mutation> drops;
        for (const std::size_t i : positions) drops.push_back(drops_of.at(i));
        return drops;
      });
}

}  // namespace graph_coverage
