// SPDX-License-Identifier: Apache-2.0
//
// Reads a task graph in any version of the format.
#pragma once

#include "audit/artifacts/byte_source.h"
#include "graph_coverage/model/task_graph.h"

namespace graph_coverage {

// Throws InputError where the bytes are no task graph, with the place, the
// token found and what was expected. Keys that no version has are accepted
// and listed in format().unknown_keys.
TaskGraph ReadTaskGraph(ByteSource& source);

}  // namespace graph_coverage
