// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/layer_forms.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace graph_coverage {
namespace {

constexpr std::size_t kLeastFamilies = 3;

// The kinds of roles, first word of a role's key.
enum Role : std::uint32_t { kNull, kWeight, kLocal, kExternal, kUnwritten };

using Key = std::vector<std::uint32_t>;

// Gives the operators of one layer after the other their forms.
class FormMaker {
 public:
  FormMaker(const View& view, const Layers& layers, const Runs& runs,
            const Operators& operators, const TypeSemantics& semantics)
      : view_(view),
        layers_(layers),
        runs_(runs),
        operators_(operators),
        semantics_(semantics),
        section_of_(operators.size()) {}

  void Place(std::uint32_t op, Section section) { section_of_[op] = section; }

  void StartLayer() { externals_.clear(); }

  // With `blind` all results from outside the layer are one.
  FormId FormOf(std::uint32_t op, Section section, bool blind) {
    const Task task = operators_.task(op);
    Key key = {blind, task.type, task.variant, operators_[op].task_count,
               static_cast<std::uint32_t>(task.inputs.size())};
    const SlotSet reads = semantics_.Reads(task);
    for (std::uint32_t i = 0; i < task.inputs.size(); ++i) {
      AddRole(op, section, task.inputs[i], i, reads.input(i), blind, &key);
      key.push_back(
          static_cast<std::uint32_t>(runs_.shape(task.inputs[i].layout)));
    }
    for (const Operand& operand : task.outputs) {
      key.push_back(static_cast<std::uint32_t>(runs_.shape(operand.layout)));
    }
    const auto next = static_cast<std::uint32_t>(forms_.size());
    return FormId(forms_.try_emplace(std::move(key), next).first->second);
  }

 private:
  void AddRole(std::uint32_t op, Section section, const Operand& operand,
               std::uint32_t slot, bool read, bool blind, Key* key) {
    const TensorId tensor = operand.tensor;
    if (view_.IsNull(tensor)) {
      key->push_back(kNull);
      return;
    }
    if (layers_.is_weight(tensor)) {
      const auto own = layers_.of_tensor(tensor);
      const bool here = own && own->axis == section.axis;
      key->push_back(kWeight);
      key->push_back(layers_.family(tensor));
      key->push_back(here ? own->layer - section.layer : 0);
      return;
    }
    if (!read) {
      // What it writes or only waits for: which buffer does not matter.
      key->push_back(kUnwritten);
      return;
    }
    // The last writer: what it is, and which of its slots.
    const auto& sources = operators_[op].sources[slot];
    const std::uint32_t none = op;
    const std::uint32_t writer = sources.empty() ? none : sources.back();
    if (writer != none && section_of_[writer] == section) {
      key->push_back(kLocal);
      AddWriter(writer, tensor, key);
      return;
    }
    key->push_back(kExternal);
    if (blind) return;
    const auto k = static_cast<std::uint32_t>(externals_.size());
    key->push_back(externals_.try_emplace(tensor, k).first->second);
  }

  // A writer by its type and weights, so that a layer's two norms differ.
  void AddWriter(std::uint32_t writer, TensorId tensor, Key* key) const {
    const Task task = operators_.task(writer);
    key->push_back(task.type);
    key->push_back(task.variant);
    for (const Operand& operand : task.inputs) {
      if (layers_.is_weight(operand.tensor)) {
        key->push_back(layers_.family(operand.tensor));
      }
    }
    for (std::uint32_t i = 0; i < task.outputs.size(); ++i) {
      if (task.outputs[i].tensor == tensor) key->push_back(i);
    }
  }

  const View& view_;
  const Layers& layers_;
  const Runs& runs_;
  const Operators& operators_;
  const TypeSemantics& semantics_;
  std::vector<std::optional<Section>> section_of_;  // by operator
  std::map<TensorId, std::uint32_t> externals_;     // of the layer at hand
  std::map<Key, std::uint32_t> forms_;
};

// How many operators one of the two has and the other has not.
std::size_t Distance(std::vector<FormId> a, std::vector<FormId> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<FormId> only;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                std::back_inserter(only));
  return only.size();
}

}  // namespace

LayerForms::LayerForms(const View& view, const Layers& layers, const Runs& runs,
                       const Operators& operators,
                       const TypeSemantics& semantics) {
  // The weights that are declared for each layer.
  std::map<Section, std::set<std::uint32_t>> declared;
  for (std::size_t i = 0; i < view.declaration_count(); ++i) {
    const TensorId tensor = view.declared_tensor(i);
    const auto section = layers.of_tensor(tensor);
    if (section && layers.is_weight(tensor)) {
      declared[*section].insert(layers.family(tensor));
    }
  }
  // An axis whose layers have hardly any is no axis of layers.
  std::map<std::uint32_t, std::vector<std::size_t>> sizes;
  for (const auto& [section, families] : declared) {
    sizes[section.axis].push_back(families.size());
  }
  std::set<std::uint32_t> audited;
  for (auto& [axis, counts] : sizes) {
    std::sort(counts.begin(), counts.end());
    if (counts[counts.size() / 2] >= kLeastFamilies) {
      audited.insert(axis);
    } else {
      left_out_ += counts.size();
    }
  }

  FormMaker maker(view, layers, runs, operators, semantics);
  std::map<Section, std::vector<std::uint32_t>> by_section;
  std::optional<Section> section;
  for (std::uint32_t op = 0; op < operators.size(); ++op) {
    // The end of the last layer may name no layer: it is cut from what follows
    // below.
    const auto named = layers.of_run(operators[op].runs.front());
    if (named) section = named;
    if (!section) continue;
    maker.Place(op, *section);
    if (audited.count(section->axis) > 0) by_section[*section].push_back(op);
  }
  for (const auto& [section, families] : declared) {
    if (audited.count(section.axis) == 0) continue;
    LayerForm form;
    form.section = section;
    form.families.assign(families.begin(), families.end());
    form.operators = by_section[section];
    maker.StartLayer();
    for (const std::uint32_t op : form.operators) {
      form.forms.push_back(maker.FormOf(op, section, false));
      form.blind_forms.push_back(maker.FormOf(op, section, true));
    }
    forms_.push_back(std::move(form));
  }
  Classify();
}

void LayerForms::Classify() {
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, LayerClass>
      by_families;
  for (std::uint32_t i = 0; i < forms_.size(); ++i) {
    const std::uint32_t axis = forms_[i].section.axis;
    LayerClass& layer_class = by_families[{axis, forms_[i].families}];
    layer_class.axis = axis;
    layer_class.layers.push_back(i);
  }
  for (auto& [key, layer_class] : by_families) {
    classes_.push_back(std::move(layer_class));
  }
  std::stable_sort(classes_.begin(), classes_.end(),
                   [](const LayerClass& a, const LayerClass& b) {
                     return a.axis != b.axis
                                ? a.axis < b.axis
                                : a.layers.size() > b.layers.size();
                   });
  for (const LayerClass& layer_class : classes_) CutLast(layer_class);
}

// Cuts what follows the last layer of the axis from its form.
void LayerForms::CutLast(const LayerClass& layer_class) {
  const std::uint32_t last = layer_class.layers.back();
  const bool ends_axis = last + 1 == forms_.size() ||
                         forms_[last + 1].section.axis != layer_class.axis;
  if (!ends_axis || layer_class.layers.size() < 2) return;
  std::set<std::vector<FormId>> peers;
  for (const std::uint32_t layer : layer_class.layers) {
    if (layer != last) peers.insert(forms_[layer].forms);
  }
  LayerForm& form = forms_[last];
  constexpr std::size_t kAround = 3;
  std::size_t best = form.forms.size();
  std::optional<std::size_t> least;
  const auto consider = [&](std::size_t size, const std::vector<FormId>& peer) {
    const std::size_t distance =
        Distance({form.forms.begin(),
                  form.forms.begin() + static_cast<std::ptrdiff_t>(size)},
                 peer);
    if (least && distance >= *least) return;
    least = distance;
    best = size;
  };
  for (const std::vector<FormId>& peer : peers) {
    consider(form.forms.size(), peer);
    const std::size_t from = peer.size() > kAround ? peer.size() - kAround : 0;
    for (std::size_t size = from;
         size <= peer.size() + kAround && size < form.forms.size(); ++size) {
      consider(size, peer);
    }
  }
  form.forms.resize(best);
  form.blind_forms.resize(best);
  form.operators.resize(best);
}

}  // namespace graph_coverage
