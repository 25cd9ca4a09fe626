// SPDX-License-Identifier: Apache-2.0
//
// The expressions that declarations of tensors are made of: where a tensor
// comes from, names in quotes, sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "audit/artifacts/cxx_brackets.h"

namespace graph_coverage {

// Where a tensor comes from.
struct TensorSource {
  enum class Kind { kNone, kAttached, kAllocated, kNvshmem };
  Kind kind = Kind::kNone;
  std::optional<std::uint64_t> bytes;    // allocated size
  std::optional<std::uint64_t> address;  // attached by a raw address
  std::string handed_in_as;              // attached by a name
  // The token that stands where a size should, if that is none. It is an
  // error only in what turns out to be a tensor.
  std::optional<std::size_t> bad_size;
};

class TensorExpressions {
 public:
  explicit TensorExpressions(const CxxBrackets& text)
      : text_(text), tokens_(text.tokens()) {}

  // model_tensors.at("NAME"), torch_tensors[3], an address, or
  // nvshmem_malloc(BYTES), within casts or not; nothing where the expression
  // is something else. `statement` is where its statement begins: a number is
  // an address only if a * stands before it, as it does in a type.
  std::optional<TensorSource> Source(CxxRange range,
                                     std::size_t statement) const;
  // The name in ("NAME") or ["NAME"], whose bracket opens at `open`.
  std::string QuotedName(std::size_t open) const;
  // An integer literal; `expected` is for the error where there is none.
  std::uint64_t Integer(CxxRange range, const std::string& expected) const;
  // Fills bytes or bad_size.
  void ReadSize(CxxRange range, TensorSource& source) const;
  // Throws where something stands at `at`, before the range's end.
  void ExpectEnd(std::size_t at, CxxRange range) const;

 private:
  const CxxBrackets& text_;
  const CxxTokens& tokens_;
};

}  // namespace graph_coverage
