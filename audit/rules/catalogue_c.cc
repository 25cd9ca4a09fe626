// SPDX-License-Identifier: Apache-2.0
//
// The words of group C: siblings agree.
#include "audit/rules/catalogue_groups.h"

namespace graph_coverage {

std::vector<RuleInfo> GroupC() {
  return {
      {"operand-shape", 'C', "tasks of one branch differ in their operands",
       Severity::kError, Scope::kTask, "each task",
       "A branch is compiled for one number of operands, one data type and "
       "one tile size a slot. A task with others is computed as if it had "
       "them.",
       "Give the odd tasks the operands of the rest, or a variant of their "
       "own.",
       "Never: the branch cannot tell them apart.",
       "In all real builds the tasks of a type and variant have one shape a "
       "slot."},
      {"layer-gap", 'C', "a layer differs from all its peers", Severity::kError,
       Scope::kLayer, "each layer",
       "One layer of many that is wired in another way is a slip of the "
       "builder: the model runs and is wrong by a layer.",
       "Wire the layer as its peers.",
       "When the layer is another on purpose: say why.",
       "A public report has the slot of layer i name layer i - 1's tensor."},
      {"layer-kind", 'C', "some layers differ from the others, as a kind",
       Severity::kNote, Scope::kLayer, "each layer",
       "Models have layers of several kinds, such as no rope in every fourth. "
       "A forgotten branch of a builder looks the same.",
       "Nothing, once it is confirmed.",
       "Always, where the model is made so: confirm it in the policy.",
       "Layers without rope, every k-th, were taken for a bug in public."},
      {"foreign-layer", 'C', "a task reads a tensor of another layer",
       Severity::kError, Scope::kTask, "each operand that names a layer",
       "The layer computes with its neighbour's weights or results.",
       "Pass the tensor of the task's own layer.",
       "When weights are shared between layers on purpose.",
       "In real builds all weights of a task are of one layer, and results "
       "come from the same layer or the one before."},
      {"attention-slot", 'C', "attention has a tensor in another's slot",
       Severity::kError, Scope::kTask, "each slot of attention, by name",
       "Cosine and sine swapped, or the key's norm for the query's: shapes "
       "fit, nothing crashes, and the text is a little worse.",
       "Pass each tensor in the slot of its role.",
       "When the name misleads and the tensor is the right one.",
       "Cosine and sine were swapped in public."},
      {"scale-missing", 'C', "a tensor is used without its scale",
       Severity::kError, Scope::kTask,
       "each use of an attached tensor that has a scale",
       "Quantised weights without their scale are off by orders of magnitude.",
       "Pass the tensor and its scale together.",
       "When the scale is folded into another tensor.",
       "DeepSeek-V3 passes each FP8 weight with its own scale."},
      {"slot-kind", 'C', "a slot holds what its type never takes there",
       Severity::kError, Scope::kTask, "each task of a type in the table",
       "A weight where results belong, or a result where weights belong, is "
       "the wrong tensor whatever the numbers say.",
       "Wire the tensor that belongs in the slot.",
       "When the kernel was made to take it; extend the table instead.",
       "The table says what each slot holds in all real builds, and which "
       "slots "
       "are added to each other: the same tensor in both is a warning."},
      {"residual-shape", 'C', "a residual has another shape than the output",
       Severity::kError, Scope::kTask, "each task that adds a residual",
       "The residual is added to the output, element by element.",
       "Wire the tensor that is added to the output.", "Never.",
       "In all real builds the two have the same shape."},
      {"mixed-tile", 'C', "one tile reads another tensor than its siblings",
       Severity::kError, Scope::kTask, "each task",
       "A few columns of the output are computed from the wrong tensor.",
       "Let all tiles of the operator read the same tensor.",
       "Never, for one tile of many.",
       "Fused projections alternate over tensors in equal parts; one tile by "
       "itself never does."},
      {"tile-pattern", 'C', "the tiles of an operator form no pattern",
       Severity::kError, Scope::kOperator, "each operator",
       "Tiles that overlap or leave gaps compute parts twice and others not "
       "at all.",
       "Give each tile its own offset.",
       "When the operator is cut unevenly on purpose.",
       "In all real builds each offset occurs equally often and offsets have "
       "at most two steps."},
      {"rank-difference", 'C', "ranks differ in what they should share",
       Severity::kError, Scope::kRanks, "each rank",
       "All ranks run the same model on their parts of it: a rank that is "
       "wired in another way is wrong, or all the others are.",
       "Generate all ranks together.",
       "When a tensor is used on one rank only, and rightly.",
       "Real ranks differ in event ids, in where puts go, in the residual and "
       "in their own number, and in nothing else."},
      {"unreduced-output", 'C', "a rank's part of a sum is used as the whole",
       Severity::kWarning, Scope::kOperator,
       "each operator with a weight cut along the summed dimension",
       "Each rank goes on with its own part of the sum: the ranks disagree, "
       "and all are wrong.",
       "Reduce the product over the ranks.",
       "When every rank has the whole weight.",
       "DeepSeek-V3 on several ranks normalises the products of o_proj and of "
       "the dense down_proj unreduced."},
  };
}

}  // namespace graph_coverage
