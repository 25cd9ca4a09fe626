// SPDX-License-Identifier: Apache-2.0
#include "generators/campaign/new_findings.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace graph_coverage {
namespace {

std::vector<std::string> SubjectsOf(const Finding& finding) {
  return finding.members.empty() ? std::vector<std::string>{""}
                                 : finding.members;
}

// The sentence of an event says its counts; other sentences quote numbers of
// tasks, which an edit may move.
std::string SentenceOf(const Finding& finding) {
  return finding.event ? finding.found : "";
}

void Merge(std::vector<TaskRange>* ranges) {
  std::sort(
      ranges->begin(), ranges->end(),
      [](const TaskRange& a, const TaskRange& b) { return a.first < b.first; });
  std::vector<TaskRange> merged;
  for (const TaskRange& range : *ranges) {
    if (!merged.empty() &&
        Index(range.first) <= Index(merged.back().last) + 1) {
      merged.back().last = std::max(merged.back().last, range.last);
    } else {
      merged.push_back(range);
    }
  }
  *ranges = std::move(merged);
}

bool Covers(const std::vector<TaskRange>& ranges, std::uint64_t first,
            std::uint64_t last) {
  return std::any_of(
      ranges.begin(), ranges.end(), [first, last](const TaskRange& range) {
        return Index(range.first) <= first && last <= Index(range.last);
      });
}

}  // namespace

NewFindings::NewFindings(const Report& baseline) {
  Learn(baseline.findings, {}, &known_);
  for (auto& [subject, known] : known_) Merge(&known.tasks);
}

void NewFindings::Learn(const std::vector<Finding>& findings,
                        const std::map<RankId, const Edit*>& edits,
                        Findings* known) {
  for (const Finding& finding : findings) {
    Learn(finding.consequences, edits, known);
    if (finding.severity == Severity::kNote) continue;
    const std::vector<std::string> subjects = SubjectsOf(finding);
    for (const RankId rank : finding.ranks) {
      const auto edit = edits.find(rank);
      for (const std::string& name : subjects) {
        Known& own =
            (*known)[{finding.rule, rank,
                      edit == edits.end() ? name : edit->second->OldName(name),
                      finding.task_type, finding.event, SentenceOf(finding)}];
        own.tasks.insert(own.tasks.end(), finding.tasks.begin(),
                         finding.tasks.end());
        own.count += static_cast<double>(finding.count) /
                     static_cast<double>(subjects.size());
      }
    }
  }
}

bool NewFindings::IsNew(const Finding& finding, RankId rank, const Edit& edit,
                        const Findings& mutant) const {
  for (const std::string& name : SubjectsOf(finding)) {
    const Subject subject = {finding.rule,       rank,
                             edit.OldName(name), finding.task_type,
                             finding.event,      SentenceOf(finding)};
    const auto at = known_.find(subject);
    if (at == known_.end()) return true;
    if (mutant.at(subject).count <= at->second.count) continue;
    const bool known_tasks =
        !finding.tasks.empty() &&
        std::all_of(finding.tasks.begin(), finding.tasks.end(),
                    [&](const TaskRange& range) {
                      return Covers(at->second.tasks, edit.OldTask(range.first),
                                    edit.OldTask(range.last));
                    });
    if (!known_tasks) return true;
  }
  return false;
}

std::vector<Finding> NewFindings::In(const Report& mutant,
                                     const std::vector<Edit>& edits) const {
  std::map<RankId, const Edit*> by_rank;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    by_rank.emplace(mutant.ranks[i].rank, &edits[i]);
  }
  Findings all;
  Learn(mutant.findings, by_rank, &all);
  std::vector<Finding> found;
  Collect(mutant.findings, all, by_rank, &found);
  return found;
}

void NewFindings::Collect(const std::vector<Finding>& findings,
                          const Findings& mutant,
                          const std::map<RankId, const Edit*>& edits,
                          std::vector<Finding>* found) const {
  for (const Finding& finding : findings) {
    std::vector<Finding> consequences;
    Collect(finding.consequences, mutant, edits, &consequences);
    const bool is_new =
        finding.severity != Severity::kNote &&
        std::any_of(
            finding.ranks.begin(), finding.ranks.end(), [&](RankId rank) {
              const auto edit = edits.find(rank);
              return edit != edits.end() && edit->second->IsNamedBy(finding) &&
                     IsNew(finding, rank, *edit->second, mutant);
            });
    if (is_new) {
      found->push_back(finding);
      found->back().consequences = std::move(consequences);
    } else {
      std::move(consequences.begin(), consequences.end(),
                std::back_inserter(*found));
    }
  }
}

}  // namespace graph_coverage
