// SPDX-License-Identifier: Apache-2.0
//
// Group E: what tasks write and read is in order, initialised and in bounds.
#pragma once

#include "audit/rules/rule.h"

namespace graph_coverage {

void JudgeUnorderedRead(const RankContext& rank, Judgement& judgement);
void JudgeUnorderedOverwrite(const RankContext& rank, Judgement& judgement);
void JudgeTwinWriters(const RankContext& rank, Judgement& judgement);
void JudgeIndistinctSiblings(const RankContext& rank, Judgement& judgement);
void JudgeTwinTasks(const RankContext& rank, Judgement& judgement);
void JudgeUninitialisedRead(const RankContext& rank, Judgement& judgement);
void JudgeUninitialisedAccumulator(const RankContext& rank,
                                   Judgement& judgement);
void JudgeOutOfBounds(const RankContext& rank, Judgement& judgement);
void JudgeMisalignedOffset(const RankContext& rank, Judgement& judgement);
void JudgeEmptyTile(const RankContext& rank, Judgement& judgement);
void JudgeSelfOverlappingTile(const RankContext& rank, Judgement& judgement);
void JudgeStaleTile(const RankContext& rank, Judgement& judgement);
void JudgeCoverageHole(const RankContext& rank, Judgement& judgement);
void JudgeDtypeMismatch(const RankContext& rank, Judgement& judgement);
void JudgeCrossRankOverwrite(const GendirContext& gendir, Judgement& judgement);

}  // namespace graph_coverage
