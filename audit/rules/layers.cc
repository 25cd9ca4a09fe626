// SPDX-License-Identifier: Apache-2.0
//
// Rules about layers: layer-gap, layer-kind.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "audit/rules/shared_operators.h"
#include "audit/rules/sibling_rules.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

// Layers that differ from their peers, and how.
struct Deviation {
  std::vector<std::uint32_t> layers;  // numbers
  bool rare = false;                  // too few to be a kind of their own
  Finding finding;
};

// The kind of layers that the policy says the layer is of: its position, or one
// past the last.
std::size_t KindOf(const RankContext& rank, Section section) {
  const std::string_view prefix = rank.analyses.layers().axes()[section.axis];
  const auto& kinds = rank.policy.layer_kinds;
  const auto at =
      std::find_if(kinds.begin(), kinds.end(), [&](const LayerKind& kind) {
        return (kind.prefix.empty() || kind.prefix == prefix) &&
               std::find(kind.layers.begin(), kind.layers.end(),
                         section.layer) != kind.layers.end();
      });
  return static_cast<std::size_t>(at - kinds.begin());
}

// Layers of one class and of one kind: they should have one form.
struct Peers {
  std::size_t kind = 0;
  LayerClass layers;
};

// Whether so few of `of` layers are an accident and no kind.
bool IsRare(std::size_t layers, std::size_t of) {
  return layers < 2 || 8 * layers < of;
}

class LayerComparison {
 public:
  explicit LayerComparison(const RankContext& rank)
      : rank_(rank), forms_(rank.analyses.layer_forms()) {
    for (const LayerClass& layer_class : forms_.classes()) {
      std::map<std::size_t, std::vector<std::uint32_t>> by_kind;
      for (const std::uint32_t layer : layer_class.layers) {
        by_kind[KindOf(rank, forms_.all()[layer].section)].push_back(layer);
      }
      for (auto& [kind, layers] : by_kind) {
        peers_.push_back({kind, {layer_class.axis, std::move(layers)}});
      }
    }
  }

  std::vector<Deviation> Run() {
    CompareDeclared();
    for (const Peers& peers : peers_) CompareForms(peers.layers);
    return std::move(deviations_);
  }

 private:
  std::vector<std::uint32_t> Numbers(
      const std::vector<std::uint32_t>& layers) const {
    std::vector<std::uint32_t> numbers;
    for (const std::uint32_t layer : layers) {
      numbers.push_back(forms_.all()[layer].section.layer);
    }
    return numbers;
  }

  std::size_t LayersOfKind(std::size_t kind, std::uint32_t axis) const {
    std::size_t count = 0;
    for (const Peers& peers : peers_) {
      if (peers.kind == kind && peers.layers.axis == axis) {
        count += peers.layers.layers.size();
      }
    }
    return count;
  }

  // The name of a family, from any of its members.
  std::string FamilyText(std::uint32_t family) const {
    const Layers& layers = rank_.analyses.layers();
    for (std::size_t i = 0; i < rank_.view.declaration_count(); ++i) {
      const TensorId tensor = rank_.view.declared_tensor(i);
      if (layers.family(tensor) == family) {
        return rank_.analyses.families().of(tensor).family;
      }
    }
    return "";
  }

  // A class of few layers that lacks, or adds, few of a larger class's weights.
  void CompareDeclared() {
    for (const auto& [kind, small] : peers_) {
      for (const auto& [large_kind, large] : peers_) {
        if (large_kind != kind || large.axis != small.axis ||
            large.layers.size() <= small.layers.size() ||
            large.layers.size() < 2) {
          continue;
        }
        const auto& have = forms_.all()[small.layers.front()].families;
        const auto& want = forms_.all()[large.layers.front()].families;
        std::vector<std::uint32_t> lacks;
        std::vector<std::uint32_t> adds;
        std::set_difference(want.begin(), want.end(), have.begin(), have.end(),
                            std::back_inserter(lacks));
        std::set_difference(have.begin(), have.end(), want.begin(), want.end(),
                            std::back_inserter(adds));
        const std::size_t differ = lacks.size() + adds.size();
        if (differ > std::max<std::size_t>(2, want.size() / 5)) continue;
        Deviation& deviation = deviations_.emplace_back();
        deviation.layers = Numbers(small.layers);
        deviation.rare =
            IsRare(small.layers.size(), LayersOfKind(kind, small.axis));
        deviation.finding.found = DeclaredText(lacks, adds);
        deviation.finding.expected = "the weights of its peers";
        deviation.finding.siblings = Sentence(
            fmt::format("{} have the same {} families of weights",
                        LayersText(Numbers(large.layers)), want.size()));
        deviation.finding.advice =
            "Attach the layer's weights, or confirm in the policy that it has "
            "others";
        break;
      }
    }
  }

  std::string DeclaredText(const std::vector<std::uint32_t>& lacks,
                           const std::vector<std::uint32_t>& adds) const {
    const auto list = [this](const std::vector<std::uint32_t>& families) {
      std::vector<std::string> names;
      for (const std::uint32_t f : families) names.push_back(FamilyText(f));
      return fmt::format("{}", fmt::join(names, ", "));
    };
    std::string text = "The layer";
    if (!lacks.empty()) text += fmt::format(" has no {}", list(lacks));
    if (!adds.empty()) {
      text += fmt::format("{} has {}, too", lacks.empty() ? "" : " and",
                          list(adds));
    }
    return text;
  }

  void CompareForms(const LayerClass& layer_class) {
    std::map<std::vector<FormId>, std::vector<std::uint32_t>> by_form;
    for (const std::uint32_t layer : layer_class.layers) {
      by_form[forms_.all()[layer].forms].push_back(layer);
    }
    if (by_form.size() < 2) return;
    const auto usual = std::max_element(
        by_form.begin(), by_form.end(), [](const auto& a, const auto& b) {
          return a.second.size() < b.second.size();
        });
    if (usual->second.size() < 2) return;  // no peers agree
    for (const auto& [form, layers] : by_form) {
      if (&form == &usual->first) continue;
      Deviation& deviation = deviations_.emplace_back();
      deviation.layers = Numbers(layers);
      // Of two forms with equal support neither is the slip.
      deviation.rare = layers.size() < usual->second.size() &&
                       IsRare(layers.size(), layer_class.layers.size());
      Describe(forms_.all()[layers.front()], usual->second, &deviation.finding);
    }
  }

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

  // Says how the odd layer differs at the first operator that does.
  void Describe(const LayerForm& odd, const std::vector<std::uint32_t>& peers,
                Finding* finding) {
    const LayerForm& peer = LikestPeer(odd, peers);
    const std::size_t at = FirstDifference(odd, peer);
    const Operators& operators = rank_.analyses.operators();
    const std::string who = Sentence(LayersText(Numbers(peers)));
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
                    Sentence(LayersText(Numbers(alike))), finding);
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
  std::vector<Peers> peers_;
  std::vector<Deviation> deviations_;
};

void JudgeLayers(const RankContext& rank, bool rare, Judgement& judgement) {
  const LayerForms& forms = rank.analyses.layer_forms();
  judgement.Judged(forms.all().size());
  if (forms.layers_left_out() > 0) {
    judgement.CouldNotJudge("the layers have too few weights to compare",
                            forms.layers_left_out());
  }
  for (const LayerClass& layer_class : forms.classes()) {
    if (layer_class.layers.size() < 3) {
      judgement.CouldNotJudge("too few layers with the same weights",
                              layer_class.layers.size());
    }
  }
  for (Deviation& deviation : LayerComparison(rank).Run()) {
    if (deviation.rare != rare) continue;
    Finding& finding = judgement.Add();
    const Severity severity = finding.severity;
    finding = std::move(deviation.finding);
    finding.severity = severity;
    finding.layers = std::move(deviation.layers);
    finding.count = finding.layers.size();
  }
}

}  // namespace

bool DiffersFromOthers(const RankContext& rank, std::size_t kind) {
  const LayerForms& forms = rank.analyses.layer_forms();
  return std::any_of(
      forms.all().begin(), forms.all().end(), [&](const LayerForm& inside) {
        return KindOf(rank, inside.section) == kind &&
               std::none_of(forms.all().begin(), forms.all().end(),
                            [&](const LayerForm& other) {
                              return KindOf(rank, other.section) != kind &&
                                     other.section.axis ==
                                         inside.section.axis &&
                                     other.families == inside.families &&
                                     other.forms == inside.forms;
                            });
      });
}

void JudgeLayerGap(const RankContext& rank, Judgement& judgement) {
  JudgeLayers(rank, true, judgement);
  for (Finding& odd : OddSharedOperators(rank)) {
    Finding& finding = judgement.Add();
    const Severity severity = finding.severity;
    finding = std::move(odd);
    finding.severity = severity;
  }
}

void JudgeLayerKind(const RankContext& rank, Judgement& judgement) {
  JudgeLayers(rank, false, judgement);
}

}  // namespace graph_coverage
