// SPDX-License-Identifier: Apache-2.0
//
// The analyses of one view, each made when a rule first asks for it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "audit/analysis/families.h"
#include "audit/analysis/layer_forms.h"
#include "audit/analysis/layers.h"
#include "audit/analysis/operators.h"
#include "audit/analysis/runs.h"
#include "audit/analysis/type_semantics.h"
#include "audit/analysis/wiring.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

class Order;

// For one thread at a time; the view, its peers and the table must outlive it.
class Analyses {
 public:
  // `peers`: the views of all ranks of the gendir, this one among them; empty
  // where some are missing. `layer_prefixes`: as Families takes them.
  explicit Analyses(const View& view,
                    const SemanticsTable& table = SemanticsTable::BuiltIn(),
                    std::vector<const View*> peers = {},
                    Families::Prefixes layer_prefixes = std::nullopt);
  ~Analyses();

  const Families& families() {
    if (!families_) families_.emplace(view_, layer_prefixes_);
    return *families_;
  }
  const Wiring& wiring() {
    if (!wiring_) wiring_.emplace(view_, runs());
    return *wiring_;
  }
  const Runs& runs() {
    if (!runs_) runs_.emplace(view_);
    return *runs_;
  }
  const Operators& operators() {
    if (!operators_) operators_.emplace(view_, runs(), semantics());
    return *operators_;
  }
  const Layers& layers() {
    if (!layers_) layers_.emplace(view_, families(), runs());
    return *layers_;
  }
  const LayerForms& layer_forms() {
    if (!layer_forms_) {
      layer_forms_.emplace(view_, layers(), runs(), operators(), semantics());
    }
    return *layer_forms_;
  }
  const TypeSemantics& semantics() {
    if (!semantics_) semantics_.emplace(view_, table_);
    return *semantics_;
  }
  // Events and memory: see audit/analysis/order.h.
  Order& order();

 private:
  const View& view_;
  const SemanticsTable& table_;
  const std::vector<const View*> peers_;
  const Families::Prefixes layer_prefixes_;
  std::optional<Families> families_;
  std::optional<Wiring> wiring_;
  std::optional<TypeSemantics> semantics_;
  std::optional<Runs> runs_;
  std::optional<Operators> operators_;
  std::optional<Layers> layers_;
  std::optional<LayerForms> layer_forms_;
  std::unique_ptr<Order> order_;
};

}  // namespace graph_coverage
