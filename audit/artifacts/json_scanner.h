// SPDX-License-Identifier: Apache-2.0
//
// A pull scanner for JSON: reads a source through a window of fixed size, so
// memory does not grow with the file. Strict: what is not JSON is an error
// with its place, in the parts that are skipped too. Beyond the grammar it
// rejects duplicate keys, integers that do not fit in 64 bits, and nesting
// deeper than kMaxDepth.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "audit/artifacts/byte_source.h"

namespace graph_coverage {

class JsonScanner {
 public:
  static constexpr int kMaxDepth = 64;
  // The longest string that is read, in bytes.
  static constexpr std::size_t kMaxString = std::size_t{1} << 20;

  explicit JsonScanner(ByteSource& source);

  // The first byte of the next token, 0 at the end of the file. Tokens that
  // follow are read from here.
  char Peek() {
    cursor_ = SkipSpace(cursor_);
    return cursor_ < low_water_ ? *cursor_ : PeekAtEnd();
  }

  // The structure. `expected` completes the error: "found X, expected …".
  void Expect(char c, const char* expected) {
    if (!Consume(c)) Fail(expected);
  }
  // Consumes `c` if it is next.
  bool Consume(char c) {
    if (Peek() != c) return false;
    ++cursor_;
    return true;
  }
  // Between the elements of an array or the members of an object: consumes a
  // comma and returns true, or the closing bracket and returns false.
  bool Next(char close) {
    const char c = Peek();
    if (c != ',' && c != close) FailAtSeparator(close);
    ++cursor_;
    return c == ',';
  }

  // Consumes a key, with its quotes, if it is next to the letter.
  bool ConsumeKey(std::string_view quoted) {
    Peek();
    if (std::memcmp(cursor_, quoted.data(), quoted.size()) != 0) return false;
    cursor_ += quoted.size();
    return true;
  }

  // Values. The view lives until the next call.
  std::string_view String(const char* expected);
  std::int64_t Integer(const char* expected, std::int64_t least,
                       std::int64_t most);
  std::uint64_t Unsigned(const char* expected, std::uint64_t most);
  bool Boolean(const char* expected);
  bool ConsumeNull();

  // Any value, checked and thrown away; `depth` is that of its parent.
  void Skip(int depth);

  // The end of the file: anything but white space is an error.
  void ExpectEnd();

  // The place of the next token, as an offset for FailAt.
  std::uint64_t Mark();
  [[noreturn]] void Fail(const std::string& expected);
  [[noreturn]] void FailAt(std::uint64_t byte, const std::string& found,
                           const std::string& expected);

 private:
  struct Magnitude {
    bool negative;
    std::uint64_t value;
  };
  // Past spaces and line ends: indentation is most of a pretty-printed file.
  // The zeros after the window's end stop it.
  static const char* SkipSpace(const char* p) {
    if (!IsSpace(*p)) return p;
    ++p;
    for (;;) {
      const std::uint64_t other = Load8(p) ^ kSpaces;
      if (other == 0) {
        p += 8;
        continue;
      }
      p += std::countr_zero(other) / 8;
      if (!IsSpace(*p)) return p;
      ++p;
    }
  }
  static bool IsSpace(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
  }
  // Eight bytes, the first in the lowest place.
  static std::uint64_t Load8(const char* p) {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof(word));
    if constexpr (std::endian::native == std::endian::big) {
      word = __builtin_bswap64(word);
    }
    return word;
  }
  static constexpr std::uint64_t kSpaces = 0x2020202020202020;

  static const char* SkipPlain(const char* p);
  char PeekAtEnd();
  [[noreturn]] void FailAtSeparator(char close);
  Magnitude ReadInteger(const char* expected);
  void SkipNumber();
  void SkipObject(int depth);
  void SkipArray(int depth);
  std::string_view EscapedString(std::size_t start);
  void AppendEscape(std::size_t* at);
  std::uint32_t HexDigits(std::size_t at);
  bool Refill();
  void Literal(std::string_view word, const char* expected);
  std::uint64_t OffsetOf(const char* p) const {
    return window_offset_ + static_cast<std::uint64_t>(p - window_.data());
  }
  std::string Token();

  ByteSource& source_;
  std::vector<char> window_;  // ends in zeros that are not of the source
  const char* cursor_;
  const char* end_;
  const char* low_water_;  // refill where the cursor has passed this
  bool at_end_of_source_ = false;
  std::uint64_t window_offset_ = 0;  // byte of the source at window_[0]
  std::string decoded_;
};

}  // namespace graph_coverage
