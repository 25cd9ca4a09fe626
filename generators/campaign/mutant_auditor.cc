// SPDX-License-Identifier: Apache-2.0
#include "generators/campaign/mutant_auditor.h"

#include <algorithm>
#include <exception>
#include <set>
#include <stdexcept>
#include <utility>

#include "generators/campaign/edit.h"
#include "generators/campaign/equivalence.h"
#include "graph_coverage/catalogue.h"

namespace graph_coverage {
namespace {

constexpr const char* kName = "campaign";

// Workers, not ranks, share the cores.
AuditOptions Alone(AuditOptions options) {
  options.jobs = 1;
  options.progress = nullptr;
  return options;
}

void AddRules(const std::vector<Finding>& findings,
              std::set<std::string>* rules) {
  for (const Finding& finding : findings) {
    rules->insert(finding.rule);
    AddRules(finding.consequences, rules);
  }
}

std::vector<std::string> RulesOf(const std::vector<Finding>& findings) {
  std::set<std::string> found;
  AddRules(findings, &found);
  std::vector<std::string> rules;
  for (const RuleInfo& rule : Catalogue()) {
    if (found.count(std::string(rule.id)) != 0) rules.emplace_back(rule.id);
  }
  return rules;
}

// Why all of the edits do nothing; empty where one may do something.
std::string WhyAllEquivalent(const std::vector<Rank>& ranks,
                             const std::vector<Overlay>& overlays) {
  std::string reason;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (overlays[i].empty()) continue;
    std::string own = WhyEquivalent(ranks[i], overlays[i]);
    if (own.empty()) return "";
    reason = std::move(own);
  }
  return reason.empty() ? "nothing changes" : reason;
}

}  // namespace

MutantAuditor::MutantAuditor(const std::vector<Rank>& ranks,
                             const std::deque<MutationSpace>& spaces,
                             const AuditOptions& options)
    : ranks_(ranks),
      spaces_(spaces),
      options_(Alone(options)),
      baseline_(AuditRanks(kName, ranks, options)),
      new_findings_(baseline_) {
  for (const Rank& rank : ranks) judges_.emplace_back(rank, options_);
}

Mutant MutantAuditor::Judge(const Mutation& mutation, Until until, bool brief,
                            std::vector<Finding>* findings) const {
  std::vector<Overlay> overlays;
  Mutant mutant;
  try {
    overlays = Overlays(mutation);
    mutant = Verdict(mutation, until, overlays, findings);
  } catch (const std::exception& error) {
    mutant.outcome = Outcome::kError;
    mutant.reason = error.what();
  }
  if (brief && mutant.outcome == Outcome::kCaught) return mutant;
  mutant.id = ToString(mutation);
  for (std::size_t i = 0; i < overlays.size(); ++i) {
    if (overlays[i].empty() && i + 1 < overlays.size()) continue;
    const Edit edit(ranks_[i], overlays[i]);
    mutant.before = edit.Before();
    mutant.after = edit.After();
    break;
  }
  return mutant;
}

// One a rank. What changes nothing does so on all ranks alike: ranks that
// differ are a fault.
std::vector<Overlay> MutantAuditor::Overlays(const Mutation& mutation) const {
  const bool benign = FindMutationOperator(mutation.op)->benign();
  std::vector<Overlay> overlays;
  for (const MutationSpace& space : spaces_) {
    if (!benign || mutation.rank == space.rank().id()) {
      overlays.push_back(space.Apply(mutation));
      continue;
    }
    Mutation alike = mutation;
    alike.rank = space.rank().id();
    try {
      overlays.push_back(space.Apply(alike));
    } catch (const std::invalid_argument&) {  // this rank has no such place
      overlays.emplace_back();
    }
  }
  return overlays;
}

Mutant MutantAuditor::Verdict(const Mutation& mutation, Until until,
                              const std::vector<Overlay>& overlays,
                              std::vector<Finding>* findings) const {
  Mutant mutant;
  const bool benign = FindMutationOperator(mutation.op)->benign();
  if (until == Until::kFirstRule && !benign) {
    for (std::size_t i = 0; i < judges_.size(); ++i) {
      const auto rule = judges_[i].FirstRule(overlays[i]);
      if (!rule) continue;
      mutant.outcome = Outcome::kCaught;
      mutant.rules = {std::string(*rule)};
      return mutant;
    }
  }
  std::vector<View> views;
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    views.emplace_back(ranks_[i], overlays[i]);
    edits.emplace_back(ranks_[i], overlays[i]);
  }
  const Report report = AuditViews(kName, views, options_);
  if (!report.errors.empty()) {
    mutant.outcome = Outcome::kError;
    mutant.reason = report.errors.front().what();
    return mutant;
  }
  std::vector<Finding> found = new_findings_.In(report, edits);
  mutant.rules = RulesOf(found);
  if (findings != nullptr) *findings = std::move(found);
  if (!mutant.rules.empty()) {
    mutant.outcome = benign ? Outcome::kOracleGap : Outcome::kCaught;
    if (until == Until::kFirstRule) mutant.rules.resize(1);
    return mutant;
  }
  mutant.reason = benign ? "nothing changes that an audit should mind"
                         : WhyAllEquivalent(ranks_, overlays);
  mutant.outcome =
      mutant.reason.empty() ? Outcome::kSurvived : Outcome::kEquivalent;
  return mutant;
}

}  // namespace graph_coverage
