// SPDX-License-Identifier: Apache-2.0
//
// What differs between two contracts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "audit/analysis/families.h"
#include "audit/artifacts/utf8.h"
#include "audit/contract/facts.h"
#include "audit/model/one_line.h"

namespace graph_coverage {
namespace {

// "TASK_LINEAR.in1": a slot by the type that has it.
bool IsSlot(std::string_view key) {
  return key.find('.') != std::string_view::npos;
}

// "in1".
std::string_view SlotOf(std::string_view key) {
  return key.substr(key.find('.') + 1);
}

// A slot's key as it is read: without a type, where types do not count.
std::string_view Shown(std::string_view key) {
  return key[0] == '.' ? SlotOf(key) : key;
}

std::string CountText(std::string_view key, std::uint64_t count) {
  if (IsSlot(key)) {
    return fmt::format("{} by {}", Counted(count, "ref"), Shown(key));
  }
  return fmt::format("{} {}", count, key);
}

// The facts without the types that have the slots, and so without tiles.
ContractFacts WithoutTypes(const ContractFacts& facts) {
  ContractFacts bare;
  for (const auto& [key, fact] : facts) {
    if (IsSlot(key)) {
      bare[key.substr(key.find('.'))].count += fact.count;
    } else {
      bare[key] = fact;
    }
  }
  return bare;
}

// How one fact changed, of which neither side is without it.
std::string ChangeOf(const std::string& key, const ContractFact& was,
                     const ContractFact& is) {
  if (was.count != is.count) {
    if (key == "bytes")
      return fmt::format("{} bytes, were {}", is.count, was.count);
    return fmt::format("{}, were {}", CountText(key, is.count), was.count);
  }
  if (IsSlot(key)) return fmt::format("other tiles in {}", key);
  if (key == "kind") return fmt::format("is {}, was {}", is.text, was.text);
  if (key == "code" || key == "events" || key == "copies") {
    return "other " + key;
  }
  return fmt::format("{} {}, were {}", key, is.text, was.text);
}

// Whether the facts say anything of a task type or branch.
bool HasSubject(const RankFacts& facts, const FactsKey& whole) {
  const auto at = facts.lower_bound(whole);
  return at != facts.end() && at->first.subject == whole.subject &&
         at->first.name == whole.name;
}

// How the facts of one key changed.
std::vector<std::string> ChangesOf(const FactsKey& key,
                                   const ContractFacts& before,
                                   const ContractFacts& after) {
  // A tensor's declaration is with it where it is of no layer or of its own.
  const bool declares =
      key.subject == ContractSubject::kTensor && key.prefix.empty();
  const auto kind_of = [](const ContractFacts& facts) {
    const auto kind = facts.find("kind");
    return kind == facts.end() ? std::string() : kind->second.text;
  };
  if (declares && kind_of(before) != kind_of(after)) {
    if (kind_of(before).empty()) return {"is new, " + kind_of(after)};
    if (kind_of(after).empty()) return {"is gone, was " + kind_of(before)};
  }

  std::vector<std::string> changes, gone, added;
  for (const auto& [name, fact] : before) {
    const auto now = after.find(name);
    if (now == after.end()) {
      gone.push_back(name);
    } else if (now->second != fact) {
      changes.push_back(ChangeOf(name, fact, now->second));
    }
  }
  for (const auto& [name, fact] : after) {
    if (before.count(name) == 0) added.push_back(name);
  }
  // The same slot of another type is one change, where it is plain which.
  const auto has_slot = [](const std::string& name) {
    return [&name](const std::string& other) {
      return IsSlot(name) && IsSlot(other) && SlotOf(name) == SlotOf(other);
    };
  };
  for (std::size_t i = 0; i < gone.size();) {
    const auto same = has_slot(gone[i]);
    const auto now = std::find_if(added.begin(), added.end(), same);
    if (std::count_if(gone.begin(), gone.end(), same) != 1 ||
        std::count_if(added.begin(), added.end(), same) != 1) {
      ++i;
      continue;
    }
    changes.push_back(fmt::format("{}, were {} by {}",
                                  CountText(*now, after.at(*now).count),
                                  before.at(gone[i]).count, gone[i]));
    added.erase(now);
    gone.erase(gone.begin() + static_cast<std::ptrdiff_t>(i));
  }
  const auto count_of = [](const ContractFacts& facts,
                           const std::string& name) -> std::uint64_t {
    const auto at = facts.find(name);
    return at == facts.end() ? 0 : at->second.count;
  };
  for (const auto* names : {&gone, &added}) {
    for (const std::string& name : *names) {
      const std::uint64_t old_count = count_of(before, name);
      const std::uint64_t new_count = count_of(after, name);
      if (old_count != new_count) {
        changes.push_back(
            fmt::format("{}, were {}", CountText(name, new_count), old_count));
      } else {
        changes.push_back(
            fmt::format("{} {}", names == &gone ? "no more" : "now has", name));
      }
    }
  }
  return changes;
}

std::vector<RankId> CommonRanks(const Contract& was, const Contract& is) {
  std::vector<RankId> common;
  std::set_intersection(was.ranks.begin(), was.ranks.end(), is.ranks.begin(),
                        is.ranks.end(), std::back_inserter(common));
  return common;
}

template <typename T>
std::vector<T> Listed(const std::set<T>& items) {
  return {items.begin(), items.end()};
}

// One subject's changes on all ranks and in all layers.
class Fold {
 public:
  void Add(RankId rank, const FactsKey& key, const std::string& change) {
    ranks_.insert(rank);
    if (key.layer) layers_.insert(*key.layer);
    const auto [at, is_new] = position_.try_emplace(change, changes_.size());
    if (is_new) changes_.push_back({change, {}});
    changes_[at->second].second[{key.prefix, key.layer}].insert(rank);
  }

  ContractDifference Said(ContractSubject subject, const std::string& name,
                          const std::vector<RankId>& all_ranks) const {
    ContractDifference difference;
    difference.subject = subject;
    difference.layers = Listed(layers_);
    difference.ranks = Listed(ranks_);
    difference.name = FamilyPattern(name, difference.layers);
    // The changes of the same layers and ranks are said together.
    using Group = std::tuple<std::string, std::vector<std::uint32_t>,
                             std::vector<RankId>>;
    std::vector<std::pair<Group, std::string>> groups;
    const auto add = [&groups](const Group& group, const std::string& change) {
      const auto at =
          std::find_if(groups.begin(), groups.end(),
                       [&](const auto& g) { return g.first == group; });
      if (at == groups.end()) {
        groups.push_back({group, change});
      } else {
        at->second += "; " + change;
      }
    };
    for (const auto& [change, places] : changes_) {
      std::map<std::pair<std::string, std::set<RankId>>,
               std::vector<std::uint32_t>>
          layers_of;
      for (const auto& [place, ranks] : places) {
        auto& layers = layers_of[{place.first, ranks}];
        if (place.second) layers.push_back(*place.second);
      }
      for (const auto& [where, layers] : layers_of) {
        add({where.first, layers, Listed(where.second)}, change);
      }
    }
    // What is of no layer first: nothing else tells it from the layers before.
    std::stable_partition(groups.begin(), groups.end(), [](const auto& group) {
      return std::get<1>(group.first).empty();
    });
    for (const auto& [group, changes] : groups) {
      const auto& [prefix, layers, ranks] = group;
      std::string text;
      if (!layers.empty()) {
        text = fmt::format("{} {}: ", LayerWord(name, prefix, layers),
                           RangesText(layers));
      }
      text += changes;
      if (ranks.size() < all_ranks.size()) {
        text += fmt::format(" ({})", RankList(ranks));
      }
      difference.changes.push_back(std::move(text));
    }
    return difference;
  }

 private:
  // "layer", "layers", or "mtp_step" where the prefix says so.
  static std::string LayerWord(const std::string& name,
                               const std::string& prefix,
                               const std::vector<std::uint32_t>& layers) {
    std::string word = prefix.empty() ? name.substr(0, name.find('#')) : prefix;
    while (!word.empty() && (word.back() == '_' || word.back() == '.')) {
      word.pop_back();
    }
    if (word != "layer") return word;
    return layers.size() == 1 ? "layer" : "layers";
  }

  using Place = std::pair<std::string, std::optional<std::uint32_t>>;
  std::set<RankId> ranks_;
  std::set<std::uint32_t> layers_;
  std::vector<std::pair<std::string, std::map<Place, std::set<RankId>>>>
      changes_;
  std::map<std::string, std::size_t> position_;
};

// "1 rank, 34 tensor families, 12 task types with 12,345 tasks, 15 branches".
std::string Figures(const Contract& contract) {
  std::array<std::set<std::string>, 3> names;
  std::uint64_t tasks = 0;
  for (const ContractLine& line : contract.lines) {
    names[static_cast<std::size_t>(line.subject)].insert(line.name);
    const auto at = line.facts.find("tasks");
    if (at == line.facts.end()) continue;
    tasks += at->second.count * line.ranks.size() *
             std::max<std::size_t>(1, line.layers.size());
  }
  return fmt::format(
      "{}, {}, {}, {}, {}", RankList(contract.ranks),
      Counted(names[0].size(), "tensor family", "tensor families"),
      Counted(names[1].size(), "task type"), Counted(tasks, "task"),
      Counted(names[2].size(), "branch", "branches"));
}

}  // namespace

const char* ToString(ContractSubject subject) {
  switch (subject) {
    case ContractSubject::kTensor:
      return "tensor";
    case ContractSubject::kTaskType:
      return "task type";
    case ContractSubject::kBranch:
      return "branch";
  }
  return "unknown";
}

std::vector<ContractDifference> Differences(const Contract& was,
                                            const Contract& is,
                                            const DiffOptions& options) {
  const std::vector<RankId> ranks = CommonRanks(was, is);
  std::map<std::pair<ContractSubject, std::string>, Fold> folds;
  for (const RankId rank : ranks) {
    const RankFacts before = UnfoldFacts(was, rank);
    const RankFacts after = UnfoldFacts(is, rank);
    const auto compare = [&](const FactsKey& key, const ContractFacts* a,
                             const ContractFacts* b) {
      Fold* fold = nullptr;  // made where something differs
      const auto add = [&](const FactsKey& place, const std::string& change) {
        if (fold == nullptr) fold = &folds[{key.subject, key.name}];
        fold->Add(rank, place, change);
      };
      if (key.subject != ContractSubject::kTensor) {
        if (options.ignore_type_names) return;
        const FactsKey whole{key.subject, key.name, "", std::nullopt};
        if (!HasSubject(before, whole)) return add(whole, "is new");
        if (!HasSubject(after, whole)) return add(whole, "is gone");
      }
      static const ContractFacts none;
      ContractFacts x = a != nullptr ? *a : none;
      ContractFacts y = b != nullptr ? *b : none;
      if (options.ignore_type_names) {
        x = WithoutTypes(x);
        y = WithoutTypes(y);
      }
      for (const std::string& change : ChangesOf(key, x, y)) add(key, change);
    };
    for (const auto& [key, facts] : before) {
      const auto at = after.find(key);
      if (at == after.end()) {
        compare(key, &facts, nullptr);
      } else if (at->second != facts) {
        compare(key, &facts, &at->second);
      }
    }
    for (const auto& [key, facts] : after) {
      if (before.count(key) == 0) compare(key, nullptr, &facts);
    }
  }
  std::vector<ContractDifference> differences;
  for (const auto& [subject, fold] : folds) {
    differences.push_back(fold.Said(subject.first, subject.second, ranks));
  }
  return differences;
}

std::string WriteDiff(const Contract& was, const Contract& is,
                      const DiffOptions& options) {
  const auto differences = Differences(was, is, options);
  if (differences.empty() && was.ranks == is.ranks) return "";
  std::array<std::size_t, 3> counts{};
  for (const ContractDifference& difference : differences) {
    ++counts[static_cast<std::size_t>(difference.subject)];
  }
  const std::string tensors =
      Counted(counts[0], "tensor family", "tensor families");
  std::string text =
      fmt::format("was {}: {}\nis  {}: {}\n", Printable(was.file), Figures(was),
                  Printable(is.file), Figures(is));
  text += options.ignore_type_names
              ? tensors + " differ; task types and branches are not compared"
              : fmt::format("{}, {}, {} differ", tensors,
                            Counted(counts[1], "task type"),
                            Counted(counts[2], "branch", "branches"));
  if (was.ranks != is.ranks) {
    text += fmt::format("; compared on {}", RankList(CommonRanks(was, is)));
  }
  text += "\n";
  for (const ContractDifference& difference : differences) {
    text += Printable(fmt::format("{} {}: {}", ToString(difference.subject),
                                  difference.name,
                                  fmt::join(difference.changes, "; "))) +
            "\n";
  }
  return text;
}

void PrintTo(const ContractFact& fact, std::ostream* out) {
  *out << fact.count << ' ' << fact.text;
}

void PrintTo(const ContractLine& line, std::ostream* out) {
  *out << ToString(line.subject) << ' ' << FamilyPattern(line.name, line.layers)
       << ", " << Counted(line.facts.size(), "fact");
}

void PrintTo(const Contract& contract, std::ostream* out) {
  *out << "contract " << contract.file << ": " << Figures(contract);
}

void PrintTo(const ContractDifference& difference, std::ostream* out) {
  *out << ToString(difference.subject) << ' ' << difference.name << ": "
       << OneLine(fmt::format("{}", fmt::join(difference.changes, "; ")));
}

}  // namespace graph_coverage
