// SPDX-License-Identifier: Apache-2.0
//
// Reads a task graph in any version of the format.
#pragma once

#include <cstdint>

#include "audit/artifacts/byte_source.h"
#include "graph_coverage/model/task_graph.h"

namespace graph_coverage {

// Throws InputError where the bytes are no task graph, with the place, the
// token found and what was expected. Keys that no version has are accepted
// and listed in format().unknown_keys. With several threads, tasks are read in
// as many parts of at least `least_part` bytes; what is read is the same.
TaskGraph ReadTaskGraph(ByteSource& source, unsigned threads = 1,
                        std::uint64_t least_part = std::uint64_t{2} << 20);

}  // namespace graph_coverage
