// SPDX-License-Identifier: Apache-2.0
//
// The brackets of a C++ text paired, and what can be read from them alone:
// function bodies, argument lists, expressions without their casts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "audit/artifacts/cxx_tokens.h"

namespace graph_coverage {

// Tokens [begin, end).
struct CxxRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool empty() const { return begin >= end; }
  std::size_t size() const { return empty() ? 0 : end - begin; }
};

class CxxBrackets {
 public:
  // Pairs ( [ { and, where they read as a template argument list, < and >.
  // Throws InputError where brackets do not match or nest deeper than 100.
  // `tokens` must outlive this.
  explicit CxxBrackets(const CxxTokens& tokens);

  const CxxTokens& tokens() const { return tokens_; }

  // The other bracket of a pair; i itself where there is none.
  std::size_t Partner(std::size_t i) const { return partner_[i]; }
  bool Opens(std::size_t i) const { return partner_[i] > i; }
  // Behind token i, or behind its partner where it opens a pair.
  std::size_t Behind(std::size_t i) const {
    return std::max(i, Partner(i)) + 1;
  }

  // The first `spelling` of the range that stands in no bracket of its own;
  // the range's end where there is none.
  std::size_t Find(CxxRange range, std::string_view spelling) const;
  // The parts of the range between those separators; none if it is empty.
  std::vector<CxxRange> Split(CxxRange range, std::string_view separator) const;
  // The expression without the casts and parentheses around it.
  CxxRange WithoutCasts(CxxRange range) const;
  // What stands between the braces of the first definition of that function.
  std::optional<CxxRange> FunctionBody(std::string_view name) const;

 private:
  bool IsCastType(CxxRange range) const;

  const CxxTokens& tokens_;
  std::vector<std::uint32_t> partner_;
};

}  // namespace graph_coverage
