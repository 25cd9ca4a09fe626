// SPDX-License-Identifier: Apache-2.0
//
// The analyses of one view, each made when a rule first asks for it.
#pragma once

#include <optional>

#include "audit/analysis/families.h"
#include "audit/analysis/type_semantics.h"
#include "audit/analysis/wiring.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// For one thread at a time; the view and the table must outlive it.
class Analyses {
 public:
  explicit Analyses(const View& view,
                    const SemanticsTable& table = SemanticsTable::BuiltIn())
      : view_(view), table_(table) {}

  const Families& families() {
    if (!families_) families_.emplace(view_);
    return *families_;
  }
  const Wiring& wiring() {
    if (!wiring_) wiring_.emplace(view_);
    return *wiring_;
  }
  const TypeSemantics& semantics() {
    if (!semantics_) semantics_.emplace(view_, table_);
    return *semantics_;
  }

 private:
  const View& view_;
  const SemanticsTable& table_;
  std::optional<Families> families_;
  std::optional<Wiring> wiring_;
  std::optional<TypeSemantics> semantics_;
};

}  // namespace graph_coverage
