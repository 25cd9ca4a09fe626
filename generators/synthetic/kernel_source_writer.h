// SPDX-License-Identifier: Apache-2.0
//
// Writes a kernel source: declarations and the dispatch chain.
#pragma once

#include <cstdint>
#include <string>

#include "generators/synthetic/variants.h"
#include "graph_coverage/synthetic/format.h"
#include "graph_coverage/synthetic/program.h"

namespace graph_coverage::synthetic {

std::string WriteKernelSource(const Program& program, const Variants& variants,
                              std::uint32_t rank, FormatVersion version);

// The chain of `_execute_task`; empty in versions that have none.
std::string WriteDispatch(const Program& program, const Variants& variants,
                          std::uint32_t rank, const FormatFacts& facts);

}  // namespace graph_coverage::synthetic
