// SPDX-License-Identifier: Apache-2.0
#include "audit/model/one_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace graph_coverage {

std::string Counted(std::uint64_t count, std::string_view noun,
                    std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", noun);
  if (!plural.empty()) return fmt::format("{} {}", count, plural);
  return fmt::format("{} {}s", count, noun);
}

std::string RankList(const std::vector<RankId>& ranks) {
  if (ranks.empty()) return "no rank";
  std::string list = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() &&
           Index(ranks[last + 1]) == Index(ranks[last]) + 1) {
      ++last;
    }
    if (i > 0) list += ", ";
    list += fmt::format("{}", Index(ranks[i]));
    if (last > i) list += fmt::format("-{}", Index(ranks[last]));
    i = last + 1;
  }
  return list;
}

std::string OneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace graph_coverage
