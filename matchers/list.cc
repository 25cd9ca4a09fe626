// SPDX-License-Identifier: Apache-2.0
#include "matchers/list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <utility>

namespace graph_coverage {
namespace {

constexpr std::size_t kMostListed = 10;

}  // namespace

std::string ListTexts(const std::vector<std::string>& texts,
                      const Report& report) {
  std::string list;
  const std::size_t listed = std::min(texts.size(), kMostListed);
  for (std::size_t i = 0; i < listed; ++i) {
    list += "\n  ";
    for (const char each : texts[i]) {
      list += each;
      if (each == '\n') list += "  ";
    }
  }
  if (texts.size() > listed) {
    list += fmt::format("\n  … and {} more: run mk-graph-coverage-audit {}",
                        texts.size() - listed, report.gendir);
  }
  return list;
}

std::string ListFindings(const std::vector<const Finding*>& findings,
                         const Report& report) {
  std::vector<std::string> texts;
  for (const Finding* finding : findings) {
    std::ostringstream text;
    PrintTo(*finding, &text);
    texts.push_back(text.str());
  }
  return ListTexts(texts, report);
}

std::string CountByRule(const std::vector<const Finding*>& findings) {
  std::vector<std::pair<std::string_view, std::size_t>> counts;
  for (const Finding* finding : findings) {
    const auto at = std::find_if(
        counts.begin(), counts.end(),
        [&](const auto& count) { return count.first == finding->rule; });
    if (at == counts.end()) {
      counts.emplace_back(finding->rule, 1);
    } else {
      ++at->second;
    }
  }
  if (counts.empty()) return "none";
  std::string text;
  for (const auto& [rule, count] : counts) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", rule, count);
  }
  return text;
}

}  // namespace graph_coverage
