// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace graph_coverage {
namespace {

constexpr char kLayerMark = '#';

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A name cut at its first decimal run.
struct Cut {
  std::string_view prefix;
  std::uint32_t number = 0;
  std::string_view rest;
};

std::optional<Cut> CutName(std::string_view name) {
  const auto first = std::find_if(name.begin(), name.end(), IsDigit);
  if (first == name.end() || first == name.begin()) return std::nullopt;
  const auto last = std::find_if_not(first, name.end(), IsDigit);
  Cut cut;
  const auto [end, error] =
      std::from_chars(&*first, &*first + (last - first), cut.number);
  if (error != std::errc()) return std::nullopt;
  const auto length = static_cast<std::size_t>(first - name.begin());
  cut.prefix = name.substr(0, length);
  cut.rest = name.substr(static_cast<std::size_t>(last - name.begin()));
  return cut;
}

bool NamesLayers(std::string_view prefix) {
  for (const std::string_view word : {"layer", "block", "stage", "step"}) {
    if (prefix.find(word) != std::string_view::npos) return true;
  }
  return false;
}

bool IsLayerAxis(std::string_view prefix,
                 const std::set<std::uint32_t>& numbers) {
  const std::size_t least = NamesLayers(prefix) ? 2 : 3;
  if (numbers.size() < least) return false;
  const std::uint64_t range = *numbers.rbegin() - *numbers.begin() + 1ull;
  return 2 * numbers.size() >= range;
}

// Calls visit(first, last) for each run of consecutive numbers.
template <typename Visit>
void EachRun(const std::vector<std::uint32_t>& numbers, const Visit& visit) {
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t j = i + 1;
    while (j < numbers.size() && numbers[j] == numbers[j - 1] + 1) ++j;
    visit(numbers[i], numbers[j - 1]);
    i = j;
  }
}

}  // namespace

Families::Families(const View& view, const Prefixes& layer_prefixes) {
  std::map<std::string_view, std::set<std::uint32_t>> numbers_of;
  for (std::size_t i = 0; i < view.tensor_count(); ++i) {
    // A mutation may have taken away all that names a tensor.
    if (view.references(TensorId(i)).empty() &&
        view.declaration(TensorId(i)) == nullptr) {
      continue;
    }
    if (const auto cut = CutName(view.tensor_name(TensorId(i)))) {
      numbers_of[cut->prefix].insert(cut->number);
    }
  }
  const auto is_axis = [&](std::string_view prefix) {
    if (!layer_prefixes) return IsLayerAxis(prefix, numbers_of[prefix]);
    return std::find(layer_prefixes->begin(), layer_prefixes->end(), prefix) !=
           layer_prefixes->end();
  };
  names_.reserve(view.tensor_count());
  for (std::size_t i = 0; i < view.tensor_count(); ++i) {
    const std::string_view name = view.tensor_name(TensorId(i));
    const auto cut = CutName(name);
    if (cut && is_axis(cut->prefix)) {
      std::string family(cut->prefix);
      family += kLayerMark;
      family += cut->rest;
      names_.push_back({std::move(family), cut->number});
    } else {
      names_.push_back({std::string(name), std::nullopt});
    }
  }
}

std::optional<std::uint32_t> LayerOnAxis(std::string_view family,
                                         std::string_view name) {
  const std::size_t mark = family.find(kLayerMark);
  const auto cut = CutName(name);
  if (mark == std::string_view::npos || !cut ||
      cut->prefix != family.substr(0, mark)) {
    return std::nullopt;
  }
  return cut->number;
}

std::string FamilyPattern(std::string_view family,
                          const std::vector<std::uint32_t>& layers) {
  const std::size_t mark = family.find(kLayerMark);
  if (layers.empty() || mark == std::string_view::npos) {
    return std::string(family);
  }
  std::string runs;
  EachRun(layers, [&runs](std::uint32_t first, std::uint32_t last) {
    if (!runs.empty()) runs += ',';
    runs += first == last ? fmt::format("{}", first)
                          : fmt::format("{}..{}", first, last);
  });
  if (layers.size() > 1) runs = "{" + runs + "}";
  return fmt::format("{}{}{}", family.substr(0, mark), runs,
                     family.substr(mark + 1));
}

std::optional<std::vector<std::uint32_t>> ParseRanges(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  const auto read = [&at, end](std::uint32_t* number) {
    const auto [next, error] = std::from_chars(at, end, *number);
    at = next;
    return error == std::errc() && *number <= kMostInRanges;
  };
  for (;;) {
    std::uint32_t first = 0;
    if (!read(&first)) return std::nullopt;
    std::uint32_t last = first;
    if (at != end && *at == '-') {
      ++at;
      if (!read(&last) || last < first) return std::nullopt;
    }
    if (numbers.size() > kMostInRanges) return std::nullopt;
    for (std::uint32_t i = first; i <= last; ++i) numbers.push_back(i);
    if (at == end) return numbers;
    if (std::string_view(at, static_cast<std::size_t>(end - at)).substr(0, 2) !=
        ", ") {
      return std::nullopt;
    }
    at += 2;
  }
}

std::string RangesText(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  EachRun(numbers, [&text](std::uint32_t first, std::uint32_t last) {
    if (!text.empty()) text += ", ";
    text += first == last ? fmt::format("{}", first)
                          : fmt::format("{}-{}", first, last);
  });
  return text;
}

}  // namespace graph_coverage
