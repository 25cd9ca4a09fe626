// SPDX-License-Identifier: Apache-2.0
//
// Group C: tasks of one kind, layers of one model and ranks of one gendir
// agree.
#pragma once

#include "audit/rules/rule.h"

namespace graph_coverage {

void JudgeOperandShape(const RankContext& rank, Judgement& judgement);
void JudgeLayerGap(const RankContext& rank, Judgement& judgement);
void JudgeLayerKind(const RankContext& rank, Judgement& judgement);
void JudgeForeignLayer(const RankContext& rank, Judgement& judgement);
void JudgeAttentionSlot(const RankContext& rank, Judgement& judgement);
void JudgeScaleMissing(const RankContext& rank, Judgement& judgement);
void JudgeSlotKind(const RankContext& rank, Judgement& judgement);
void JudgeResidualShape(const RankContext& rank, Judgement& judgement);
void JudgeMixedTile(const RankContext& rank, Judgement& judgement);
void JudgeTilePattern(const RankContext& rank, Judgement& judgement);
void JudgeRankDifference(const GendirContext& gendir, Judgement& judgement);
void JudgeUnreducedOutput(const RankContext& rank, Judgement& judgement);

// Whether a layer of that kind (a position in the policy's `layer_kinds`) is
// unlike all layers that are not.
bool DiffersFromOthers(const RankContext& rank, std::size_t kind);

}  // namespace graph_coverage
