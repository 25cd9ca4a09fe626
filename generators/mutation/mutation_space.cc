// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/mutation/mutation_space.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
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

struct MutationSpace::State {
  explicit State(const Rank& rank) : index(rank) {}

  const RankIndex index;
  std::mutex mutex;  // of sites
  std::map<std::string, MutationSites, std::less<>> sites;
};

MutationSpace::MutationSpace(const Rank& rank)
    : state_(std::make_shared<State>(rank)) {}

const Rank& MutationSpace::rank() const { return state_->index.rank(); }

const MutationSites& MutationSpace::Sites(std::string_view op) const {
  const std::lock_guard lock(state_->mutex);
  auto at = state_->sites.find(op);
  if (at == state_->sites.end()) {
    MutationSites sites(state_->index, op, RowOf(op).sites(state_->index));
    at = state_->sites.emplace(op, std::move(sites)).first;
  }
  return at->second;
}

Overlay MutationSpace::Apply(const Mutation& mutation) const {
  Overlay overlay;
  const OperatorRow& row = RowOf(mutation.op);
  if (mutation.rank && *mutation.rank != rank().id()) return overlay;
  // Another rank may lack what a mutation of all ranks names.
  if (!mutation.rank && !state_->index.view().FindTensor(mutation.subject)) {
    return overlay;
  }
  row.apply(state_->index, mutation, overlay);
  return overlay;
}

Overlay MutationSpace::DropAll(const std::vector<Mutation>& drops) const {
  // From the last slot to the first, so that those before stay in place.
  std::set<std::pair<std::uint32_t, std::uint32_t>, std::greater<>> places;
  for (const Mutation& drop : drops) {
    if (drop.op != "drop") Refuse(drop, "expected a drop");
    SlotOf(state_->index, drop, false);
    places.emplace(*drop.task, *drop.in);
  }
  Overlay overlay;
  for (const auto& [task, slot] : places) {
    std::vector<Operand>& inputs =
        EditTask(state_->index, task, overlay).inputs;
    inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(slot));
  }
  return overlay;
}

}  // namespace graph_coverage
