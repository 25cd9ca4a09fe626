// SPDX-License-Identifier: Apache-2.0
#include "audit/rules/branch_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace graph_coverage {
namespace {

std::vector<std::string_view> Tokens(std::string_view body) {
  std::vector<std::string_view> tokens;
  for (std::size_t start = 0; start < body.size();) {
    const std::size_t end = std::min(body.find(' ', start), body.size());
    if (end > start) tokens.push_back(body.substr(start, end - start));
    start = end + 1;
  }
  return tokens;
}

// The slots of a body in the order of the text, the residual's left out.
std::vector<std::string> SlotsIn(const Branch& branch,
                                 const SlotSet& residual) {
  const std::vector<std::string_view> tokens = Tokens(branch.body);
  std::vector<std::string> slots;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const bool input = tokens[i].substr(0, 5) == "input";
    const bool output = tokens[i].substr(0, 6) == "output";
    if ((!input && !output) || tokens[i + 1] != "[") continue;
    std::uint32_t number = 0;
    for (const char c : tokens[i + 2]) {
      if (c < '0' || c > '9') break;
      number = 10 * number + static_cast<std::uint32_t>(c - '0');
    }
    if (residual.has({output, number})) continue;
    slots.push_back(fmt::format("{}[{}]", tokens[i], tokens[i + 2]));
  }
  return slots;
}

// Whether tokens differ only where each is its own rank's number.
bool SameButRank(const BranchOnRank& a, const BranchOnRank& b) {
  const auto x = Tokens(a.branch.body);
  const auto y = Tokens(b.branch.body);
  const std::string rank_a = std::to_string(Index(a.rank));
  const std::string rank_b = std::to_string(Index(b.rank));
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [&](std::string_view p, std::string_view q) {
                      return p == q || (p == rank_a && q == rank_b);
                    });
}

// Whether the code of a type that is not known may be meant to differ: as that
// of known ones does, which add a term on one rank only or name their rank.
bool MayDiffer(const BranchOnRank& a, const BranchOnRank& b) {
  std::vector<std::string> fewer = SlotsIn(a.branch, {});
  std::vector<std::string> more = SlotsIn(b.branch, {});
  if (fewer.size() > more.size()) fewer.swap(more);
  if (fewer.size() == more.size()) return SameButRank(a, b);
  auto at = more.begin();
  for (const std::string& slot : fewer) {
    at = std::find(at, more.end(), slot);
    if (at == more.end()) return false;
    ++at;
  }
  return true;
}

}  // namespace

bool MayBothRun(const BranchOnRank& a, const BranchOnRank& b,
                const TaskSemantics* type) {
  if (a.branch.body == b.branch.body) return true;
  if (type == nullptr) return MayDiffer(a, b);
  if (!type->residual.empty()) {
    return SlotsIn(a.branch, type->residual) ==
               SlotsIn(b.branch, type->residual) &&
           a.branch.reads_task_metadata == b.branch.reads_task_metadata &&
           a.branch.reads_runtime_tokens == b.branch.reads_runtime_tokens;
  }
  return type->collective && SameButRank(a, b);
}

std::string OwnCode(const Branch& own, const Branch& other) {
  constexpr std::ptrdiff_t kMostTokens = 6;
  const auto x = Tokens(own.body);
  const auto y = Tokens(other.body);
  const auto at = std::mismatch(x.begin(), x.end(), y.begin(), y.end()).first;
  const auto left = std::min(kMostTokens, x.end() - at);
  return left == 0 ? "no more"
                   : fmt::format("\"{}\"", fmt::join(at, at + left, " "));
}

}  // namespace graph_coverage
