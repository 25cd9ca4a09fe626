// SPDX-License-Identifier: Apache-2.0
//
// What rules about events and memory share, each made when first asked for.
#pragma once

#include <optional>
#include <vector>

#include "audit/analysis/event_graph.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// The view and its peers must outlive it.
class Order {
 public:
  Order(const View& view, const std::vector<const View*>& peers)
      : view_(view), peers_(peers) {}

  const EventGraph& events() {
    if (!events_) events_.emplace(view_, peers_);
    return *events_;
  }

 private:
  const View& view_;
  const std::vector<const View*>& peers_;
  std::optional<EventGraph> events_;
};

}  // namespace graph_coverage
