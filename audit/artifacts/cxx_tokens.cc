// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/cxx_tokens.h"

#include <fmt/format.h>

#include <charconv>

namespace graph_coverage {

Place CxxTokens::place(std::size_t i) const {
  const CxxToken& token = tokens_[i];
  std::size_t line_start = token.byte;
  while (line_start > 0 && text_[line_start - 1] != '\n') --line_start;
  return {file_, token.line, token.byte - line_start + 1, token.byte};
}

void CxxTokens::Fail(std::size_t i, const std::string& expected) const {
  const CxxToken& token = tokens_[i];
  throw InputError::At(place(i),
                       token.kind == CxxToken::Kind::kEnd
                           ? "the end of the file"
                           : ShownToken(token.text),
                       expected);
}

std::string ShownToken(std::string_view text) {
  constexpr std::size_t kLimit = 60;
  std::string shown;
  for (const char c : text.substr(0, kLimit)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += c;
    }
  }
  if (text.size() > kLimit) shown += "...";
  return shown;
}

std::optional<std::uint64_t> IntegerValue(const CxxToken& token) {
  if (!token.IsNumber()) return std::nullopt;
  std::string digits;
  for (const char c : token.text) {
    if (c != '\'') digits += c;
  }
  int base = 10;
  std::size_t start = 0;
  if (digits[0] == '0' && digits.size() > 1) {
    if (digits[1] == 'x' || digits[1] == 'X') {
      base = 16;
      start = 2;
    } else if (digits[1] == 'b' || digits[1] == 'B') {
      base = 2;
      start = 2;
    } else {
      base = 8;
    }
  }
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] =
      std::from_chars(digits.data() + start, end, value, base);
  if (error != std::errc()) return std::nullopt;
  const std::string_view suffix(stop, static_cast<std::size_t>(end - stop));
  if (suffix.size() > 3 ||
      suffix.find_first_not_of("uUlLzZ") != std::string_view::npos) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> StringValue(const CxxToken& token) {
  if (!token.IsString()) return std::nullopt;
  const std::size_t quote = token.text.find('"');
  std::string_view inner =
      token.text.substr(quote + 1, token.text.size() - quote - 2);
  if (quote > 0 && token.text[quote - 1] == 'R') {
    const std::size_t open = inner.find('(');
    return std::string(inner.substr(open + 1, inner.size() - 2 * open - 2));
  }
  std::string value;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] == '\\') {
      ++i;
      if (i == inner.size() ||
          (inner[i] != '"' && inner[i] != '\'' && inner[i] != '\\')) {
        return std::nullopt;
      }
    }
    value += inner[i];
  }
  return value;
}

}  // namespace graph_coverage
