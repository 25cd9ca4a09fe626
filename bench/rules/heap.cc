// SPDX-License-Identifier: Apache-2.0
#include "bench/rules/heap.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

bool counting = false;
std::ptrdiff_t in_use_now = 0;
std::ptrdiff_t most_in_use = 0;

void* Take(std::size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  if (counting) {
    in_use_now += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
    if (in_use_now > most_in_use) most_in_use = in_use_now;
  }
  return memory;
}

void Give(void* memory) {
  if (counting) {
    in_use_now -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  }
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

HeapCount::HeapCount() {
  in_use_now = most_in_use = 0;
  counting = true;
}
HeapCount::~HeapCount() { counting = false; }

std::ptrdiff_t HeapCount::in_use() const { return in_use_now; }
std::ptrdiff_t HeapCount::peak() const { return most_in_use; }

}  // namespace graph_coverage::bench
