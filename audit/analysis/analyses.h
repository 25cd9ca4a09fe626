// SPDX-License-Identifier: Apache-2.0
//
// The analyses of one view, each made when a rule first asks for it.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "audit/analysis/event_graph.h"
#include "audit/analysis/families.h"
#include "audit/analysis/wiring.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// For one thread at a time; the view and its peers must outlive it.
class Analyses {
 public:
  // `peers`: the views of all ranks of the gendir, this one among them; empty
  // where some are missing.
  explicit Analyses(const View& view, std::vector<const View*> peers = {})
      : view_(view), peers_(std::move(peers)) {}

  const Families& families() {
    if (!families_) families_.emplace(view_);
    return *families_;
  }
  const Wiring& wiring() {
    if (!wiring_) wiring_.emplace(view_);
    return *wiring_;
  }
  const EventGraph& event_graph() {
    if (!event_graph_) event_graph_.emplace(view_, peers_);
    return *event_graph_;
  }

 private:
  const View& view_;
  const std::vector<const View*> peers_;
  std::optional<Families> families_;
  std::optional<Wiring> wiring_;
  std::optional<EventGraph> event_graph_;
};

}  // namespace graph_coverage
