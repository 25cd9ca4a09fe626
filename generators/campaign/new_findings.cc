// SPDX-License-Identifier: Apache-2.0
#include "generators/campaign/new_findings.h"

#include <algorithm>
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
  Learn(baseline.findings);
  for (auto& [subject, known] : known_) Merge(&known.tasks);
}

void NewFindings::Learn(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    Learn(finding.consequences);
    if (finding.severity == Severity::kNote) continue;
    for (const RankId rank : finding.ranks) {
      for (const std::string& name : SubjectsOf(finding)) {
        Known& known = known_[{finding.rule, rank, name, finding.task_type,
                               finding.event, SentenceOf(finding)}];
        known.tasks.insert(known.tasks.end(), finding.tasks.begin(),
                           finding.tasks.end());
        known.layers.insert(finding.layers.begin(), finding.layers.end());
        known.count += finding.count;
      }
    }
  }
}

bool NewFindings::IsNew(const Finding& finding, RankId rank,
                        const Edit& edit) const {
  for (const std::string& name : SubjectsOf(finding)) {
    const auto at =
        known_.find({finding.rule, rank, edit.OldName(name), finding.task_type,
                     finding.event, SentenceOf(finding)});
    if (at == known_.end() || finding.count > at->second.count) return true;
    const Known& known = at->second;
    for (const TaskRange& range : finding.tasks) {
      if (!Covers(known.tasks, edit.OldTask(range.first),
                  edit.OldTask(range.last))) {
        return true;
      }
    }
    for (const std::uint32_t layer : finding.layers) {
      if (known.layers.count(layer) == 0) return true;
    }
  }
  return false;
}

std::vector<Finding> NewFindings::In(const Report& mutant,
                                     const std::vector<Edit>& edits) const {
  std::vector<Finding> found;
  Collect(mutant.findings, mutant, edits, &found);
  return found;
}

void NewFindings::Collect(const std::vector<Finding>& findings,
                          const Report& mutant, const std::vector<Edit>& edits,
                          std::vector<Finding>* found) const {
  for (const Finding& finding : findings) {
    Collect(finding.consequences, mutant, edits, found);
    if (finding.severity == Severity::kNote) continue;
    for (std::size_t i = 0; i < edits.size(); ++i) {
      const RankId rank = mutant.ranks[i].rank;
      if (std::find(finding.ranks.begin(), finding.ranks.end(), rank) ==
              finding.ranks.end() ||
          !edits[i].IsNamedBy(finding) || !IsNew(finding, rank, edits[i])) {
        continue;
      }
      found->push_back(finding);
      break;
    }
  }
}

}  // namespace graph_coverage
