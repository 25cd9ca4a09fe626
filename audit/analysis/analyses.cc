// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/analyses.h"

#include <utility>

#include "audit/analysis/order.h"

namespace graph_coverage {

Analyses::Analyses(const View& view, const SemanticsTable& table,
                   std::vector<const View*> peers,
                   Families::Prefixes layer_prefixes)
    : view_(view),
      table_(table),
      peers_(std::move(peers)),
      layer_prefixes_(std::move(layer_prefixes)) {}

Analyses::~Analyses() = default;

Order& Analyses::order() {
  if (!order_) order_ = std::make_unique<Order>(view_, peers_, *this);
  return *order_;
}

}  // namespace graph_coverage
