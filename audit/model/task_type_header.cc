// SPDX-License-Identifier: Apache-2.0
#include "audit/model/task_type_header.h"

#include <limits>
#include <optional>

#include "audit/artifacts/cxx_tokens.h"
#include "graph_coverage/error.h"

namespace graph_coverage {
namespace {

using Numbers = std::map<std::string, std::uint32_t>;

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint32_t>::max();

// The token behind the { of `enum TaskType {`.
std::optional<std::size_t> FindEnum(const CxxTokens& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].Is("enum")) continue;
    std::size_t at = i + 1;
    if (tokens[at].Is("class") || tokens[at].Is("struct")) ++at;
    if (!tokens[at].Is("TaskType")) continue;
    while (at < tokens.size() && !tokens[at].Is("{") && !tokens[at].Is(";")) {
      ++at;
    }
    if (tokens[at].Is("{")) return at + 1;
  }
  return std::nullopt;
}

// Reads `A + 1`, `296`, `(0x10)` from `at` on, which is moved behind it.
std::uint32_t ReadValue(const CxxTokens& tokens, const Numbers& known,
                        std::size_t& at) {
  std::uint64_t sum = 0;
  for (;;) {
    while (tokens[at].Is("(")) ++at;
    std::optional<std::uint64_t> term = IntegerValue(tokens[at]);
    if (tokens[at].IsIdentifier()) {
      const auto found = known.find(std::string(tokens[at].text));
      if (found != known.end()) term = found->second;
    }
    if (!term || *term > kLargest || sum + *term > kLargest) {
      tokens.Fail(at, "a number of at most 32 bits or an earlier enumerator");
    }
    sum += *term;
    ++at;
    while (tokens[at].Is(")")) ++at;
    if (!tokens[at].Is("+")) return static_cast<std::uint32_t>(sum);
    ++at;
  }
}

}  // namespace

Numbers ReadTaskTypeHeader(std::string_view text, const std::string& file) {
  const CxxTokens tokens(text, file);
  const std::optional<std::size_t> begin = FindEnum(tokens);
  if (!begin) {
    throw InputError::Of(file,
                         "no enum TaskType: expected the generator's "
                         "runtime_header.h");
  }
  Numbers numbers;
  std::uint64_t next = 0;
  std::size_t at = *begin;
  while (!tokens[at].Is("}")) {
    if (!tokens[at].IsIdentifier()) {
      tokens.Fail(at, "the name of a task type");
    }
    const std::size_t name = at++;
    if (tokens[at].Is("=")) next = ReadValue(tokens, numbers, ++at);
    if (next > kLargest) tokens.Fail(name, "a value of at most 32 bits");
    numbers.emplace(tokens[name].text, static_cast<std::uint32_t>(next));
    ++next;
    if (tokens[at].Is(",")) {
      ++at;
    } else if (!tokens[at].Is("}")) {
      tokens.Fail(at, ", or }");
    }
  }
  return numbers;
}

}  // namespace graph_coverage
