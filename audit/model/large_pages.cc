// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/internal/large_pages.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace graph_coverage {
namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;

// Below this the rounding up to whole pages would cost more than it saves.
bool IsLarge(std::size_t bytes) { return bytes >= kPage; }

}  // namespace

void* AllocateLargePages(std::size_t bytes) {
  if (!IsLarge(bytes)) return ::operator new(bytes);
  const std::size_t whole = (bytes + kPage - 1) / kPage * kPage;
  void* memory = std::aligned_alloc(kPage, whole);
  if (memory == nullptr) throw std::bad_alloc();
  // A hint: where it is refused, small pages do.
  static_cast<void>(::madvise(memory, whole, MADV_HUGEPAGE));
  return memory;
}

void FreeLargePages(void* memory, std::size_t bytes) {
  IsLarge(bytes) ? std::free(memory) : ::operator delete(memory);
}

}  // namespace graph_coverage
