// SPDX-License-Identifier: Apache-2.0
//
// Group B: what the graph wires against what the code of a branch does.
#pragma once

#include "audit/rules/rule.h"

namespace graph_coverage {

void JudgeMissingOperand(const RankContext& rank, Judgement& judgement);
void JudgeIgnoredOperand(const RankContext& rank, Judgement& judgement);
void JudgeNoDispatch(const RankContext& rank, Judgement& judgement);
void JudgeDeadDispatch(const RankContext& rank, Judgement& judgement);
void JudgeDisabledFeature(const RankContext& rank, Judgement& judgement);
void JudgeNullDereferenced(const RankContext& rank, Judgement& judgement);
void JudgeUnknownType(const RankContext& rank, Judgement& judgement);

}  // namespace graph_coverage
