// SPDX-License-Identifier: Apache-2.0
//
// Results that an operator writes and nothing reads, in a buffer that is read
// at another time: a part of write-only.
#pragma once

#include "audit/rules/rule.h"

namespace graph_coverage {

void JudgeLostResults(const RankContext& rank, Judgement& judgement);

}  // namespace graph_coverage
