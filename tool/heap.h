// SPDX-License-Identifier: Apache-2.0
//
// How programs that end soon use the heap: fresh pages cost more than most
// rules, each by itself an interrupt.
#pragma once

#if defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>

#include <climits>
#include <cstdint>
#include <cstdlib>
#endif

namespace graph_coverage {

// Memory that is freed is kept for what comes next, and the first GiB of the
// heap comes in pages of 2 MiB, where the system has them; none of it is taken
// before it is used. Does nothing where the allocator is not glibc's. Call it
// before other threads run.
inline void PrepareHeap() {
#if defined(__GLIBC__)
  constexpr int kLargest = 32 << 20;  // bytes: the most that glibc takes
  ::mallopt(M_MMAP_THRESHOLD, kLargest);
  if (::mallopt(M_TRIM_THRESHOLD, INT_MAX) == 0) return;  // another allocator

  // A block that is freed again stays on top of the heap, as it was marked.
  constexpr std::size_t kHeap = std::size_t{1} << 30;
  constexpr int kDefaultMappings = 65536;
  ::mallopt(M_MMAP_MAX, 0);
  void* block = std::malloc(kHeap);
  ::mallopt(M_MMAP_MAX, kDefaultMappings);
  if (block == nullptr) return;
  constexpr std::size_t kPage = std::size_t{2} << 20;
  const std::size_t before =  // what it starts with of a page
      reinterpret_cast<std::uintptr_t>(block) % kPage;
  static_cast<void>(::madvise(static_cast<char*>(block) + (kPage - before),
                              kHeap - kPage, MADV_HUGEPAGE));
  std::free(block);
#endif
}

}  // namespace graph_coverage
