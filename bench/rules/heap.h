// SPDX-License-Identifier: Apache-2.0
//
// How much of the heap is in use: the benchmark's own operator new counts.
#pragma once

#include <cstddef>

namespace graph_coverage::bench {

// Bytes in use now. What LargePages takes from the system is not counted.
std::size_t HeapInUse();
// The most that was in use since the last call of ResetPeak.
std::size_t HeapPeak();
void ResetPeak();

}  // namespace graph_coverage::bench
