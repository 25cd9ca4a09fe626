// SPDX-License-Identifier: Apache-2.0
//
// Group A: what is declared is consumed, and what is consumed is declared.
#pragma once

#include "audit/rules/rule.h"

namespace graph_coverage {

void JudgeMissingWiring(const RankContext& rank, Judgement& judgement);
void JudgeUnreadAttached(const RankContext& rank, Judgement& judgement);
void JudgeUndeclaredTensor(const RankContext& rank, Judgement& judgement);
void JudgeRequiredTensorAbsent(const RankContext& rank, Judgement& judgement);
void JudgeWriteOnly(const RankContext& rank, Judgement& judgement);
void JudgeDeadScratch(const RankContext& rank, Judgement& judgement);
void JudgeShuffleCover(const RankContext& rank, Judgement& judgement);
void JudgeMissingRank(const GendirContext& gendir, Judgement& judgement);

// Whether the policy holds a declared tensor to be critical on this rank: a
// tensor that some task must read.
bool IsCritical(const RankContext& rank, const Declaration& declaration);

}  // namespace graph_coverage
