// SPDX-License-Identifier: Apache-2.0
//
// Operators that put another tensor of the same shape in a tensor's place.
#include <algorithm>
#include <set>

#include "generators/mutation/operators.h"

namespace graph_coverage {
namespace {

// The k-th other tensor with the layout.
TensorId Other(const RankIndex& index, const Operand& operand,
               std::uint32_t k) {
  const std::vector<TensorId>& like = index.tensors_of(operand.layout);
  const auto own = static_cast<std::size_t>(
      std::find(like.begin(), like.end(), operand.tensor) - like.begin());
  return like[(own + 1 + k) % like.size()];
}

std::uint32_t Others(const RankIndex& index, const Operand& operand) {
  return static_cast<std::uint32_t>(index.tensors_of(operand.layout).size() -
                                    1);
}

Operand InputAt(const RankIndex& index, const Site& site) {
  return index.view().task(TaskId(site.a)).inputs[site.b];
}

std::vector<Site> RewireSites(const RankIndex& index) {
  std::vector<Site> sites;
  for (Site site : OperandSites(index, false)) {
    site.count = Others(index, InputAt(index, site));
    if (site.count > 0) sites.push_back(site);
  }
  return sites;
}

std::vector<Site> RewireOperatorSites(const RankIndex& index) {
  std::vector<Site> sites;
  for (const Site& site : RewireSites(index)) {
    const TaskRun run = index.run_of(site.a);
    if (run.begin == site.a && run.end - run.begin > 1) sites.push_back(site);
  }
  return sites;
}

// The first slot in which each tensor is read: all others follow.
std::vector<Site> RewireLayersSites(const RankIndex& index) {
  std::vector<Site> sites;
  std::set<std::string> families;
  for (const Site& site : RewireSites(index)) {
    const TensorId tensor = InputAt(index, site).tensor;
    if (families.insert(index.families().of(tensor).family).second) {
      sites.push_back(site);
    }
  }
  return sites;
}

void FillRewire(const RankIndex& index, const Site& site, std::uint32_t k,
                Mutation& mutation) {
  FillInput(index, site, k, mutation);
  mutation.to = index.view().tensor_name(Other(index, InputAt(index, site), k));
}

void FillRewireLayers(const RankIndex& index, const Site& site, std::uint32_t k,
                      Mutation& mutation) {
  FillRewire(index, site, k, mutation);
  mutation.task.reset();
  mutation.in.reset();
}

void Rewire(const RankIndex& index, const Mutation& mutation,
            Overlay& overlay) {
  const std::size_t slot = SlotOf(index, mutation, false);
  EditTask(index, *mutation.task, overlay).inputs[slot].tensor =
      TensorOf(index, mutation, mutation.to);
}

void RewireOperator(const RankIndex& index, const Mutation& mutation,
                    Overlay& overlay) {
  const std::size_t slot = SlotOf(index, mutation, false);
  const TensorId from = TensorOf(index, mutation, mutation.subject);
  const TensorId to = TensorOf(index, mutation, mutation.to);
  const TaskRun run = index.run_of(*mutation.task);
  for (std::uint32_t task = run.begin; task < run.end; ++task) {
    const Span<Operand> inputs = index.view().task(TaskId(task)).inputs;
    if (slot >= inputs.size() || inputs[slot].tensor != from) continue;
    EditTask(index, task, overlay).inputs[slot].tensor = to;
  }
}

// Every reader of the tensor, and in other layers of its family's members: of
// the other family's member, as far as that layer has one.
void RewireLayers(const RankIndex& index, const Mutation& mutation,
                  Overlay& overlay) {
  const View& view = index.view();
  const FamilyName from =
      index.families().of(TensorOf(index, mutation, mutation.subject));
  const TensorId to = TensorOf(index, mutation, mutation.to);
  const FamilyName to_family = index.families().of(to);
  for (std::size_t i = 0; i < view.tensor_count(); ++i) {
    const TensorId tensor = TensorId(i);
    const FamilyName& own = index.families().of(tensor);
    if (own.family != from.family) continue;
    std::optional<TensorId> target = to;
    if (own.layer && to_family.layer && own.layer != from.layer) {
      // The same step between layers as from the subject.
      const std::int64_t layer = std::int64_t{*own.layer} +
                                 std::int64_t{*to_family.layer} -
                                 std::int64_t{*from.layer};
      target =
          layer < 0
              ? std::nullopt
              : view.FindTensor(FamilyPattern(
                    to_family.family, {static_cast<std::uint32_t>(layer)}));
    }
    if (!target) continue;
    for (const Reference& reference : view.references(tensor)) {
      if (reference.output) continue;
      EditTask(index, static_cast<std::uint32_t>(Index(reference.task)),
               overlay)
          .inputs[reference.slot]
          .tensor = *target;
    }
  }
}

}  // namespace

std::vector<OperatorRow> RewiringOperators() {
  constexpr Edits kEdits = Edits::kOperands;
  return {
      {{"rewire", "read another tensor of the same shape in one task", kEdits,
        "wrong wiring"},
       RewireSites,
       FillRewire,
       Rewire},
      {{"rewire-operator",
        "read another tensor of the same shape in a whole operator", kEdits,
        "wrong wiring", EditExtent::kOperator},
       RewireOperatorSites,
       FillRewire,
       RewireOperator},
      {{"rewire-layers",
        "read another family of tensors of the same shape in all layers",
        kEdits, "wrong wiring", EditExtent::kModel},
       RewireLayersSites,
       FillRewireLayers,
       RewireLayers},
  };
}

}  // namespace graph_coverage
