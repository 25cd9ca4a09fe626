// SPDX-License-Identifier: Apache-2.0
#include "bench/rules/heap.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> in_use{0};
std::atomic<std::size_t> peak{0};

void* Take(std::size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t now = in_use += malloc_usable_size(memory);
  // One thread allocates at a time here, so nothing is lost between the two.
  if (now > peak) peak = now;
  return memory;
}

void Give(void* memory) {
  in_use -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) { return Take(bytes); }
void* operator new[](std::size_t bytes) { return Take(bytes); }
void operator delete(void* memory) noexcept { Give(memory); }
void operator delete[](void* memory) noexcept { Give(memory); }
void operator delete(void* memory, std::size_t) noexcept { Give(memory); }
void operator delete[](void* memory, std::size_t) noexcept { Give(memory); }

namespace graph_coverage::bench {

std::size_t HeapInUse() { return in_use; }
std::size_t HeapPeak() { return peak; }
void ResetPeak() { peak = in_use.load(); }

}  // namespace graph_coverage::bench
