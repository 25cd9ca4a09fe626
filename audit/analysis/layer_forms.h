// SPDX-License-Identifier: Apache-2.0
//
// The canonical form of each layer: its operators, each operand by its role
// instead of its name. Layers that compute the same have the same form.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "audit/analysis/layers.h"
#include "audit/analysis/operators.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// What an operator is to its layer. Equal forms have equal ids.
enum class FormId : std::uint32_t {};

struct LayerForm {
  Section section;
  // Its operators (positions in Operators), in the order of their first tasks,
  // with the form of each. Of the last layer of an axis, what follows the
  // layer is left out.
  std::vector<std::uint32_t> operators;
  std::vector<FormId> forms;
  // Their forms if what comes from outside the layer were all one.
  std::vector<FormId> blind_forms;
  // The families of weights that are declared for the layer, ascending.
  std::vector<std::uint32_t> families;
};

// The layers of one axis that have the same families of weights.
struct LayerClass {
  std::uint32_t axis = 0;
  std::vector<std::uint32_t> layers;  // positions in LayerForms::all()
};

class LayerForms {
 public:
  LayerForms(const View& view, const Layers& layers, const Runs& runs,
             const Operators& operators, const TypeSemantics& semantics);

  // The layers of the axes that are audited: those with a median of 3 or more
  // families of weights a layer. By axis, then number.
  const std::vector<LayerForm>& all() const { return forms_; }
  // The largest first within an axis.
  const std::vector<LayerClass>& classes() const { return classes_; }
  // Axes with layers that are not audited, and how many layers they have.
  std::size_t layers_left_out() const { return left_out_; }

 private:
  void Classify();
  void CutLast(const LayerClass& layer_class);

  std::vector<LayerForm> forms_;
  std::vector<LayerClass> classes_;
  std::size_t left_out_ = 0;
};

}  // namespace graph_coverage
