// SPDX-License-Identifier: Apache-2.0
//
// Naive judgements on the events and the memory of a task graph. Each returns
// what is wrong, a line a fault, at most a few; empty: nothing.
#pragma once

#include <string>

#include "tests/generators/synthetic/naive_gendir.h"

namespace graph_coverage::synthetic {

// Counts, ranges, ids, first tasks, and whether a run of the protocol ends.
std::string EventFaults(const NaiveRank& rank);

// Whether conflicting accesses of different operators are ordered, siblings
// disjoint, and scratch is written before it is read. Compares all pairs of
// accesses of a tensor, so for small graphs only.
std::string MemoryFaults(const NaiveRank& rank);

// Whether tensors are declared, tiles within their allocation, and each branch
// is there and dereferences the slots that its tasks have.
std::string OperandFaults(const NaiveRank& rank);

}  // namespace graph_coverage::synthetic
