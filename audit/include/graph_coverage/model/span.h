// SPDX-License-Identifier: Apache-2.0
//
// A view of consecutive elements: std::span for C++17.
#pragma once

#include <cstddef>
#include <vector>

namespace graph_coverage {

template <typename T>
class Span {
 public:
  // As of a standard container, so that GoogleTest prints the elements.
  using value_type = T;
  using const_iterator = const T*;
  using iterator = const_iterator;

  constexpr Span() = default;
  constexpr Span(const T* data, std::size_t size) : data_(data), size_(size) {}
  Span(const std::vector<T>& items)  // NOLINT: implicit as in std::span
      : data_(items.data()), size_(items.size()) {}

  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](std::size_t i) const { return data_[i]; }

  friend bool operator==(Span a, Span b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i) {
      if (!(a.data_[i] == b.data_[i])) return false;
    }
    return true;
  }
  friend bool operator!=(Span a, Span b) { return !(a == b); }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace graph_coverage
