// SPDX-License-Identifier: Apache-2.0
//
// Rules about layers: layer-gap, layer-kind.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "audit/rules/layer_difference.h"
#include "audit/rules/layer_kinds.h"
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
        deviation.layers = LayerNumbers(forms_, small.layers);
        deviation.rare =
            IsRare(small.layers.size(), LayersOfKind(kind, small.axis));
        deviation.finding.found = DeclaredText(lacks, adds);
        deviation.finding.expected = "the weights of its peers";
        deviation.finding.siblings = Sentence(fmt::format(
            "{} have the same {} families of weights",
            LayersText(LayerNumbers(forms_, large.layers)), want.size()));
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
      deviation.layers = LayerNumbers(forms_, layers);
      // Of two forms with equal support neither is the slip.
      deviation.rare = layers.size() < usual->second.size() &&
                       IsRare(layers.size(), layer_class.layers.size());
      DescribeDifference(rank_, forms_.all()[layers.front()], usual->second,
                         &deviation.finding);
    }
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
