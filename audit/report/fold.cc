// SPDX-License-Identifier: Apache-2.0
#include "audit/report/fold.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "graph_coverage/catalogue.h"

namespace graph_coverage {
namespace {

// What findings must have in common to fold.
using Key = std::tuple<std::string, Severity, std::string, std::string,
                       std::string, std::string, std::string, std::string>;

Key KeyOf(const Finding& finding, std::string subject) {
  return {finding.rule,      finding.severity, std::move(subject),
          finding.task_type, finding.found,    finding.expected,
          finding.siblings,  finding.advice};
}

FamilyName FamilyOf(const Finding& finding, const View& view,
                    const Families& families) {
  const std::optional<TensorId> tensor = view.FindTensor(finding.tensor);
  return tensor ? families.of(*tensor)
                : FamilyName{finding.tensor, std::nullopt};
}

template <typename T>
void AppendNew(const std::vector<T>& items, std::vector<T>* to) {
  for (const T& item : items) {
    if (std::find(to->begin(), to->end(), item) == to->end()) {
      to->push_back(item);
    }
  }
}

template <typename T>
void Append(const std::vector<T>& items, std::vector<T>* to) {
  to->insert(to->end(), items.begin(), items.end());
}

void Unite(const Finding& finding, Finding* into) {
  into->count += finding.count;
  Append(finding.members, &into->members);
  Append(finding.layers, &into->layers);
  Append(finding.places, &into->places);
  Append(finding.tasks, &into->tasks);
  Append(finding.consequences, &into->consequences);
}

// Leaves out what has the key of something before it.
template <typename T, typename Key>
void KeepFirsts(const Key& key_of, std::vector<T>* items) {
  std::set<std::decay_t<decltype(key_of(items->front()))>> seen;
  std::vector<T> firsts;
  for (T& item : *items) {
    if (seen.insert(key_of(item)).second) firsts.push_back(std::move(item));
  }
  *items = std::move(firsts);
}

void DropRepeats(Finding* united) {
  KeepFirsts([](const std::string& member) { return member; },
             &united->members);
  KeepFirsts([](std::uint32_t layer) { return layer; }, &united->layers);
  KeepFirsts(
      [](const Place& place) {
        return std::tuple(place.file, place.line, place.byte);
      },
      &united->places);
}

// Sorts ranges of tasks and joins those that touch.
void JoinRanges(std::vector<TaskRange>* ranges) {
  std::sort(
      ranges->begin(), ranges->end(),
      [](const TaskRange& a, const TaskRange& b) { return a.first < b.first; });
  std::vector<TaskRange> joined;
  for (const TaskRange& range : *ranges) {
    if (!joined.empty() &&
        Index(range.first) <= Index(joined.back().last) + 1) {
      joined.back().last = std::max(joined.back().last, range.last);
    } else {
      joined.push_back(range);
    }
  }
  *ranges = std::move(joined);
}

// The name of several tensors: a pattern a family, in the order given.
std::string NameOf(const std::vector<std::string>& members, const View& view,
                   const Families& families) {
  std::vector<std::pair<std::string, std::set<std::uint32_t>>> by_family;
  std::unordered_map<std::string, std::size_t> position;
  for (const std::string& member : members) {
    const std::optional<TensorId> tensor = view.FindTensor(member);
    const FamilyName name =
        tensor ? families.of(*tensor) : FamilyName{member, std::nullopt};
    const auto [at, added] = position.emplace(name.family, by_family.size());
    if (added) by_family.push_back({name.family, {}});
    if (name.layer) by_family[at->second].second.insert(*name.layer);
  }
  std::string text;
  for (const auto& [family, layers] : by_family) {
    text += text.empty() ? "" : ", ";
    text += FamilyPattern(family, {layers.begin(), layers.end()});
  }
  return text;
}

bool SameTasks(const Finding& a, const Finding& b) {
  return std::equal(a.tasks.begin(), a.tasks.end(), b.tasks.begin(),
                    b.tasks.end(), [](const TaskRange& x, const TaskRange& y) {
                      return x.first == y.first && x.last == y.last;
                    });
}

bool SameButRank(const Finding& a, const Finding& b) {
  return KeyOf(a, a.tensor) == KeyOf(b, b.tensor) && a.count == b.count &&
         a.event == b.event && a.members == b.members && a.layers == b.layers &&
         SameTasks(a, b) &&
         std::equal(a.consequences.begin(), a.consequences.end(),
                    b.consequences.begin(), b.consequences.end(), SameButRank);
}

void AddRanks(const std::vector<RankId>& ranks, Finding* finding) {
  AppendNew(ranks, &finding->ranks);
  std::sort(finding->ranks.begin(), finding->ranks.end());
  for (Finding& consequence : finding->consequences) {
    AddRanks(ranks, &consequence);
  }
}

}  // namespace

std::vector<Finding> FoldLayers(const std::vector<Finding>& findings,
                                const View& view, const Families& families) {
  std::vector<Finding> folded;
  std::set<std::size_t> united;
  std::map<Key, std::size_t> position;
  for (const Finding& finding : findings) {
    const RuleInfo* rule = FindRule(finding.rule);
    const bool one_line = rule != nullptr && rule->one_line;
    const FamilyName name = FamilyOf(finding, view, families);
    const auto [at, added] = position.emplace(
        KeyOf(finding, one_line ? "" : name.family), folded.size());
    if (added) {
      folded.push_back(finding);
      continue;
    }
    Unite(finding, &folded[at->second]);
    united.insert(at->second);
  }
  for (const std::size_t at : united) DropRepeats(&folded[at]);
  for (Finding& finding : folded) {
    if (finding.members.size() > 1) {
      finding.tensor = NameOf(finding.members, view, families);
    }
    std::sort(finding.layers.begin(), finding.layers.end());
    JoinRanges(&finding.tasks);
    if (finding.consequences.size() > 1) {
      finding.consequences = FoldLayers(finding.consequences, view, families);
    }
  }
  return folded;
}

std::vector<Finding> FoldRanks(const std::vector<std::vector<Finding>>& ranks) {
  std::vector<Finding> folded;
  std::map<Key, std::vector<std::size_t>> alike;
  for (const std::vector<Finding>& findings : ranks) {
    for (const Finding& finding : findings) {
      std::vector<std::size_t>& candidates =
          alike[KeyOf(finding, finding.tensor)];
      const auto at = std::find_if(
          candidates.begin(), candidates.end(),
          [&](std::size_t i) { return SameButRank(folded[i], finding); });
      if (at != candidates.end()) {
        AddRanks(finding.ranks, &folded[*at]);
        continue;
      }
      candidates.push_back(folded.size());
      folded.push_back(finding);
    }
  }
  return folded;
}

}  // namespace graph_coverage
