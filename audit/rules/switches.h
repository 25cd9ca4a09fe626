// SPDX-License-Identifier: Apache-2.0
//
// The literals of a call that turn a feature of attention on or off: the two
// right before the first switched slot, qk-norm's before rope's.
#pragma once

#include <optional>

#include "audit/rules/branch_of.h"

namespace graph_coverage {

// Whether the literal that guards the slot is true; nothing where the slot is
// not switched, the call has no such literals, or branches disagree.
std::optional<bool> SwitchOf(const RankContext& rank, const Kind& kind,
                             const BranchSet& branches, Slot slot);

inline bool IsSwitched(const RankContext& rank, const Kind& kind,
                       const BranchSet& branches, Slot slot) {
  return SwitchOf(rank, kind, branches, slot).has_value();
}

// "qk-norm", "rope".
const char* ToString(Feature feature);

}  // namespace graph_coverage
