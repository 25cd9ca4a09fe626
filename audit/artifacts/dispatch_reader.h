// SPDX-License-Identifier: Apache-2.0
//
// Reads the dispatch chain of _execute_task: which code a (task type, variant)
// runs.
#pragma once

#include <vector>

#include "audit/artifacts/cxx_brackets.h"
#include "graph_coverage/model/kernel_source.h"

namespace graph_coverage {

// The branches of the if / else-if chain in `body`, in the order of the text.
// A branch whose condition names no variant is that of variant 0; where two
// have one (type, variant), the first is the one that runs. Other statements
// around the chain, an else at its end included, are skipped.
//
// Throws InputError for a condition that compares a task type but is more than
// a type and a variant, and for a body that uses the task type in another way
// than such a chain.
std::vector<Branch> ReadDispatch(const CxxBrackets& text, CxxRange body);

}  // namespace graph_coverage
