// SPDX-License-Identifier: Apache-2.0
//
// Writes a task graph as the generator prints it: sorted keys, two spaces.
#pragma once

#include <cstdint>

#include "generators/synthetic/schedule.h"
#include "generators/synthetic/sink.h"
#include "generators/synthetic/variants.h"
#include "graph_coverage/synthetic/format.h"

namespace graph_coverage::synthetic {

// Streams the task graph of one rank; holds no more than a piece of it.
void WriteTaskGraph(const Program& program, const Schedule& schedule,
                    const Variants& variants, std::uint32_t rank,
                    FormatVersion version, Sink& sink);

}  // namespace graph_coverage::synthetic
