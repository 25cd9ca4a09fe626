// SPDX-License-Identifier: Apache-2.0
//
// What rules about events and memory share, each made when first asked for.
#pragma once

#include <optional>
#include <vector>

#include "audit/analysis/accesses.h"
#include "audit/analysis/analyses.h"
#include "audit/analysis/event_graph.h"
#include "audit/analysis/event_protocol.h"
#include "audit/analysis/happens_before.h"
#include "audit/analysis/leaves.h"
#include "audit/analysis/memory.h"
#include "audit/analysis/memory_walk.h"
#include "audit/analysis/order_groups.h"
#include "audit/analysis/race_roots.h"
#include "audit/analysis/tile_faults.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// The view, its peers and the other analyses must outlive it.
class Order {
 public:
  Order(const View& view, const std::vector<const View*>& peers,
        Analyses& analyses)
      : view_(view), peers_(peers), analyses_(analyses) {}

  const EventGraph& events() {
    if (!events_) events_.emplace(view_, peers_);
    return *events_;
  }
  const std::vector<LeafOperator>& leaves() {
    if (!leaves_) {
      leaves_ = LeafOperators(view_, events(), analyses_.families(),
                              analyses_.semantics());
    }
    return *leaves_;
  }
  // The protocol's outcome with the counts as they are.
  const ProtocolOutcome& protocol() {
    if (!protocol_)
      protocol_ = RunProtocol(view_, events(), events().demands());
    return *protocol_;
  }
  const HappensBefore& before() {
    if (!before_) before_.emplace(events());
    return *before_;
  }
  const OrderGroups& groups() {
    if (!groups_) {
      groups_.emplace(view_, analyses_.runs(), events(), before(),
                      analyses_.families());
    }
    return *groups_;
  }
  const Accesses& accesses() {
    if (!accesses_)
      accesses_.emplace(view_, analyses_.runs(), analyses_.semantics());
    return *accesses_;
  }
  const TileFaults& tile_faults() {
    if (!tile_faults_) tile_faults_.emplace(view_, analyses_.runs());
    return *tile_faults_;
  }
  const Memory& memory() {
    if (!memory_) memory_.emplace(view_, accesses());
    return *memory_;
  }
  const WalkOutcome& walk() {
    if (!walk_) {
      walk_ = Walk(view_, accesses(), memory(), groups(), events(), before());
    }
    return *walk_;
  }
  // The walk over some tensors of the graph as mended.
  WalkOutcome WalkWith(const Mend& mend, const std::vector<bool>& only) {
    const HappensBefore mended(events(), mend);
    // With edges added, tasks of one group stay side by side for the walk.
    if (mend.counts.empty()) {
      return Walk(view_, accesses(), memory(), groups(), events(), mended,
                  &only);
    }
    const OrderGroups regrouped(view_, analyses_.runs(), events(), mended,
                                analyses_.families());
    return Walk(view_, accesses(), memory(), regrouped, events(), mended,
                &only);
  }
  const RaceRoots& race_roots() {
    if (!race_roots_) race_roots_ = PartRaces(view_, *this);
    return *race_roots_;
  }

 private:
  const View& view_;
  const std::vector<const View*>& peers_;
  Analyses& analyses_;
  std::optional<EventGraph> events_;
  std::optional<std::vector<LeafOperator>> leaves_;
  std::optional<ProtocolOutcome> protocol_;
  std::optional<HappensBefore> before_;
  std::optional<OrderGroups> groups_;
  std::optional<Accesses> accesses_;
  std::optional<TileFaults> tile_faults_;
  std::optional<Memory> memory_;
  std::optional<WalkOutcome> walk_;
  std::optional<RaceRoots> race_roots_;
};

}  // namespace graph_coverage
