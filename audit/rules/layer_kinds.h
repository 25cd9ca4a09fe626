// SPDX-License-Identifier: Apache-2.0
//
// The kinds of layers that a policy confirms.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "audit/rules/rule.h"

namespace graph_coverage {

// The kind of layers that the policy says the layer is of: its position, or one
// past the last.
inline std::size_t KindOf(const RankContext& rank, Section section) {
  const std::string_view prefix = rank.analyses.layers().axes()[section.axis];
  const auto& kinds = rank.policy.layer_kinds;
  const auto at =
      std::find_if(kinds.begin(), kinds.end(), [&](const LayerKind& kind) {
        return (kind.prefix.empty() || kind.prefix == prefix) &&
               std::find(kind.layers.begin(), kind.layers.end(),
                         section.layer) != kind.layers.end();
      });
  return static_cast<std::size_t>(at - kinds.begin());
}

}  // namespace graph_coverage
