// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/event_closure.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <vector>

namespace graph_coverage {
namespace {

// Cycles, edges to oneself and edges given twice included.
RC_GTEST_PROP(EventClosure, IsWhatTheEdgesLeadTo, ()) {
  const auto events = *rc::gen::inRange<std::uint32_t>(1, 9);
  const auto count = *rc::gen::inRange(0, 16);
  std::vector<EventEdge> edges;
  for (int i = 0; i < count; ++i) {
    edges.push_back(
        {*rc::gen::inRange(0u, events), *rc::gen::inRange(0u, events)});
  }
  std::vector<bool> weak(events);
  weak[*rc::gen::inRange(0u, events)] = *rc::gen::arbitrary<bool>();

  std::vector<std::vector<bool>> before(events, std::vector<bool>(events));
  for (const auto& [event, next] : edges) {
    if (!weak[event]) before[event][next] = true;
  }
  for (std::uint32_t k = 0; k < events; ++k) {
    for (std::uint32_t a = 0; a < events; ++a) {
      for (std::uint32_t b = 0; b < events; ++b) {
        if (before[a][k] && before[k][b]) before[a][b] = true;
      }
    }
  }
  const EventClosure closure(edges, weak);
  for (std::uint32_t a = 0; a < events; ++a) {
    for (std::uint32_t b = 0; b < events; ++b) {
      RC_ASSERT(closure.Before(a, b) == before[a][b]);
    }
  }
  bool acyclic = true;
  std::map<std::uint32_t, std::uint32_t> numbered;
  for (std::uint32_t event = 0; event < events; ++event) {
    acyclic = acyclic && !before[event][event];
    if (closure.number(event) != EventClosure::kNone) {
      numbered[closure.number(event)] = event;
    }
  }
  RC_ASSERT(closure.acyclic() == acyclic);
  for (std::uint32_t b = 0; b < events; ++b) {
    for (std::uint32_t first = 0; first < numbered.size(); ++first) {
      bool any = false, all = true;
      for (std::uint32_t last = first; last < numbered.size(); ++last) {
        any = any || before[numbered.at(last)][b];
        all = all && before[numbered.at(last)][b];
        RC_ASSERT(closure.AnyBefore(first, last, b) == any);
        RC_ASSERT(closure.AllBefore(first, last, b) == all);
      }
    }
  }
}

}  // namespace
}  // namespace graph_coverage
