// SPDX-License-Identifier: Apache-2.0
//
// The rule contract-drift.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "audit/analysis/families.h"
#include "audit/contract/facts.h"
#include "audit/model/one_line.h"

namespace graph_coverage {
namespace {

// The changes of a difference as one sentence part.
std::string ChangesText(const std::vector<std::string>& changes) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), kMost); ++i) {
    text += (i == 0 ? "" : "; ") + changes[i];
  }
  if (changes.size() > kMost) {
    text += fmt::format("; and {} more", changes.size() - kMost);
  }
  return text;
}

// The branch that a difference is of, as a contract names it.
bool IsNamed(const Branch& branch, const std::string& name) {
  return name == fmt::format("{} {}", branch.type, branch.variant);
}

class Drift {
 public:
  Drift(const GendirContext& gendir, const Contract& contract)
      : ranks_(gendir.ranks), contract_(contract) {
    for (const RankContext& rank : ranks_) {
      facts_[rank.view.rank()] = FactsOf(rank);
    }
  }

  void Judge(const std::vector<RankId>& available, Judgement& judgement) {
    const Contract is = FoldFacts("", facts_);
    for (const ContractLine& line : contract_.lines) {
      judgement.Judged(
          std::any_of(line.ranks.begin(), line.ranks.end(),
                      [this](RankId rank) { return facts_.count(rank) > 0; })
              ? 1
              : 0);
    }
    if (available != contract_.ranks) {
      Finding& finding = judgement.Add();
      finding.ranks = available;
      finding.found = fmt::format("The gendir has {}", RankList(available));
      finding.expected = fmt::format("{}, as {} records",
                                     RankList(contract_.ranks), contract_.file);
      finding.advice = kAdvice;
    }
    for (ContractDifference& difference : Differences(contract_, is)) {
      Say(std::move(difference), &judgement.Add());
    }
  }

 private:
  static constexpr const char* kAdvice =
      "Mend the build, or record the contract again if the change is meant";

  void Say(ContractDifference difference, Finding* finding) const {
    finding->found = "is not as recorded: " + ChangesText(difference.changes);
    finding->expected = fmt::format("the coverage of {}", contract_.file);
    finding->advice = kAdvice;
    if (difference.subject == ContractSubject::kTensor) {
      finding->members = Members(difference);
      finding->tensor = std::move(difference.name);
      finding->count = std::max<std::uint64_t>(1, finding->members.size());
    } else {
      finding->task_type = std::move(difference.name);
    }
    finding->places = Places(difference.subject, *finding, difference.ranks);
    finding->ranks = std::move(difference.ranks);
    finding->layers = std::move(difference.layers);
  }

  // The names behind a pattern that the ranks know.
  std::vector<std::string> Members(const ContractDifference& difference) const {
    std::vector<std::string> members;
    for (const RankContext& rank : ranks_) {
      const Families& families = rank.analyses.families();
      for (std::size_t i = 0; i < rank.view.declaration_count(); ++i) {
        const FamilyName& name = families.of(rank.view.declared_tensor(i));
        if (!name.layer ||
            FamilyPattern(name.family, difference.layers) != difference.name ||
            !std::binary_search(difference.layers.begin(),
                                difference.layers.end(), *name.layer)) {
          continue;
        }
        const std::string& member = rank.view.declaration_at(i).name;
        if (std::find(members.begin(), members.end(), member) ==
            members.end()) {
          members.push_back(member);
        }
      }
    }
    return members;
  }

  // The first declaration or branch on each of the ranks.
  std::vector<Place> Places(ContractSubject subject, const Finding& finding,
                            const std::vector<RankId>& ranks) const {
    std::vector<Place> places;
    for (const RankContext& rank : ranks_) {
      if (!std::binary_search(ranks.begin(), ranks.end(), rank.view.rank())) {
        continue;
      }
      const View& view = rank.view;
      const auto add = [&](std::uint32_t line) {
        places.push_back({view.source_file(), line, 0, 0});
      };
      if (subject == ContractSubject::kBranch) {
        for (std::size_t i = 0; i < view.branch_count(); ++i) {
          if (IsNamed(view.branch(i), finding.task_type)) {
            add(view.branch(i).line);
            break;
          }
        }
      } else if (subject == ContractSubject::kTensor) {
        const auto tensor = view.FindTensor(
            finding.members.empty() ? finding.tensor : finding.members.front());
        const Declaration* declaration =
            tensor ? view.declaration(*tensor) : nullptr;
        if (declaration != nullptr) add(declaration->line);
      }
    }
    return places;
  }

  const std::vector<RankContext>& ranks_;
  const Contract& contract_;
  std::map<RankId, RankFacts> facts_;
};

}  // namespace

void JudgeContractDrift(const GendirContext& gendir, const Contract& contract,
                        Judgement& judgement) {
  Drift(gendir, contract).Judge(gendir.available, judgement);
}

}  // namespace graph_coverage
