// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/json_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <set>
#include <system_error>

#include "audit/artifacts/utf8.h"

namespace graph_coverage {
namespace {

constexpr std::uint64_t kWindow = std::uint64_t{1} << 18;
constexpr std::uint64_t kLeastWindow = std::uint64_t{1} << 14;
// Bytes kept ahead of the cursor, so that all but long strings are whole.
constexpr std::ptrdiff_t kAhead = 4096;
constexpr std::size_t kPad = 64;
constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighs = 0x8080808080808080;

// The position of the first byte that is set in a mask of high bits.
int FirstByte(std::uint64_t mask) { return std::countr_zero(mask) / 8; }

// High bits where a byte equals `c`, exact up to the first.
std::uint64_t Equal(std::uint64_t word, unsigned char c) {
  const std::uint64_t x = word ^ (kOnes * c);
  return (x - kOnes) & ~x & kHighs;
}

}  // namespace

// The first byte of a string's text that is not plain: a quote, a backslash, a
// control character or the start of a non-ASCII character. The zeros after
// the window's end stop it.
const char* JsonScanner::SkipPlain(const char* p) {
  for (;; p += 8) {
    const std::uint64_t word = Load8(p);
    const std::uint64_t control = (word - kOnes * 0x20) & ~word & kHighs;
    const std::uint64_t stop =
        control | (word & kHighs) | Equal(word, '"') | Equal(word, '\\');
    if (stop != 0) return p + FirstByte(stop);
  }
}

JsonScanner::JsonScanner(ByteSource& source, std::uint64_t start)
    : source_(source),
      window_(std::clamp(source.size() + 1, kLeastWindow, kWindow) + kPad) {
  SeekTo(start);
  if (start == 0 && end_ - cursor_ >= 3 &&
      std::memcmp(cursor_, "\xef\xbb\xbf", 3) == 0) {
    cursor_ += 3;  // a byte order mark
  }
}

void JsonScanner::SeekTo(std::uint64_t byte) {
  source_.Seek(byte);
  cursor_ = end_ = low_water_ = window_.data();
  window_offset_ = byte;
  at_end_of_source_ = false;
  Refill();
}

// Moves what is left of the window to its front and fills the rest. False
// where the source was at its end already.
bool JsonScanner::Refill() {
  if (at_end_of_source_) return false;
  const std::size_t left = static_cast<std::size_t>(end_ - cursor_);
  window_offset_ = OffsetOf(cursor_);
  if (left > window_.size() / 2) {
    std::vector<char> larger(window_.size() * 2, '\0');
    std::memcpy(larger.data(), cursor_, left);
    window_.swap(larger);
  } else {
    std::memmove(window_.data(), cursor_, left);
  }
  char* fill = window_.data() + left;
  char* const limit = window_.data() + window_.size() - kPad;
  while (fill < limit) {
    const std::size_t got =
        source_.Read(fill, static_cast<std::size_t>(limit - fill));
    if (got == 0) {
      at_end_of_source_ = true;
      break;
    }
    fill += got;
  }
  std::memset(fill, 0, kPad);
  cursor_ = window_.data();
  end_ = fill;
  low_water_ = at_end_of_source_ ? end_ : end_ - kAhead;
  return true;
}

// Peek where the window may have to move on.
char JsonScanner::PeekAtEnd() {
  while (cursor_ >= low_water_ && !at_end_of_source_) {
    Refill();
    cursor_ = SkipSpace(cursor_);
  }
  return cursor_ < end_ ? *cursor_ : '\0';
}

void JsonScanner::FailAtSeparator(char close) {
  Fail(fmt::format("\",\" or \"{}\"", close));
}

std::string_view JsonScanner::String(const char* expected) {
  if (Peek() != '"') Fail(expected);
  const char* stop = SkipPlain(cursor_ + 1);
  if (*stop == '"' && stop < end_) {
    const std::string_view text(cursor_ + 1,
                                static_cast<std::size_t>(stop - cursor_ - 1));
    cursor_ = stop + 1;
    return text;
  }
  return EscapedString(static_cast<std::size_t>(stop - cursor_));
}

// A string that has escapes or non-ASCII text, or that leaves the window. The
// first `plain` bytes from the cursor, with the quote, are known to be plain.
std::string_view JsonScanner::EscapedString(std::size_t plain) {
  decoded_.clear();
  std::size_t run = 1;     // start of the bytes not yet appended
  std::size_t at = plain;  // from the cursor, which stays at the quote
  for (;;) {
    const char* p = SkipPlain(cursor_ + at);
    if (p > end_) p = end_;
    at = static_cast<std::size_t>(p - cursor_);
    if (at > kMaxString) {
      Fail(fmt::format("a string of at most {} bytes", kMaxString));
    }
    if (p + kPad / 2 > end_ && Refill()) continue;
    p = cursor_ + at;
    if (p == end_) FailAt(OffsetOf(cursor_), Token(), "a closing quote");
    if (static_cast<unsigned char>(*p) >= 0x80) {
      const std::size_t length =
          Utf8Length(std::string_view(p, static_cast<std::size_t>(end_ - p)));
      if (length == 0) {
        FailAt(OffsetOf(p),
               fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(*p)),
               "valid UTF-8");
      }
      at += length;
      continue;
    }
    if (static_cast<unsigned char>(*p) < 0x20) {
      FailAt(OffsetOf(p),
             fmt::format("the control character 0x{:02x} in a string",
                         static_cast<unsigned char>(*p)),
             "an escape such as \\n, or a closing quote");
    }
    decoded_.append(cursor_ + run, at - run);
    if (*p == '"') {
      cursor_ = p + 1;
      return decoded_;
    }
    AppendEscape(&at);
    run = at;
  }
}

// The escape at cursor_ + *at, moved past.
void JsonScanner::AppendEscape(std::size_t* at) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const char* p = cursor_ + *at;
  const char letter = p + 1 < end_ ? p[1] : '\0';
  if (letter != 'u') {
    const std::size_t which =
        letter == '\0' ? std::string_view::npos : kLetters.find(letter);
    if (which == std::string_view::npos) {
      FailAt(OffsetOf(p), "a backslash that starts no escape",
             "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    }
    decoded_ += kMeanings[which];
    *at += 2;
    return;
  }
  std::uint32_t code = HexDigits(*at);
  *at += 6;
  if (code >= 0xd800 && code < 0xe000) {
    const bool pair =
        code < 0xdc00 && cursor_[*at] == '\\' && cursor_[*at + 1] == 'u';
    const std::uint32_t low = pair ? HexDigits(*at) : 0;
    if (low < 0xdc00 || low > 0xdfff) {
      FailAt(OffsetOf(cursor_ + *at - 6), "half of a surrogate pair",
             "\\ud800 to \\udbff followed by \\udc00 to \\udfff");
    }
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    *at += 6;
  }
  AppendUtf8(code, &decoded_);
}

std::uint32_t JsonScanner::HexDigits(std::size_t at) {
  std::uint32_t code = 0;
  const char* first = cursor_ + at + 2;
  const auto [last, error] = std::from_chars(first, first + 4, code, 16);
  if (error != std::errc() || last != first + 4) {
    FailAt(OffsetOf(cursor_ + at), "\\u without four hexadecimal digits",
           "\\uXXXX");
  }
  return code;
}

JsonScanner::Magnitude JsonScanner::ReadInteger(const char* expected) {
  const char first = Peek();
  const char* p = cursor_;
  const bool negative = first == '-';
  if (negative) ++p;
  if (!IsDigit(*p)) Fail(expected);
  const bool leading_zero = *p == '0';
  std::uint64_t value = 0;
  const char* const digits = p;
  for (; IsDigit(*p); ++p) {
    const std::uint64_t digit = static_cast<std::uint64_t>(*p - '0');
    if (p - digits >= 19 && (value > (UINT64_MAX - digit) / 10)) {
      Fail("an integer of at most 64 bits");
    }
    value = value * 10 + digit;
  }
  if (leading_zero && p - digits > 1) Fail("a number without leading zeros");
  if (*p == '.' || *p == 'e' || *p == 'E') Fail(expected);
  if (negative && value > (std::uint64_t{1} << 63)) {
    Fail("an integer of at most 64 bits");
  }
  cursor_ = p;
  return {negative, value};
}

std::int64_t JsonScanner::LongInteger(const char* expected, std::int64_t least,
                                      std::int64_t most) {
  const std::uint64_t start = Mark();
  const auto [negative, value] = ReadInteger(expected);
  const bool fits = negative || value <= INT64_MAX;
  const std::int64_t number =
      static_cast<std::int64_t>(negative ? std::uint64_t{0} - value : value);
  if (!fits || number < least || number > most) {
    FailAt(start, fmt::format("{}{}", negative ? "-" : "", value), expected);
  }
  return number;
}

std::uint64_t JsonScanner::LongUnsigned(const char* expected,
                                        std::uint64_t most) {
  const std::uint64_t start = Mark();
  const auto [negative, value] = ReadInteger(expected);
  if ((negative && value != 0) || value > most) {
    FailAt(start, fmt::format("{}{}", negative ? "-" : "", value), expected);
  }
  return value;
}

void JsonScanner::Literal(std::string_view word, const char* expected) {
  Peek();
  if (std::memcmp(cursor_, word.data(), word.size()) != 0) Fail(expected);
  const char after = cursor_[word.size()];
  if (IsDigit(after) || (after >= 'a' && after <= 'z') ||
      (after >= 'A' && after <= 'Z') || after == '_') {
    Fail(expected);
  }
  cursor_ += word.size();
}

bool JsonScanner::Boolean(const char* expected) {
  const bool value = Peek() == 't';
  Literal(value ? "true" : "false", expected);
  return value;
}

bool JsonScanner::ConsumeNull() {
  if (Peek() != 'n') return false;
  Literal("null", "null");
  return true;
}

void JsonScanner::SkipNumber() {
  const char* p = cursor_;
  while (IsDigit(*p) || *p == '-' || *p == '+' || *p == '.' || *p == 'e' ||
         *p == 'E') {
    ++p;
  }
  if (p == end_ && !at_end_of_source_) {
    Fail(fmt::format("a number of at most {} bytes", kAhead));
  }
  const std::string_view text(cursor_, static_cast<std::size_t>(p - cursor_));
  if (text.find_first_of(".eE") == std::string_view::npos) {
    ReadInteger("a value");
    return;
  }
  // -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
  std::size_t at = text[0] == '-' ? 1 : 0;
  const auto digits = [&text, &at] {
    const std::size_t from = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    return at - from;
  };
  const bool leading_zero = at < text.size() && text[at] == '0';
  const std::size_t whole = digits();
  bool good = whole == 1 || (whole > 1 && !leading_zero);
  if (good && at < text.size() && text[at] == '.') {
    ++at;
    good = digits() > 0;
  }
  if (good && at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    good = digits() > 0;
  }
  double value = 0;
  const auto [last, error] = std::from_chars(text.begin(), text.end(), value);
  const bool too_large =
      error == std::errc::result_out_of_range &&
      std::fabs(std::strtod(std::string(text).c_str(), nullptr)) > 1;
  if (!good || at != text.size()) Fail("a number");
  if (too_large) Fail("a number that a double can hold");
  cursor_ = p;
}

void JsonScanner::SkipObject(int depth) {
  std::set<std::string, std::less<>> keys;
  if (Consume('}')) return;
  do {
    const std::uint64_t start = Mark();
    const std::string_view key = String("a key");
    if (!keys.emplace(key).second) {
      FailAt(start, fmt::format("the key {} a second time", Quoted(key)),
             "each key once in an object");
    }
    if (keys.size() > kMaxKeys) {
      FailAt(start, "the key " + Quoted(key),
             fmt::format("at most {} keys in an object", kMaxKeys));
    }
    Expect(':', "\":\"");
    Skip(depth);
  } while (Next('}'));
}

void JsonScanner::SkipArray(int depth) {
  if (Consume(']')) return;
  do {
    Skip(depth);
  } while (Next(']'));
}

void JsonScanner::Skip(int depth) {
  const char c = Peek();
  switch (c) {
    case '{':
    case '[':
      if (depth >= kMaxDepth) {
        Fail(fmt::format("at most {} levels of nesting", kMaxDepth));
      }
      ++cursor_;
      return c == '{' ? SkipObject(depth + 1) : SkipArray(depth + 1);
    case '"':
      String("a value");
      return;
    case 't':
      return Literal("true", "a value");
    case 'f':
      return Literal("false", "a value");
    case 'n':
      return Literal("null", "a value");
    default:
      if (c != '-' && !IsDigit(c)) Fail("a value");
      return SkipNumber();
  }
}

void JsonScanner::ExpectEnd() {
  Peek();
  if (cursor_ < end_) Fail("the end of the file");
}

std::uint64_t JsonScanner::Mark() {
  Peek();
  return OffsetOf(cursor_);
}

// The token at the cursor, cut to a readable length.
std::string JsonScanner::Token() {
  if (cursor_ >= end_) return "the end of the file";
  constexpr std::ptrdiff_t kMost = 40;
  const char* p = cursor_ + 1;
  const auto in_word = [](char c) {
    return !IsSpace(c) && std::strchr(",:[]{}\"", c) == nullptr;
  };
  if (*cursor_ == '"') {
    while (p < end_ && p - cursor_ < kMost && *p != '"' && *p != '\n') ++p;
    if (p < end_ && *p == '"') ++p;
  } else if (in_word(*cursor_)) {
    while (p < end_ && p - cursor_ < kMost && in_word(*p)) ++p;
  }
  const std::string text = Printable(
      std::string_view(cursor_, static_cast<std::size_t>(p - cursor_)));
  return p - cursor_ < kMost ? text : text + "…";
}

void JsonScanner::Fail(const std::string& expected) {
  Peek();
  const std::string token = Token();
  FailAt(OffsetOf(cursor_), token, expected);
}

void JsonScanner::FailAt(std::uint64_t byte, const std::string& found,
                         const std::string& expected) {
  throw InputError::At(source_.Locate(byte), found, expected);
}

}  // namespace graph_coverage
