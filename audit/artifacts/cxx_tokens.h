// SPDX-License-Identifier: Apache-2.0
//
// C++ and CUDA text as tokens: comments, line continuations and preprocessor
// lines are gone, every token knows its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/error.h"

namespace graph_coverage {

struct CxxToken {
  enum class Kind : std::uint8_t {
    kIdentifier,   // keywords too; bytes from 0x80 on count as letters
    kNumber,       // 0x7fULL, 1'000, 1e-6f
    kString,       // with its prefix and quotes, raw strings too
    kCharacter,    // likewise
    kPunctuation,  // longest match, but a > always stands alone
    kEnd,          // after the last token; its text is empty
  };
  std::string_view text;  // without line continuations
  std::uint32_t byte = 0;
  std::uint32_t line = 0;
  Kind kind = Kind::kEnd;
  bool space_before = false;  // blanks or a comment stand before it

  bool IsIdentifier() const { return kind == Kind::kIdentifier; }
  bool IsNumber() const { return kind == Kind::kNumber; }
  bool IsString() const { return kind == Kind::kString; }
  // Whether this is that identifier or punctuation.
  bool Is(std::string_view spelling) const {
    return text == spelling &&
           (kind == Kind::kIdentifier || kind == Kind::kPunctuation);
  }
};

// The tokens of one text. The text must outlive them. Code under `#if 0` (and
// the other arm of `#if 1`) is left out; of other conditions all arms count.
class CxxTokens {
 public:
  // Throws InputError for an unterminated comment, string or conditional, for
  // bytes that no C++ text has (NUL anywhere, other control characters outside
  // of comments and literals), and for a text of 4 GB or more. `file` is the
  // name used in errors.
  CxxTokens(std::string_view text, std::string file);
  CxxTokens(const CxxTokens&) = delete;
  CxxTokens& operator=(const CxxTokens&) = delete;

  // The number of tokens, the end not counted.
  std::size_t size() const { return tokens_.size() - 1; }
  // Precondition: i <= size(); tokens[size()] is the end.
  const CxxToken& operator[](std::size_t i) const { return tokens_[i]; }

  const std::string& file() const { return file_; }
  Place place(std::size_t i) const;

  // Throws InputError: token i was found where `expected` should stand.
  [[noreturn]] void Fail(std::size_t i, const std::string& expected) const;

 private:
  friend class CxxTokenizer;

  std::string_view text_;
  std::string file_;
  std::vector<CxxToken> tokens_;
  std::deque<std::string> spliced_;  // texts of tokens with continuations
};

// A token as errors show it: on one line and not too long.
std::string ShownToken(std::string_view text);

// The value of an integer literal (decimal, hexadecimal, octal or binary, with
// separators and suffixes); nothing where it is none or exceeds 64 bits.
std::optional<std::uint64_t> IntegerValue(const CxxToken& token);

// What a string literal holds; nothing where the token is no string or has
// escapes other than \" \' and \\.
std::optional<std::string> StringValue(const CxxToken& token);

}  // namespace graph_coverage
