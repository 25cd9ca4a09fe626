// SPDX-License-Identifier: Apache-2.0
//
// Rule about ranks that should be alike: rank-difference.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "audit/rules/rank_comparison.h"
#include "audit/rules/sibling_rules.h"
#include "audit/rules/task_comparison.h"

namespace graph_coverage {
namespace {

// Positions of ranks that are alike, the largest group first.
std::vector<std::vector<std::size_t>> Groups(
    const std::vector<RankContext>& ranks) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto at =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
          return DifferencesOf(ranks[group.front()], ranks[i]).empty();
        });
    if (at == groups.end()) {
      groups.push_back({i});
    } else {
      at->push_back(i);
    }
  }
  std::stable_sort(
      groups.begin(), groups.end(),
      [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return groups;
}

Place PlaceOn(const RankContext& rank, std::uint32_t line) {
  return {line != 0 ? rank.view.source_file() : rank.view.graph_file(), line, 0,
          0};
}

// Of two ranks nobody can tell which is the odd one.
void NameBoth(const std::vector<RankContext>& two,
              const RankDifference& difference, Finding* finding) {
  const auto a = Index(two[0].view.rank());
  const auto b = Index(two[1].view.rank());
  finding->expected = "the same on both ranks";
  finding->siblings =
      fmt::format("Ranks {} and {} differ: {} on rank {}, {} on rank {}", a, b,
                  difference.usual_has, a, difference.odd_has, b);
  const bool only_there = difference.line != 0 && difference.usual_line == 0;
  if (!only_there) {
    finding->places.push_back(PlaceOn(two[0], difference.usual_line));
  }
}

Finding& AddDifference(const RankContext& odd, const RankDifference& difference,
                       Judgement& judgement) {
  Finding& finding = judgement.Add();
  finding.ranks = {odd.view.rank()};
  finding.tensor = difference.tensor;
  finding.task_type = difference.task_type;
  finding.found = difference.found;
  finding.expected = difference.expected;
  finding.count = difference.count;
  finding.advice = "Generate all ranks together, from one model";
  finding.places.push_back(PlaceOn(odd, difference.line));
  const Runs& runs = odd.analyses.runs();
  for (const TaskId task : difference.tasks) {
    if (!finding.tasks.empty() &&
        Index(finding.tasks.back().last) + 1 == Index(task)) {
      finding.tasks.back().last = task;
    } else {
      finding.tasks.push_back({task, task});
    }
    const auto run = runs.of_task(task);
    const auto section =
        run ? odd.analyses.layers().of_run(*run) : std::nullopt;
    if (section) finding.layers.push_back(section->layer);
  }
  std::sort(finding.layers.begin(), finding.layers.end());
  finding.layers.erase(
      std::unique(finding.layers.begin(), finding.layers.end()),
      finding.layers.end());
  return finding;
}

// Ranks put their tiles a constant step apart.
void JudgePuts(const std::vector<RankContext>& ranks, Judgement& judgement) {
  std::optional<std::int64_t> step;
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    const PutDistance distance = PutDistanceOf(ranks[0], ranks[i]);
    if (!distance.puts) continue;
    const auto ranks_apart =
        static_cast<std::int64_t>(Index(ranks[i].view.rank())) -
        static_cast<std::int64_t>(Index(ranks[0].view.rank()));
    const bool even = distance.bytes && *distance.bytes % ranks_apart == 0;
    const std::int64_t own = even ? *distance.bytes / ranks_apart : 0;
    if (even && (!step || *step == own)) {
      step = own;
      continue;
    }
    RankDifference difference;
    difference.found =
        distance.bytes
            ? fmt::format("The puts go {} bytes from those of rank {}",
                          *distance.bytes, Index(ranks[0].view.rank()))
            : fmt::format(
                  "The puts go to places at different distances from "
                  "those of rank {}",
                  Index(ranks[0].view.rank()));
    difference.expected = "a constant step from rank to rank";
    AddDifference(ranks[i], difference, judgement);
  }
}

}  // namespace

void JudgeRankDifference(const GendirContext& gendir, Judgement& judgement) {
  const std::vector<RankContext>& ranks = gendir.ranks;
  if (ranks.size() < 2) {
    if (!ranks.empty() && ranks[0].view.num_gpus().value_or(1) > 1) {
      judgement.CouldNotJudge("only one rank is audited");
    }
    return;
  }
  judgement.Judged(ranks.size());
  const auto groups = Groups(ranks);
  for (std::size_t g = 1; g < groups.size(); ++g) {
    for (const std::size_t odd : groups[g]) {
      for (const RankDifference& difference :
           DifferencesOf(ranks[groups[0].front()], ranks[odd])) {
        Finding& finding = AddDifference(ranks[odd], difference, judgement);
        if (ranks.size() == 2) NameBoth(ranks, difference, &finding);
      }
    }
  }
  JudgePuts(ranks, judgement);
}

}  // namespace graph_coverage
