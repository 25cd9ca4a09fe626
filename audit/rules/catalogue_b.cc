// SPDX-License-Identifier: Apache-2.0
//
// The words of group B: the graph against the code.
#include "audit/rules/catalogue_groups.h"

namespace graph_coverage {

std::vector<RuleInfo> GroupB() {
  return {
      {"missing-operand", 'B', "a branch dereferences a slot no tensor is in",
       Severity::kError, Scope::kTask, "each task",
       "The kernel reads a pointer that the task description does not have: "
       "whatever lies there, often another task's operand.",
       "Pass the operand, or generate the branch for fewer of them.",
       "Never: the kernel reads what nobody set.",
       "In all real builds the operands of a type cover the slots of its "
       "branch."},
      {"ignored-operand", 'B', "a task wires a slot its branch never uses",
       Severity::kWarning, Scope::kTask, "each task",
       "The graph says that the tensor is consumed, and the kernel never "
       "looks at it: it counts as covered and is missing all the same.",
       "Let the branch use the operand, or do not pass it.",
       "When the operand only orders tasks.",
       "Real builds do so in four places only: tensor initialisation, "
       "embedding from the runtime's tokens, greedy verification, and the "
       "residual on ranks above 0."},
      {"no-dispatch", 'B', "no branch runs the task", Severity::kError,
       Scope::kTask, "each task",
       "The dispatch chain has no last else: a task without a branch does "
       "nothing, triggers its event, and its readers go on with old data.",
       "Generate source and graph together.", "Never: the task is not run.",
       "The chain compares type and variant, a branch after the other."},
      {"dead-dispatch", 'B', "no task runs the branch", Severity::kNote,
       Scope::kBranch, "each branch of the dispatch chain",
       "Code that nothing reaches is harmless by itself, and now and then the "
       "trace of an operator that the graph lost.",
       "Nothing, if an earlier graph of the same process needed it.",
       "When several graphs were compiled in one process.",
       "The generator registers branches for a process, not for a graph."},
      {"disabled-feature", 'B', "a switch and its operands disagree",
       Severity::kError, Scope::kTask, "each switched slot of a task",
       "With the literal false, attention skips the norm or the rotation "
       "although the tensors are wired; with true and no tensor it reads "
       "address 0.",
       "Generate the branch with the switch that fits what is wired.",
       "Never: wire nothing where the feature is off.",
       "Llama passes false and \"nullptr\" for qk-norm, Qwen3 true and two "
       "norms: literal and operands agree in every real build."},
      {"null-dereferenced", 'B', "a branch dereferences \"nullptr\"",
       Severity::kError, Scope::kTask, "each task",
       "The kernel reads or writes address 0.",
       "Pass the tensor, or generate the branch without it.",
       "Never: the kernel faults.",
       "A bias that the model does not have was reported so in public."},
      {"unknown-type", 'B', "a task type is not in the semantics table",
       Severity::kNote, Scope::kTask, "each task",
       "What the type reads and writes is taken from its slots: writes "
       "through input slots go unseen.",
       "Describe the type in a file and pass it as --semantics.",
       "When its inputs are read and its outputs written, and that is all.",
       "The built-in table knows the types that the generator registered in "
       "2026."},
  };
}

}  // namespace graph_coverage
