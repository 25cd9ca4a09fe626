// SPDX-License-Identifier: Apache-2.0
//
// Group D: events are triggered as often as they demand, and order the tasks.
#pragma once

#include "audit/rules/rule.h"

namespace graph_coverage {

void JudgeTriggerCount(const RankContext& rank, Judgement& judgement);
void JudgeStarvedTask(const RankContext& rank, Judgement& judgement);
void JudgeEventRange(const RankContext& rank, Judgement& judgement);
void JudgeBadEventId(const RankContext& rank, Judgement& judgement);
void JudgeNoTrigger(const RankContext& rank, Judgement& judgement);
void JudgeNoDependency(const RankContext& rank, Judgement& judgement);
void JudgeEventCycle(const RankContext& rank, Judgement& judgement);
void JudgeQueueOrder(const RankContext& rank, Judgement& judgement);
void JudgeLeafOperation(const RankContext& rank, Judgement& judgement);
void JudgeSeveralLeaves(const RankContext& rank, Judgement& judgement);

// Whether the graph has events at all; where not, says that the rule cannot
// judge its `subjects`.
bool HasEvents(const RankContext& rank, Judgement& judgement);

// The names of the tasks' types, each once, in the order met: "A and B".
std::string TypesOf(const View& view, Span<TaskId> tasks);

// One range a task.
std::vector<TaskRange> RangesOf(Span<TaskId> tasks);

}  // namespace graph_coverage
