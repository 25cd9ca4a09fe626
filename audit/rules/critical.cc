// SPDX-License-Identifier: Apache-2.0
//
// Rules about tensors that must be read: missing-wiring, unread-attached.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "audit/rules/wiring_rules.h"

namespace graph_coverage {
namespace {

bool MatchesAny(const std::vector<std::string>& patterns,
                const std::string& name) {
  return std::any_of(
      patterns.begin(), patterns.end(),
      [&name](const std::string& p) { return MatchesGlob(p, name); });
}

bool IsHandedIn(const Declaration& declaration) {
  return declaration.kind == TensorKind::kAttached ||
         declaration.kind == TensorKind::kShuffled;
}

// Of each family, which layers are read; looked up once something is not.
class ReadSiblings {
 public:
  explicit ReadSiblings(const RankContext& rank) : rank_(rank) {}

  // "layers 0-16, 18-35 are read in input slot 5 of TASK_X", of the members of
  // the tensor's family that are read; empty where there is none.
  std::string Of(TensorId tensor) {
    const FamilyName& own = rank_.analyses.families().of(tensor);
    if (!own.layer) return "";
    if (!looked_up_) LookUp();
    const auto at = families_.find(own.family);
    if (at == families_.end()) return "";
    return fmt::format("Layers {} are read, in {}",
                       RangesText(at->second.layers), at->second.reader);
  }

 private:
  struct Family {
    std::vector<std::uint32_t> layers;  // ascending
    std::string reader;
  };

  void LookUp() {
    looked_up_ = true;
    for (std::size_t i = 0; i < rank_.view.declaration_count(); ++i) {
      const TensorId tensor = rank_.view.declared_tensor(i);
      const FamilyName& name = rank_.analyses.families().of(tensor);
      if (!name.layer) continue;
      for (const Reference& reference : rank_.view.references(tensor)) {
        if (reference.output) continue;
        Family& family = families_[name.family];
        family.layers.push_back(*name.layer);
        if (family.reader.empty()) {
          family.reader = fmt::format(
              "input slot {} of {}", reference.slot,
              rank_.view.TypeName(rank_.view.task(reference.task).type));
        }
        break;
      }
    }
    for (auto& [name, family] : families_) {
      std::sort(family.layers.begin(), family.layers.end());
    }
  }

  const RankContext& rank_;
  bool looked_up_ = false;
  std::unordered_map<std::string, Family> families_;
};

void AddUnread(const RankContext& rank, std::size_t declaration_at,
               ReadSiblings& siblings, Judgement& judgement) {
  const Declaration& declaration = rank.view.declaration_at(declaration_at);
  const TensorId tensor = rank.view.declared_tensor(declaration_at);
  Finding& finding = judgement.Add();
  finding.tensor = declaration.name;
  finding.places.push_back({rank.view.source_file(), declaration.line, 0, 0});
  finding.found =
      fmt::format("is {} and no task reads it", ToString(declaration.kind));
  finding.expected = "at least one task that reads it";
  finding.siblings = siblings.Of(tensor);
  finding.advice =
      "Wire it into the task that should read it, or stop attaching it";
  if (declaration.kind == TensorKind::kShuffled &&
      !declaration.copies.empty()) {
    std::string sources;
    for (const Copy& copy : declaration.copies) {
      if (copy.source.empty()) continue;
      sources += (sources.empty() ? "" : ", ") + copy.source;
    }
    if (!sources.empty()) {
      finding.found += fmt::format(", nor so its sources {}", sources);
    }
  }
}

// Notes the names of the critical list that nothing declares.
void NoteUndeclaredCritical(const RankContext& rank, Judgement& judgement) {
  for (const std::string& pattern : *rank.policy.critical) {
    bool declared = false;
    for (std::size_t i = 0; i < rank.view.declaration_count(); ++i) {
      declared |= MatchesGlob(pattern, rank.view.declaration_at(i).name);
    }
    if (declared) continue;
    Finding& finding = judgement.Add();
    finding.severity = Severity::kNote;
    finding.tensor = pattern;
    finding.found = "is listed as critical and not declared";
    finding.advice = "Check the name; list it as required if it must be there";
  }
}

}  // namespace

bool IsCritical(const RankContext& rank, const Declaration& declaration) {
  if (rank.policy.critical) {
    return MatchesAny(*rank.policy.critical, declaration.name);
  }
  return IsHandedIn(declaration) &&
         !MatchesAny(rank.policy.runtime_buffers, declaration.name) &&
         !rank.analyses.wiring().written(
             *rank.view.FindTensor(declaration.name));
}

void JudgeMissingWiring(const RankContext& rank, Judgement& judgement) {
  ReadSiblings siblings(rank);
  for (std::size_t i = 0; i < rank.view.declaration_count(); ++i) {
    if (!IsCritical(rank, rank.view.declaration_at(i))) continue;
    judgement.Judged();
    if (!rank.analyses.wiring().consumed(rank.view.declared_tensor(i))) {
      AddUnread(rank, i, siblings, judgement);
    }
  }
  if (rank.policy.critical) NoteUndeclaredCritical(rank, judgement);
}

void JudgeUnreadAttached(const RankContext& rank, Judgement& judgement) {
  ReadSiblings siblings(rank);
  for (std::size_t i = 0; i < rank.view.declaration_count(); ++i) {
    const Declaration& declaration = rank.view.declaration_at(i);
    const TensorId tensor = rank.view.declared_tensor(i);
    const Wiring& wiring = rank.analyses.wiring();
    // A written one that nobody reads is an output: see write-only.
    if (!IsHandedIn(declaration) || wiring.written(tensor) ||
        IsCritical(rank, declaration)) {
      continue;
    }
    judgement.Judged();
    if (!wiring.consumed(tensor)) AddUnread(rank, i, siblings, judgement);
  }
}

}  // namespace graph_coverage
