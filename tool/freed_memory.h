// SPDX-License-Identifier: Apache-2.0
//
// For programs that end soon: memory that is freed is kept for what comes next.
#pragma once

#if defined(__GLIBC__)
#include <malloc.h>

#include <climits>
#endif

namespace graph_coverage {

// To give pages back and take fresh ones again costs more than most rules. Does
// nothing where the allocator is not glibc's. Call it before other threads run.
inline void KeepFreedMemory() {
#if defined(__GLIBC__)
  constexpr int kLargest = 32 << 20;  // bytes: the most that glibc takes
  ::mallopt(M_MMAP_THRESHOLD, kLargest);
  ::mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

}  // namespace graph_coverage
