// SPDX-License-Identifier: Apache-2.0
//
// Which operators share an event: the first half of scheduling, in which a
// tile is not looked at yet.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "generators/synthetic/dependencies.h"

namespace graph_coverage::synthetic {

// Operators whose tasks trigger one event (or one a group of tiles), and the
// operators that wait for it: consecutive ones, all after the producers.
struct Meeting {
  std::vector<std::uint32_t> producers;
  std::vector<std::uint32_t> consumers;
};

struct Waits {
  std::vector<Meeting> meetings;
  std::vector<std::uint32_t> trigger;                   // by operator
  std::vector<std::optional<std::uint32_t>> dependent;  // by operator
};

// Finds a meeting for every operator, such that each comes after all it
// depends on. Where the plain way would need an operator to wait for two
// meetings, or a meeting to have waiters that are no neighbours, it waits for
// everything before it.
Waits FindWaits(const std::vector<std::vector<Dependency>>& dependencies);

}  // namespace graph_coverage::synthetic
