// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "audit/artifacts/cxx_conditionals.h"
#include "audit/artifacts/cxx_tokens.h"

namespace graph_coverage {
namespace {

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWordCharacter(char c) { return IsLetter(c) || IsDigit(c); }
bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// Longest first among those that share a beginning. No entry starts with '>'.
constexpr std::array<std::string_view, 25> kOperators = {
    "<<<", "<<=", "<=>", "...", "->*", "<<", "<=", "->", "::",
    "&&",  "&=",  "||",  "|=",  "==",  "!=", "++", "+=", "--",
    "-=",  "*=",  "/=",  "%=",  "^=",  ".*", "##"};

// What the operators go on with after their first character.
constexpr std::string_view kOperatorTails = "<=>.:*&|+-#";

bool IsRawPrefix(std::string_view word) {
  return word == "R" || word == "LR" || word == "uR" || word == "UR" ||
         word == "u8R";
}
bool IsEncodingPrefix(std::string_view word) {
  return word == "L" || word == "u" || word == "U" || word == "u8";
}

}  // namespace

// Reads one text from front to back.
class CxxTokenizer {
 public:
  CxxTokenizer(std::string_view text, CxxTokens& out)
      : text_(text), out_(out) {}

  void Run() {
    if (text_.size() >= 3 && text_.substr(0, 3) == "\xef\xbb\xbf") pos_ = 3;
    if (const void* nul = std::memchr(text_.data(), 0, text_.size())) {
      MoveTo(static_cast<std::size_t>(static_cast<const char*>(nul) -
                                      text_.data()));
      throw InputError::At(Here(), "a NUL byte", "C++ text");
    }
    out_.tokens_.reserve(text_.size() / 5 + 1);
    while (Next()) {
    }
    conditionals_.CheckClosed();
    token_start_ = pos_;
    token_line_ = line_;
    Emit(CxxToken::Kind::kEnd, {});
  }

 private:
  // Handles what stands at pos_; false at the end.
  bool Next() {
    if (pos_ >= text_.size()) return false;
    const char c = text_[pos_];
    if (c == '\n') {
      NewLine(pos_++);
      line_is_empty_ = true;
      space_ = true;
    } else if (IsBlank(c)) {
      ++pos_;
      space_ = true;
    } else if (c == '\\' && Splice(pos_) != pos_) {
      MoveTo(Splice(pos_));
      space_ = true;
    } else if (c == '/' && At(AfterSplices(pos_ + 1)) == '/') {
      SkipLineComment();
    } else if (c == '/' && At(AfterSplices(pos_ + 1)) == '*') {
      SkipBlockComment();
    } else if (c == '#' && line_is_empty_) {
      Directive();
    } else {
      line_is_empty_ = false;
      token_start_ = pos_;
      token_line_ = line_;
      token_line_start_ = line_start_;
      Token(c);
    }
    return true;
  }

  void Token(char c) {
    if (IsLetter(c)) {
      const std::string_view word =
          Scan([this](std::size_t p) { return IsWordCharacter(text_[p]); });
      const char next = At(pos_);
      if (next == '"' && IsRawPrefix(word)) return RawString();
      if ((next == '"' || next == '\'') && IsEncodingPrefix(word)) {
        return Literal(next, word);
      }
      return Emit(CxxToken::Kind::kIdentifier, word);
    }
    if (IsDigit(c) || (c == '.' && IsDigit(At(pos_ + 1)))) {
      return Emit(CxxToken::Kind::kNumber,
                  Scan([this](std::size_t p) { return IsInNumber(p); }));
    }
    if (c == '"' || c == '\'') return Literal(c, {});
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      throw InputError::At(
          Here(), fmt::format("byte {:#04x}", static_cast<unsigned>(c)),
          "C++ text");
    }
    Punctuation();
  }

  bool IsInNumber(std::size_t p) const {
    const char c = text_[p];
    if (IsWordCharacter(c) || c == '.') return true;
    if (c == '\'') return IsWordCharacter(At(p + 1));
    if ((c != '+' && c != '-') || p == token_start_) return false;
    const char before = text_[p - 1];
    return before == 'e' || before == 'E' || before == 'p' || before == 'P';
  }

  void Punctuation() {
    // Up to three characters, with any continuations between them removed.
    std::array<char, 3> ahead{};
    std::array<std::size_t, 3> ends{};
    std::size_t count = 0;
    for (std::size_t p = pos_; count < 3 && p < text_.size(); ++count) {
      ahead[count] = text_[p];
      ends[count] = p + 1;
      p = AfterSplices(p + 1);
    }
    std::size_t length = 1;
    const std::string_view seen(ahead.data(), count);
    if (count > 1 && kOperatorTails.find(seen[1]) != std::string_view::npos) {
      for (const std::string_view op : kOperators) {
        if (seen.substr(0, op.size()) != op) continue;
        length = op.size();
        break;
      }
    }
    const std::size_t end = ends[length - 1];
    std::string_view text = text_.substr(pos_, end - pos_);
    if (text.size() != length) {
      text = out_.spliced_.emplace_back(seen.substr(0, length));
    }
    MoveTo(end);
    Emit(CxxToken::Kind::kPunctuation, text);
  }

  // A string or character literal whose prefix, if any, has been read.
  void Literal(char quote, std::string_view prefix) {
    const std::size_t open = pos_;
    std::string* joined = nullptr;
    std::size_t piece = open;  // what is not yet in `joined`
    bool escaped = false;
    std::size_t p = open + 1;
    for (bool closed = false; !closed;) {
      const char c = At(p);
      if (p >= text_.size() || c == '\n') {
        if (conditionals_.off()) {  // prose under #if 0
          pos_ = open + 1;
          return;
        }
        throw InputError::At(TokenPlace(),
                             ShownToken(text_.substr(open, p - open)),
                             fmt::format("a closing {} on this line", quote));
      }
      if (const std::size_t after = Splice(p); after != p) {
        if (joined == nullptr) joined = &out_.spliced_.emplace_back(prefix);
        joined->append(text_.substr(piece, p - piece));
        MoveTo(after);
        piece = p = after;
        continue;
      }
      closed = c == quote && !escaped;
      escaped = c == '\\' && !escaped;
      ++p;
    }
    pos_ = p;
    std::string_view text;
    if (joined != nullptr) {
      joined->append(text_.substr(piece, p - piece));
      text = *joined;
    } else {
      text = text_.substr(open - prefix.size(), p - open + prefix.size());
    }
    Emit(quote == '"' ? CxxToken::Kind::kString : CxxToken::Kind::kCharacter,
         text);
  }

  // A raw string whose prefix has been read: R"delimiter(…)delimiter".
  void RawString() {
    const std::size_t open = pos_ + 1;
    std::size_t p = open;
    while (p < text_.size() && p - open <= 16 && text_[p] != '(') {
      if (IsBlank(text_[p]) || text_[p] == '\n' || text_[p] == ')' ||
          text_[p] == '\\' || text_[p] == '"') {
        break;
      }
      ++p;
    }
    if (At(p) != '(' || p - open > 16) {
      throw InputError::At(
          TokenPlace(),
          ShownToken(text_.substr(token_start_, p - token_start_)),
          "( and the text of a raw string");
    }
    const std::string close =
        fmt::format("){}\"", std::string_view(text_.substr(open, p - open)));
    const std::size_t end = text_.find(close, p + 1);
    if (end == std::string_view::npos) {
      throw InputError::At(
          TokenPlace(),
          ShownToken(text_.substr(token_start_, p + 1 - token_start_)),
          fmt::format("{} before the end of the file", close));
    }
    MoveTo(end + close.size());
    Emit(CxxToken::Kind::kString,
         text_.substr(token_start_, pos_ - token_start_));
  }

  // The word from pos_ on whose bytes satisfy `belongs(position)`.
  template <typename Belongs>
  std::string_view Scan(Belongs belongs) {
    const std::size_t start = pos_;
    while (pos_ < text_.size() && belongs(pos_)) ++pos_;
    const std::string_view plain = text_.substr(start, pos_ - start);
    if (At(pos_) != '\\' || Splice(pos_) == pos_) return plain;
    std::string& joined = out_.spliced_.emplace_back(plain);
    while (At(pos_) == '\\' && Splice(pos_) != pos_) {
      MoveTo(Splice(pos_));
      while (pos_ < text_.size() && belongs(pos_)) joined += text_[pos_++];
    }
    return joined;
  }

  void SkipLineComment() {
    space_ = true;
    while (pos_ < text_.size() && text_[pos_] != '\n') {
      if (text_[pos_] == '\\' && Splice(pos_) != pos_) {
        MoveTo(Splice(pos_));
      } else {
        ++pos_;
      }
    }
  }

  void SkipBlockComment() {
    space_ = true;
    const Place start = Here();
    MoveTo(AfterSplices(pos_ + 1) + 1);
    while (pos_ < text_.size()) {
      const char c = text_[pos_];
      if (c == '\n') NewLine(pos_);
      if (c == '*') {
        const std::size_t next = AfterSplices(pos_ + 1);
        if (At(next) == '/') return MoveTo(next + 1);
      }
      ++pos_;
    }
    throw InputError::At(start, "/*", "*/ before the end of the file");
  }

  // A preprocessor line, from its #. Only conditionals matter.
  void Directive() {
    const Place place = Here();
    ++pos_;
    std::string words;
    while (pos_ < text_.size() && text_[pos_] != '\n') {
      const char c = text_[pos_];
      if (c == '\\' && Splice(pos_) != pos_) {
        MoveTo(Splice(pos_));
      } else if (c == '/' && At(AfterSplices(pos_ + 1)) == '*') {
        SkipBlockComment();
        words += ' ';
      } else if (c == '/' && At(AfterSplices(pos_ + 1)) == '/') {
        SkipLineComment();
      } else if (c == '"' || c == '\'') {
        const std::size_t close = LiteralEnd(pos_);
        words.append(text_.substr(pos_, close - pos_));
        pos_ = close;
      } else {
        words += IsBlank(c) ? ' ' : c;
        ++pos_;
      }
    }
    const auto from = [&words](std::size_t start) {
      const std::size_t next = words.find_first_not_of(' ', start);
      return std::min(next, words.size());
    };
    const std::size_t start = from(0);
    std::size_t end = start;
    while (end < words.size() && IsLetter(words[end])) ++end;
    const std::string name = words.substr(start, end - start);
    std::string condition = words.substr(from(end));
    condition.erase(condition.find_last_not_of(' ') + 1);
    conditionals_.Read(place, name, condition);
  }

  // Where the literal at p ends on this line; behind its quote if nowhere.
  std::size_t LiteralEnd(std::size_t p) const {
    const char quote = text_[p];
    for (std::size_t q = p + 1; q < text_.size() && text_[q] != '\n'; ++q) {
      if (text_[q] == quote) return q + 1;
      if (text_[q] == '\\' && At(q + 1) != '\n') ++q;
    }
    return p + 1;
  }

  void Emit(CxxToken::Kind kind, std::string_view text) {
    if (conditionals_.off()) return;
    out_.tokens_.push_back({text, static_cast<std::uint32_t>(token_start_),
                            token_line_, kind, space_});
    space_ = false;
  }

  char At(std::size_t p) const { return p < text_.size() ? text_[p] : '\0'; }

  // Behind the line continuation at p, or p where there is none. Blanks
  // between backslash and newline count, as compilers have it.
  std::size_t Splice(std::size_t p) const {
    std::size_t q = p + 1;
    while (q < text_.size() && IsBlank(text_[q])) ++q;
    return At(p) == '\\' && At(q) == '\n' ? q + 1 : p;
  }
  std::size_t AfterSplices(std::size_t p) const {
    while (At(p) == '\\' && Splice(p) != p) p = Splice(p);
    return p;
  }
  // Moves on to p, counting lines.
  void MoveTo(std::size_t p) {
    for (; pos_ < p; ++pos_) {
      if (text_[pos_] == '\n') NewLine(pos_);
    }
  }

  void NewLine(std::size_t newline) {
    ++line_;
    line_start_ = newline + 1;
  }
  // The place of pos_, and of the token that is being read.
  Place Here() const {
    return {out_.file_, line_, pos_ - line_start_ + 1, pos_};
  }
  Place TokenPlace() const {
    return {out_.file_, token_line_, token_start_ - token_line_start_ + 1,
            token_start_};
  }

  std::string_view text_;
  CxxTokens& out_;
  std::size_t pos_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
  bool line_is_empty_ = true;  // nothing but blanks and comments so far
  bool space_ = false;
  std::size_t token_start_ = 0;
  std::uint32_t token_line_ = 1;
  std::size_t token_line_start_ = 0;
  CxxConditionals conditionals_;
};

CxxTokens::CxxTokens(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)) {
  if (text.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError::Of(file_, "is larger than 4 GB, as no kernel source is");
  }
  CxxTokenizer(text, *this).Run();
}

}  // namespace graph_coverage
