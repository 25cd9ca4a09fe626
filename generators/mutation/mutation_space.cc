// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/mutation/mutation_space.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "generators/mutation/operators.h"

namespace graph_coverage {
namespace {

const OperatorRow& RowOf(std::string_view op) {
  for (const OperatorRow& row : AllOperators()) {
    if (row.info.id == op) return row;
  }
  throw std::invalid_argument("there is no mutation operator \"" +
                              std::string(op) + "\"");
}

}  // namespace

MutationSites::MutationSites(const RankIndex& index, std::string_view op,
                             std::vector<Site> sites)
    : index_(&index), op_(RowOf(op).info.id), sites_(std::move(sites)) {
  ends_.reserve(sites_.size());
  for (const Site& site : sites_) ends_.push_back(count() + site.count);
}

Mutation MutationSites::at(std::size_t i) const {
  const auto site = static_cast<std::size_t>(
      std::upper_bound(ends_.begin(), ends_.end(), i) - ends_.begin());
  const std::size_t k = i - (site == 0 ? 0 : ends_[site - 1]);
  Mutation mutation;
  mutation.op = op_;
  mutation.rank = index_->rank().id();
  RowOf(op_).fill(*index_, sites_[site], static_cast<std::uint32_t>(k),
                  mutation);
  return mutation;
}

MutationSpace::MutationSpace(const Rank& rank)
    : index_(std::make_unique<const RankIndex>(rank)) {}

MutationSpace::~MutationSpace() = default;

const Rank& MutationSpace::rank() const { return index_->rank(); }

const MutationSites& MutationSpace::Sites(std::string_view op) const {
  const std::lock_guard lock(mutex_);
  auto at = sites_.find(op);
  if (at == sites_.end()) {
    MutationSites sites(*index_, op, RowOf(op).sites(*index_));
    at = sites_.emplace(op, std::move(sites)).first;
  }
  return at->second;
}

Overlay MutationSpace::Apply(const Mutation& mutation) const {
  Overlay overlay;
  const OperatorRow& row = RowOf(mutation.op);
  if (mutation.rank && *mutation.rank != rank().id()) return overlay;
  // Another rank may lack what a mutation of all ranks names.
  if (!mutation.rank && !index_->view().FindTensor(mutation.subject)) {
    return overlay;
  }
  row.apply(*index_, mutation, overlay);
  return overlay;
}

Overlay MutationSpace::DropAll(const std::vector<Mutation>& drops) const {
  // From the last slot to the first, so that those before stay in place.
  std::set<std::pair<std::uint32_t, std::uint32_t>, std::greater<>> places;
  for (const Mutation& drop : drops) {
    if (drop.op != "drop") Refuse(drop, "expected a drop");
    SlotOf(*index_, drop, false);
    places.emplace(*drop.task, *drop.in);
  }
  Overlay overlay;
  for (const auto& [task, slot] : places) {
    std::vector<Operand>& inputs = EditTask(*index_, task, overlay).inputs;
    inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(slot));
  }
  return overlay;
}

}  // namespace graph_coverage
