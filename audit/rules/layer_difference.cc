// SPDX-License-Identifier: Apache-2.0
#include "audit/rules/layer_difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>

#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

class LayerDifference {
 public:
  explicit LayerDifference(const RankContext& rank)
      : rank_(rank), forms_(rank.analyses.layer_forms()) {}

  void Describe(const LayerForm& odd, const std::vector<std::uint32_t>& peers,
                Finding* finding) const {
    const LayerForm& peer = LikestPeer(odd, peers);
    const std::size_t at = FirstDifference(odd, peer);
    const Operators& operators = rank_.analyses.operators();
    const std::string who = Sentence(LayersText(LayerNumbers(forms_, peers)));
    const auto type_at = [&](const LayerForm& form) {
      const Task task = operators.task(form.operators[at]);
      return rank_.view.TypeName(task.type);
    };
    finding->advice =
        "Wire the layer as its peers, or confirm in the policy that it is of "
        "another kind";
    if (at < odd.operators.size()) {
      const std::uint32_t op = odd.operators[at];
      const Task task = operators.task(op);
      finding->task_type = rank_.view.TypeName(task.type);
      finding->tasks = operators.tasks(op);
      for (const Branch* branch :
           rank_.view.BranchesOf(task.type, task.variant)) {
        finding->places.push_back(
            {rank_.view.source_file(), branch->line, 0, 0});
      }
    }
    const bool both = at < odd.operators.size() && at < peer.operators.size();
    if (both && type_at(odd) == type_at(peer)) {
      std::vector<std::uint32_t> alike;
      for (const std::uint32_t layer : peers) {
        const LayerForm& form = forms_.all()[layer];
        if (Inputs(form.operators[at]) == Inputs(peer.operators[at])) {
          alike.push_back(layer);
        }
      }
      DescribeSlots(odd.operators[at], peer.operators[at],
                    Sentence(LayersText(LayerNumbers(forms_, alike))), finding);
      return;
    }
    finding->expected = at < peer.operators.size()
                            ? fmt::format("{} with {}", type_at(peer),
                                          InputsText(peer.operators[at]))
                            : "the end of the layer";
    finding->found = at < odd.operators.size()
                         ? fmt::format("with {} is operator {} of the layer",
                                       InputsText(odd.operators[at]), at)
                         : fmt::format("The layer ends after operator {}", at);
    finding->siblings =
        fmt::format("{} have {} operators, this one {}", who,
                    peer.operators.size(), odd.operators.size());
  }

 private:
  // The families that an operator of a layer reads, slot by slot.
  std::vector<std::string> Inputs(std::uint32_t op) const {
    std::vector<std::string> names;
    for (const Operand& operand : rank_.analyses.operators().task(op).inputs) {
      names.push_back(FamilyIn(operand));
    }
    return names;
  }

  std::size_t DifferentInputs(const LayerForm& a, const LayerForm& b) const {
    std::size_t count = 0;
    const std::size_t size = std::min(a.operators.size(), b.operators.size());
    for (std::size_t i = 0; i < size; ++i) {
      count += Inputs(a.operators[i]) != Inputs(b.operators[i]);
    }
    return count;
  }

  // The peer that the odd layer is likest to in names too: the first layer
  // reads the embedding, and buffers may alternate. Of several the nearest.
  const LayerForm& LikestPeer(const LayerForm& odd,
                              const std::vector<std::uint32_t>& peers) const {
    const auto unlikeness = [this, &odd](std::uint32_t peer) {
      const LayerForm& form = forms_.all()[peer];
      const auto away = static_cast<std::int64_t>(form.section.layer) -
                        static_cast<std::int64_t>(odd.section.layer);
      return std::make_tuple(DifferentInputs(odd, form), std::abs(away), -away);
    };
    return forms_.all()[*std::min_element(
        peers.begin(), peers.end(), [&](std::uint32_t a, std::uint32_t b) {
          return unlikeness(a) < unlikeness(b);
        })];
  }

  // The operator at which to say that a layer differs: the first one of another
  // form. Forms tell what comes from outside the layer only from each other:
  // where one operator is given another tensor, the next one that has the right
  // one looks odd. Then blame the first that reads another than its peer.
  std::size_t FirstDifference(const LayerForm& odd,
                              const LayerForm& peer) const {
    const std::size_t size = std::min(odd.forms.size(), peer.forms.size());
    std::size_t at = 0;
    while (at < size && odd.forms[at] == peer.forms[at]) ++at;
    if (at == size || odd.blind_forms[at] != peer.blind_forms[at]) return at;
    for (std::size_t i = 0; i < at; ++i) {
      if (Inputs(odd.operators[i]) != Inputs(peer.operators[i])) return i;
    }
    return at;
  }

  std::string FamilyIn(const Operand& operand) const {
    if (rank_.view.IsNull(operand.tensor)) return "\"nullptr\"";
    return rank_.analyses.families().of(operand.tensor).family;
  }

  std::string InputsText(std::uint32_t op) const {
    return fmt::format("{}", fmt::join(Inputs(op), ", "));
  }

  // The type that wrote what an operator reads.
  std::string SourceOf(std::uint32_t op, std::uint32_t slot) const {
    const Operators& operators = rank_.analyses.operators();
    const auto& sources = operators[op].sources[slot];
    if (sources.empty()) return "nobody";
    return rank_.view.TypeName(operators.task(sources.back()).type);
  }

  void DescribeSlots(std::uint32_t odd, std::uint32_t peer,
                     const std::string& who, Finding* finding) const {
    const Operators& operators = rank_.analyses.operators();
    const Task a = operators.task(odd);
    const Task b = operators.task(peer);
    const auto here = rank_.analyses.layers().of_run(operators[odd].runs[0]);
    const auto there = rank_.analyses.layers().of_run(operators[peer].runs[0]);
    std::vector<std::string> found;
    std::vector<std::string> expected;
    for (std::uint32_t i = 0; i < std::max(a.inputs.size(), b.inputs.size());
         ++i) {
      const std::string x =
          i < a.inputs.size() ? FamilyIn(a.inputs[i]) : "nothing";
      const std::string y =
          i < b.inputs.size() ? FamilyIn(b.inputs[i]) : "nothing";
      if (x == y) continue;
      found.push_back(fmt::format("in{} = {}", i, x));
      expected.push_back(fmt::format("in{} = {}", i, y));
    }
    if (found.empty()) {  // the same tensors, in another state
      for (std::uint32_t i = 0; i < std::min(a.inputs.size(), b.inputs.size());
           ++i) {
        const std::string x = SourceOf(odd, i);
        const std::string y = SourceOf(peer, i);
        if (x == y) continue;
        found.push_back(fmt::format("in{} = {} as written by {}", i,
                                    FamilyIn(a.inputs[i]), x));
        expected.push_back(fmt::format("in{} as written by {}", i, y));
      }
    }
    if (found.empty()) {  // the same weights, of another layer
      const Layers& layers = rank_.analyses.layers();
      for (std::uint32_t i = 0; i < std::min(a.inputs.size(), b.inputs.size());
           ++i) {
        if (layers.of_tensor(a.inputs[i].tensor) == here ||
            layers.of_tensor(b.inputs[i].tensor) != there) {
          continue;
        }
        found.push_back(fmt::format(
            "in{} = {}", i, rank_.view.tensor_name(a.inputs[i].tensor)));
        expected.push_back(fmt::format("in{} of the task's own layer", i));
      }
    }
    if (found.empty()) {
      found.push_back(fmt::format("{} tasks", operators[odd].task_count));
      expected.push_back(fmt::format("{} tasks", operators[peer].task_count));
    }
    finding->found = fmt::format("has {}", fmt::join(found, ", "));
    finding->expected = fmt::format("{}", fmt::join(expected, ", "));
    finding->siblings = fmt::format("{}: {}", who, fmt::join(expected, ", "));
  }

  const RankContext& rank_;
  const LayerForms& forms_;
};

}  // namespace

std::vector<std::uint32_t> LayerNumbers(
    const LayerForms& forms, const std::vector<std::uint32_t>& layers) {
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t layer : layers) {
    numbers.push_back(forms.all()[layer].section.layer);
  }
  return numbers;
}

void DescribeDifference(const RankContext& rank, const LayerForm& odd,
                        const std::vector<std::uint32_t>& peers,
                        Finding* finding) {
  LayerDifference(rank).Describe(odd, peers, finding);
}

}  // namespace graph_coverage
