// SPDX-License-Identifier: Apache-2.0
//
// Nothing audited is never a pass: what an empty task graph is refused with.
#pragma once

#include <cstddef>
#include <string>

#include "graph_coverage/error.h"

namespace graph_coverage {

// Throws InputError where a graph has no task that works, beside those that
// begin and end it, or no operand.
inline void RefuseEmptyGraph(const std::string& file, bool has_work,
                             std::size_t operands) {
  if (!has_work) {
    throw InputError::Of(file, "has no tasks: there is nothing to audit");
  }
  if (operands == 0) {
    throw InputError::Of(file, "has no operands: there is nothing to audit");
  }
}

}  // namespace graph_coverage
