// SPDX-License-Identifier: Apache-2.0
//
// How much of the heap is in use: the benchmark's own operator new counts.
#pragma once

#include <cstddef>

namespace graph_coverage::bench {

// Counts while it lives: one at a time, and one thread. What LargePages takes
// from the system is not counted.
class HeapCount {
 public:
  HeapCount();
  ~HeapCount();
  HeapCount(const HeapCount&) = delete;
  HeapCount& operator=(const HeapCount&) = delete;

  // Bytes in use beyond those at the start, now and at most.
  std::ptrdiff_t in_use() const;
  std::ptrdiff_t peak() const;
};

}  // namespace graph_coverage::bench
