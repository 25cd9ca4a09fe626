// SPDX-License-Identifier: Apache-2.0
//
// The analyses of one view, each made when a rule first asks for it.
#pragma once

#include <optional>

#include "audit/analysis/families.h"
#include "audit/analysis/wiring.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// For one thread at a time; the view must outlive it.
class Analyses {
 public:
  explicit Analyses(const View& view) : view_(view) {}

  const Families& families() {
    if (!families_) families_.emplace(view_);
    return *families_;
  }
  const Wiring& wiring() {
    if (!wiring_) wiring_.emplace(view_);
    return *wiring_;
  }

 private:
  const View& view_;
  std::optional<Families> families_;
  std::optional<Wiring> wiring_;
};

}  // namespace graph_coverage
