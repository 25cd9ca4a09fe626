// SPDX-License-Identifier: Apache-2.0
//
// An allocator for arrays of many megabytes: asks for pages of 2 MB where the
// system has them. Fresh small pages would cost a quarter of reading a graph.
#pragma once

#include <cstddef>

namespace graph_coverage {

void* AllocateLargePages(std::size_t bytes);
void FreeLargePages(void* memory, std::size_t bytes);

template <typename T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <typename U>
  LargePages(const LargePages<U>&) {}  // NOLINT: as allocators are

  T* allocate(std::size_t count) {
    return static_cast<T*>(AllocateLargePages(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) {
    FreeLargePages(memory, count * sizeof(T));
  }
  friend bool operator==(LargePages, LargePages) { return true; }
  friend bool operator!=(LargePages, LargePages) { return false; }
};

}  // namespace graph_coverage
