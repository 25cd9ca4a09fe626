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

// Eight bytes, the first in the lowest place.
inline std::uint64_t Load8(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof(word));
  if constexpr (std::endian::native == std::endian::big) {
    word = __builtin_bswap64(word);
  }
  return word;
}

// A key as it stands in the text, with its quotes: at most 24 bytes, laid out
// for comparison eight at a time.
class QuotedKey {
 public:
  constexpr QuotedKey() = default;
  constexpr QuotedKey(const char* quoted)  // NOLINT: a key is its text
      : text_(quoted) {
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text_[i]);
      words_[i / 8] |= std::uint64_t{byte} << 8 * (i % 8);
      masks_[i / 8] |= std::uint64_t{0xff} << 8 * (i % 8);
    }
  }

  constexpr std::string_view quoted() const { return text_; }
  constexpr std::string_view name() const {
    return text_.substr(1, text_.size() - 2);
  }
  // Whether the bytes at `p`, 24 of which can be read, start with the key.
  bool StandsAt(const char* p) const {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < kWords; ++i) {
      difference |= (Load8(p + 8 * i) ^ words_[i]) & masks_[i];
    }
    return difference == 0;
  }

 private:
  static constexpr std::size_t kWords = 3;
  std::string_view text_;
  std::uint64_t words_[kWords] = {};
  std::uint64_t masks_[kWords] = {};
};

class JsonScanner {
 public:
  static constexpr int kMaxDepth = 64;
  // The longest string that is read, in bytes.
  static constexpr std::size_t kMaxString = std::size_t{1} << 20;
  // The most keys of an object that is skipped: they are remembered, to find
  // one that comes twice.
  static constexpr std::size_t kMaxKeys = 100'000;

  // Reads the source from a byte on, where a token starts.
  explicit JsonScanner(ByteSource& source, std::uint64_t start = 0);

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
  bool ConsumeKey(const QuotedKey& key) {
    Peek();
    if (!key.StandsAt(cursor_)) return false;
    cursor_ += key.quoted().size();
    return true;
  }

  // Values. The view lives until the next call.
  std::string_view String(const char* expected);
  std::int64_t Integer(const char* expected, std::int64_t least,
                       std::int64_t most) {
    const std::uint64_t digits = ShortInteger();
    const std::int64_t value = static_cast<std::int64_t>(digits);
    if (digits == kNotShort || value < least || value > most) {
      return LongInteger(expected, least, most);
    }
    cursor_ = after_digits_;
    return value;
  }
  std::uint64_t Unsigned(const char* expected, std::uint64_t most) {
    const std::uint64_t value = ShortInteger();
    if (value == kNotShort || value > most) {
      return LongUnsigned(expected, most);
    }
    cursor_ = after_digits_;
    return value;
  }
  bool Boolean(const char* expected);
  bool ConsumeNull();

  // Any value, checked and thrown away; `depth` is that of its parent.
  void Skip(int depth);

  // The end of the file: anything but white space is an error.
  void ExpectEnd();

  // Goes on at a byte of the source where a token starts or the last one ended.
  void SeekTo(std::uint64_t byte);

  // The place of the next token, as an offset for FailAt.
  std::uint64_t Mark();
  // The place right behind the last token.
  std::uint64_t Position() const { return OffsetOf(cursor_); }
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
    while (IsSpace(*p)) {
      ++p;
      std::uint64_t other;
      while ((other = Load8(p) ^ kSpaces) == 0) p += 8;
      p += std::countr_zero(other) / 8;
    }
    return p;
  }
  static bool IsSpace(char c) {
    if (static_cast<unsigned char>(c) > ' ') return false;  // nearly always
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
  }
  static constexpr std::uint64_t kSpaces = 0x2020202020202020;

  static const char* SkipPlain(const char* p);
  char PeekAtEnd();
  [[noreturn]] void FailAtSeparator(char close);
  Magnitude ReadInteger(const char* expected);
  std::int64_t LongInteger(const char* expected, std::int64_t least,
                           std::int64_t most);
  std::uint64_t LongUnsigned(const char* expected, std::uint64_t most);
  // The integer at the cursor if it is plain: up to 18 digits without a sign,
  // a leading zero or a fraction; then after_digits_ is behind it. Else
  // kNotShort. Nearly all numbers of a task graph are plain.
  std::uint64_t ShortInteger() {
    constexpr int kMostDigits = 18;
    Peek();
    const char* p = cursor_;
    std::uint64_t value = 0;
    while (IsDigit(*p))
      value = value * 10 + static_cast<unsigned char>(*p++ - '0');
    const std::ptrdiff_t digits = p - cursor_;
    after_digits_ = p;
    const bool plain = digits >= 1 && digits <= kMostDigits &&
                       (*cursor_ != '0' || digits == 1) && *p != '.' &&
                       *p != 'e' && *p != 'E';
    return plain ? value : kNotShort;
  }
  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }
  static constexpr std::uint64_t kNotShort = UINT64_MAX;
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
  const char* after_digits_ = nullptr;
  const char* low_water_;  // refill where the cursor has passed this
  bool at_end_of_source_ = false;
  std::uint64_t window_offset_ = 0;  // byte of the source at window_[0]
  std::string decoded_;
};

}  // namespace graph_coverage
