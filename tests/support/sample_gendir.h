// SPDX-License-Identifier: Apache-2.0
//
// A small megakernel: one RMS norm over a few requests. Clean, or broken: then
// it declares a table rope_cos that no task reads.
#pragma once

#include <string>
#include <vector>

#include "graph_coverage/gendir.h"

namespace graph_coverage {

enum class Wiring { kClean, kBroken };

// The files of ranks 0 to `ranks` - 1.
std::vector<MemoryFile> SampleFiles(Wiring wiring, int ranks = 1);

// Writes them to a directory, which is made if need be; returns its path.
std::string WriteSample(const std::string& directory, Wiring wiring,
                        int ranks = 1);

// A path for a directory of the current test alone, which is removed when the
// program ends.
std::string ScratchDirectory(const std::string& name);

}  // namespace graph_coverage
