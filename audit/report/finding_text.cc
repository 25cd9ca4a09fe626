// SPDX-License-Identifier: Apache-2.0
#include "audit/report/finding_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/analysis/families.h"
#include "audit/artifacts/utf8.h"
#include "audit/report/colour.h"

namespace graph_coverage {
namespace {

constexpr std::size_t kMostPlaces = 3;

std::string PlacesText(const std::vector<Place>& places) {
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), kMostPlaces); ++i) {
    const Place& place = places[i];
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", place.file,
                        place.line == 0 ? "" : fmt::format(":{}", place.line));
  }
  if (places.size() > kMostPlaces) {
    text += fmt::format(" and {} more", places.size() - kMostPlaces);
  }
  return text;
}

}  // namespace

std::string RanksText(const std::vector<RankId>& ranks) {
  std::vector<std::uint32_t> numbers;
  for (const RankId rank : ranks) {
    numbers.push_back(static_cast<std::uint32_t>(rank));
  }
  return fmt::format("{} {}", ranks.size() == 1 ? "rank" : "ranks",
                     RangesText(numbers));
}

std::string TasksText(const std::vector<TaskRange>& tasks, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(tasks.size(), most); ++i) {
    const std::size_t first = Index(tasks[i].first);
    const std::size_t last = Index(tasks[i].last);
    text += text.empty() ? "" : ", ";
    text += first == last ? fmt::format("{}", first)
                          : fmt::format("{}-{}", first, last);
  }
  if (tasks.size() > most) text += ", …";
  return text;
}

std::string WhereText(const Finding& finding) {
  std::string where = PlacesText(finding.places);
  const auto add = [&where](const std::string& text) {
    where += (where.empty() ? "" : "; ") + text;
  };
  if (!finding.ranks.empty()) add(RanksText(finding.ranks));
  // Of a finding about a tensor the name says the layer.
  if (!finding.tasks.empty() || finding.tensor.empty()) {
    if (!finding.layers.empty()) {
      add(fmt::format("layer{} {}", finding.layers.size() == 1 ? "" : "s",
                      RangesText(finding.layers)));
    }
    if (!finding.tasks.empty()) {
      const bool one = finding.tasks.size() == 1 &&
                       finding.tasks[0].first == finding.tasks[0].last;
      add((one ? "task " : "tasks ") + TasksText(finding.tasks, kMostPlaces));
    }
  }
  if (finding.count > 1) add(fmt::format("{} places", finding.count));
  if (!finding.id.empty()) add("id " + finding.id);
  return where;
}

std::string FindingText(const Finding& finding,
                        const FindingTextOptions& options) {
  const std::string& indent = options.indent;
  std::string text =
      indent +
      Painted(ToString(finding.severity), ColourOf(finding.severity),
              options.colour) +
      Printable(fmt::format("[{}]: {}", finding.rule, finding.message())) +
      "\n";
  const std::string where = WhereText(finding);
  if (!where.empty()) text += indent + "  " + Printable(where) + "\n";
  if (finding.consequences.empty()) return text;

  text += indent + "  Mend this and the following are gone:\n";
  FindingTextOptions inner = options;
  inner.indent += "    ";
  const std::size_t said =
      std::min(finding.consequences.size(), options.most_consequences);
  for (std::size_t i = 0; i < said; ++i) {
    text += FindingText(finding.consequences[i], inner);
  }
  if (finding.consequences.size() > said) {
    text += fmt::format("{}… and {} more\n", inner.indent,
                        finding.consequences.size() - said);
  }
  return text;
}

}  // namespace graph_coverage
