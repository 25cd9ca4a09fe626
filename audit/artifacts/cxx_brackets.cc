// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/cxx_brackets.h"

#include <fmt/format.h>

#include <string>

namespace graph_coverage {
namespace {

constexpr std::size_t kDeepest = 100;

char CloserOf(const CxxToken& opener) {
  switch (opener.text[0]) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
  }
  return '>';
}

bool IsPunctuation(const CxxToken& token, std::string_view any_of) {
  return token.kind == CxxToken::Kind::kPunctuation && token.text.size() == 1 &&
         any_of.find(token.text[0]) != std::string_view::npos;
}

}  // namespace

CxxBrackets::CxxBrackets(const CxxTokens& tokens) : tokens_(tokens) {
  const std::size_t count = tokens.size();
  partner_.resize(count + 1);
  for (std::size_t i = 0; i <= count; ++i) {
    partner_[i] = static_cast<std::uint32_t>(i);
  }
  std::vector<std::size_t> open;  // of < only those that may still pair
  std::size_t depth = 0;
  const auto drop_comparisons = [&] {
    while (!open.empty() && tokens[open.back()].text == "<") open.pop_back();
  };
  const auto pair = [&](std::size_t i) {
    partner_[open.back()] = static_cast<std::uint32_t>(i);
    partner_[i] = static_cast<std::uint32_t>(open.back());
    open.pop_back();
  };
  for (std::size_t i = 0; i < count; ++i) {
    const CxxToken& token = tokens[i];
    if (token.kind != CxxToken::Kind::kPunctuation || token.text.size() != 1) {
      continue;
    }
    switch (token.text[0]) {
      case '(':
      case '[':
      case '{':
        if (++depth > kDeepest) {
          tokens.Fail(
              i, fmt::format("brackets that nest at most {} deep", kDeepest));
        }
        open.push_back(i);
        break;
      case '<':
        if (i > 0 && tokens[i - 1].IsIdentifier()) open.push_back(i);
        break;
      case '>': {
        if (open.empty() || tokens[open.back()].text != "<") break;
        // `a < b >= c` compares; `a < b > 3` does too.
        const CxxToken& next = tokens[i + 1];
        const bool compares = (next.Is("=") && !next.space_before) ||
                              next.Is("==") || next.IsNumber();
        if (!compares) pair(i);
        break;
      }
      case ';':
        drop_comparisons();
        break;
      case ')':
      case ']':
      case '}':
        drop_comparisons();
        if (open.empty()) {
          tokens.Fail(i, fmt::format("a {} before it that it closes",
                                     token.text == ")"   ? '('
                                     : token.text == "]" ? '['
                                                         : '{'));
        }
        if (CloserOf(tokens[open.back()]) != token.text[0]) {
          tokens.Fail(i, fmt::format("{} to close the {} of line {}",
                                     CloserOf(tokens[open.back()]),
                                     tokens[open.back()].text,
                                     tokens[open.back()].line));
        }
        --depth;
        pair(i);
        break;
      default:
        break;
    }
  }
  drop_comparisons();
  if (!open.empty()) {
    tokens.Fail(
        count, fmt::format("{} to close the {} of line {}",
                           CloserOf(tokens[open.back()]),
                           tokens[open.back()].text, tokens[open.back()].line));
  }
}

std::size_t CxxBrackets::Find(CxxRange range, std::string_view spelling) const {
  for (std::size_t i = range.begin; i < range.end; i = Behind(i)) {
    if (tokens_[i].Is(spelling)) return i;
  }
  return range.end;
}

std::vector<CxxRange> CxxBrackets::Split(CxxRange range,
                                         std::string_view separator) const {
  std::vector<CxxRange> parts;
  if (range.empty()) return parts;
  for (;;) {
    const std::size_t at = Find(range, separator);
    parts.push_back({range.begin, at});
    if (at == range.end) return parts;
    range.begin = at + 1;
  }
}

bool CxxBrackets::IsCastType(CxxRange range) const {
  if (range.empty() || !tokens_[range.begin].IsIdentifier()) return false;
  for (std::size_t i = range.begin; i < range.end; i = Behind(i)) {
    const CxxToken& token = tokens_[i];
    const bool belongs = token.IsIdentifier() || token.Is("::") ||
                         token.Is("*") || token.Is("&") ||
                         (token.Is("<") && Opens(i));
    if (!belongs) return false;
  }
  return true;
}

CxxRange CxxBrackets::WithoutCasts(CxxRange range) const {
  while (range.size() > 1) {
    const CxxToken& first = tokens_[range.begin];
    if (first.Is("(")) {
      const std::size_t close = Partner(range.begin);
      if (close + 1 == range.end) {  // (x)
        range = {range.begin + 1, close};
        continue;
      }
      // (char*)x, but not (a) - b
      const CxxToken& next = tokens_[close + 1];
      if (!IsCastType({range.begin + 1, close}) ||
          !(next.IsIdentifier() || next.IsNumber() || next.Is("(") ||
            (next.Is("&") && tokens_[close - 1].Is("*")))) {
        return range;
      }
      range.begin = close + 1;
      continue;
    }
    if (!first.Is("static_cast") && !first.Is("reinterpret_cast") &&
        !first.Is("const_cast")) {
      return range;
    }
    if (!tokens_[range.begin + 1].Is("<") || !Opens(range.begin + 1)) {
      return range;
    }
    const std::size_t open = Behind(range.begin + 1);
    if (!tokens_[open].Is("(") || Behind(open) != range.end) return range;
    range = {open + 1, range.end - 1};
  }
  return range;
}

std::optional<CxxRange> CxxBrackets::FunctionBody(std::string_view name) const {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (!tokens_[i].Is(name) || !tokens_[i + 1].Is("(")) continue;
    // Up to the body, or to the end of a declaration or call.
    std::size_t at = Behind(i + 1);
    while (tokens_[at].IsIdentifier()) ++at;
    if (IsPunctuation(tokens_[at], "{")) return CxxRange{at + 1, Partner(at)};
  }
  return std::nullopt;
}

}  // namespace graph_coverage
