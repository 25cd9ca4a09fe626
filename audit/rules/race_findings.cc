// SPDX-License-Identifier: Apache-2.0
#include "audit/rules/race_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "audit/analysis/order.h"
#include "audit/rules/event_rules.h"
#include "graph_coverage/catalogue.h"

namespace graph_coverage {
namespace {

std::string EventText(std::uint32_t event) {
  return event == EventGraph::kNone ? "no event"
                                    : fmt::format("event {}", event);
}

std::string WhatItDoes(const RankContext& rank, TaskId task) {
  const EventGraph& events = rank.analyses.order().events();
  return fmt::format("task {} waits for {} and triggers {}", Index(task),
                     EventText(events.dependent(task)),
                     EventText(events.trigger(task)));
}

std::string TaskText(const RankContext& rank, TaskId task) {
  return fmt::format("task {} ({})", Index(task),
                     rank.view.TypeName(rank.view.task(task).type));
}

std::string SlotText(const Access& access) {
  return fmt::format("{} slot {}", access.output ? "output" : "input",
                     access.slot);
}

std::string FoundText(const RankContext& rank, const Race& race) {
  const EventGraph& events = rank.analyses.order().events();
  const std::string bytes =
      fmt::format("bytes {} to {}", race.bytes.first, race.bytes.last);
  std::string text;
  switch (race.kind) {
    case RaceKind::kRead:
    case RaceKind::kTwin:
      text = fmt::format(
          "is read by {} in {}, {}, and nothing orders that after {}, which "
          "writes them in {}",
          TaskText(rank, race.later), SlotText(race.later_access), bytes,
          TaskText(rank, race.earlier), SlotText(race.earlier_access));
      break;
    case RaceKind::kWrite:
      text = fmt::format(
          "is written by {} in {}, {}, and nothing orders that after {}, which "
          "{} them in {}",
          TaskText(rank, race.later), SlotText(race.later_access), bytes,
          TaskText(rank, race.earlier),
          race.earlier_access.writes ? "writes" : "reads",
          SlotText(race.earlier_access));
      break;
  }
  text += fmt::format(": {}, {}", WhatItDoes(rank, race.earlier),
                      WhatItDoes(rank, race.later));
  if (race.kind == RaceKind::kTwin) {
    return text +
           "; a twin of the writer, which is ordered before the reader, "
           "writes the same values";
  }
  return text + fmt::format("; no path leads from {} to {}",
                            EventText(events.trigger(race.earlier)),
                            EventText(events.dependent(race.later)));
}

}  // namespace

std::vector<const Race*> RacesOfTheirOwn(const RankContext& rank) {
  Order& order = rank.analyses.order();
  const RaceRoots& roots = order.race_roots();
  std::set<const Race*> hanging;
  if (!IsOff(rank.policy, "trigger-count")) {
    for (const CountRoot& root : roots.counts) {
      hanging.insert(root.races.begin(), root.races.end());
    }
  }
  if (!IsOff(rank.policy, "leaf-operation")) {
    for (const LeafRoot& root : roots.leaves) {
      hanging.insert(root.races.begin(), root.races.end());
    }
  }
  std::vector<const Race*> own;
  for (const Race& race : order.walk().races) {
    if (hanging.count(&race) == 0) own.push_back(&race);
  }
  return own;
}

std::string_view RuleOf(RaceKind kind) {
  switch (kind) {
    case RaceKind::kRead:
      return "unordered-read";
    case RaceKind::kWrite:
      return "unordered-overwrite";
    case RaceKind::kTwin:
      return "twin-writers";
  }
  return "";
}

std::vector<Finding> RaceFindings(const RankContext& rank,
                                  const std::vector<const Race*>& races) {
  std::vector<Finding> findings;
  std::map<std::pair<RaceKind, std::string>, std::size_t> position;
  for (const Race* race : races) {
    const FamilyName& name = rank.analyses.families().of(race->tensor);
    const std::string tensor(rank.view.tensor_name(race->tensor));
    const auto [at, added] =
        position.emplace(std::pair(race->kind, name.family), findings.size());
    if (added) {
      Finding& finding = findings.emplace_back();
      finding.rule = RuleOf(race->kind);
      finding.tensor = tensor;
      finding.found = FoundText(rank, *race);
      finding.count = 0;
      finding.places.push_back({rank.view.graph_file(), 0, 0, 0});
      finding.expected =
          race->kind == RaceKind::kTwin
              ? "one writer"
              : "that the first triggers an event which the second waits for, "
                "by itself or through others";
      finding.advice = race->kind == RaceKind::kTwin
                           ? "Let the operators share one of the writers"
                           : "Add the edge that is missing";
    }
    Finding& finding = findings[at->second];
    ++finding.count;
    if (std::find(finding.members.begin(), finding.members.end(), tensor) ==
        finding.members.end()) {
      finding.members.push_back(tensor);
    }
    finding.tasks.push_back({race->earlier, race->earlier});
    for (const TaskId task : race->laters)
      finding.tasks.push_back({task, task});
    if (name.layer && std::find(finding.layers.begin(), finding.layers.end(),
                                *name.layer) == finding.layers.end()) {
      finding.layers.push_back(*name.layer);
    }
  }
  return findings;
}

void AddConsequences(const RankContext& rank,
                     const std::vector<const Race*>& races, Finding* root) {
  for (Finding& race : RaceFindings(rank, races)) {
    if (IsOff(rank.policy, race.rule)) continue;
    race.severity = FindRule(race.rule)->severity;
    root->consequences.push_back(std::move(race));
  }
}

void SayWhatIsLeftOut(const RankContext& rank, Judgement& judgement) {
  for (const auto& [tensor, reason] :
       rank.analyses.order().memory().left_out()) {
    judgement.CouldNotJudge(
        fmt::format("{}: {}", rank.view.tensor_name(tensor), reason));
  }
}

}  // namespace graph_coverage
