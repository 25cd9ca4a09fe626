// SPDX-License-Identifier: Apache-2.0
//
// Rules about order: unordered-read, unordered-overwrite, twin-writers. Races
// that the mend of a leaf operation orders hang under that.
#include <utility>

#include "audit/analysis/order.h"
#include "audit/rules/event_rules.h"
#include "audit/rules/memory_rules.h"
#include "audit/rules/race_findings.h"

namespace graph_coverage {
namespace {

void Judge(const RankContext& rank, RaceKind kind, Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  judgement.Judged(rank.analyses.order().memory().class_count());
  SayWhatIsLeftOut(rank, judgement);
  std::vector<const Race*> races;
  for (const Race* race : RacesOfTheirOwn(rank)) {
    if (race->kind == kind) races.push_back(race);
  }
  for (Finding& found : RaceFindings(rank, races)) {
    Finding& finding = judgement.Add();
    found.severity = finding.severity;
    finding = std::move(found);
  }
}

}  // namespace

void JudgeUnorderedRead(const RankContext& rank, Judgement& judgement) {
  Judge(rank, RaceKind::kRead, judgement);
}

void JudgeUnorderedOverwrite(const RankContext& rank, Judgement& judgement) {
  Judge(rank, RaceKind::kWrite, judgement);
}

void JudgeTwinWriters(const RankContext& rank, Judgement& judgement) {
  Judge(rank, RaceKind::kTwin, judgement);
}

}  // namespace graph_coverage
