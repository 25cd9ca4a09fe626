// SPDX-License-Identifier: Apache-2.0
//
// Which function judges which rule of the catalogue.
#include "audit/rules/branch_rules.h"
#include "audit/rules/event_rules.h"
#include "audit/rules/memory_rules.h"
#include "audit/rules/rule.h"
#include "audit/rules/sibling_rules.h"
#include "audit/rules/wiring_rules.h"

namespace graph_coverage {

const std::vector<Rule>& Rules() {
  static const std::vector<Rule> rules = {
      {"missing-wiring", JudgeMissingWiring, nullptr},
      {"unread-attached", JudgeUnreadAttached, nullptr},
      {"undeclared-tensor", JudgeUndeclaredTensor, nullptr},
      {"required-tensor-absent", JudgeRequiredTensorAbsent, nullptr},
      {"write-only", JudgeWriteOnly, nullptr},
      {"dead-scratch", JudgeDeadScratch, nullptr},
      {"shuffle-cover", JudgeShuffleCover, nullptr},
      {"missing-rank", nullptr, JudgeMissingRank},
      {"missing-operand", JudgeMissingOperand, nullptr},
      {"ignored-operand", JudgeIgnoredOperand, nullptr},
      {"no-dispatch", JudgeNoDispatch, nullptr},
      {"dead-dispatch", JudgeDeadDispatch, nullptr},
      {"disabled-feature", JudgeDisabledFeature, nullptr},
      {"null-dereferenced", JudgeNullDereferenced, nullptr},
      {"unknown-type", JudgeUnknownType, nullptr},
      {"operand-shape", JudgeOperandShape, nullptr},
      {"layer-gap", JudgeLayerGap, nullptr},
      {"layer-kind", JudgeLayerKind, nullptr},
      {"foreign-layer", JudgeForeignLayer, nullptr},
      {"attention-slot", JudgeAttentionSlot, nullptr},
      {"scale-missing", JudgeScaleMissing, nullptr},
      {"slot-kind", JudgeSlotKind, nullptr},
      {"residual-shape", JudgeResidualShape, nullptr},
      {"mixed-tile", JudgeMixedTile, nullptr},
      {"tile-pattern", JudgeTilePattern, nullptr},
      {"rank-difference", nullptr, JudgeRankDifference},
      {"unreduced-output", JudgeUnreducedOutput, nullptr},
      {"trigger-count", JudgeTriggerCount, nullptr},
      {"starved-task", JudgeStarvedTask, nullptr},
      {"event-range", JudgeEventRange, nullptr},
      {"bad-event-id", JudgeBadEventId, nullptr},
      {"no-trigger", JudgeNoTrigger, nullptr},
      {"no-dependency", JudgeNoDependency, nullptr},
      {"event-cycle", JudgeEventCycle, nullptr},
      {"queue-order", JudgeQueueOrder, nullptr},
      {"leaf-operation", JudgeLeafOperation, nullptr},
      {"several-leaves", JudgeSeveralLeaves, nullptr},
      {"unordered-read", JudgeUnorderedRead, nullptr},
      {"unordered-overwrite", JudgeUnorderedOverwrite, nullptr},
      {"twin-writers", JudgeTwinWriters, nullptr},
      {"indistinct-siblings", JudgeIndistinctSiblings, nullptr},
      {"twin-tasks", JudgeTwinTasks, nullptr},
      {"uninitialised-read", JudgeUninitialisedRead, nullptr},
      {"uninitialised-accumulator", JudgeUninitialisedAccumulator, nullptr},
      {"out-of-bounds", JudgeOutOfBounds, nullptr},
      {"misaligned-offset", JudgeMisalignedOffset, nullptr},
      {"empty-tile", JudgeEmptyTile, nullptr},
      {"self-overlapping-tile", JudgeSelfOverlappingTile, nullptr},
      {"stale-tile", JudgeStaleTile, nullptr},
      {"cross-rank-overwrite", nullptr, JudgeCrossRankOverwrite},
      {"coverage-hole", JudgeCoverageHole, nullptr},
      {"dtype-mismatch", JudgeDtypeMismatch, nullptr},
  };
  return rules;
}

}  // namespace graph_coverage
