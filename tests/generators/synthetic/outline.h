// SPDX-License-Identifier: Apache-2.0
//
// What a rank looks like from afar, for comparing the builder with the field:
// named quantities, and how two ranks differ in them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph_coverage/model/kernel_source.h"
#include "graph_coverage/model/task_graph.h"

namespace graph_coverage::synthetic {

// By quantity: "layer 1: tasks of TASK_LINEAR" -> "192".
using Outline = std::map<std::string, std::string>;

// Of the whole rank: tasks, operators, events, operands a task of each type,
// declarations of each kind. Of each given layer: tasks of each type,
// operators, events. A layer spans from its first norm to that of the next.
Outline OutlineOf(const KernelSource& source, const TaskGraph& graph,
                  const std::vector<int>& layers);

}  // namespace graph_coverage::synthetic
