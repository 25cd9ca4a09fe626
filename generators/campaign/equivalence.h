// SPDX-License-Identifier: Apache-2.0
//
// Whether an edit changes what the kernel does, as far as the artifacts can
// tell, judged without any rule of the audit.
#pragma once

#include <string>

#include "graph_coverage/model/overlay.h"
#include "graph_coverage/model/rank.h"

namespace graph_coverage {

// Why the kernel does the same under the overlay: "the branch dereferences
// none of the operands that differ". Empty where it may do something else.
std::string WhyEquivalent(const Rank& rank, const Overlay& overlay);

}  // namespace graph_coverage
