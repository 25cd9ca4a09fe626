// SPDX-License-Identifier: Apache-2.0
//
// The words of group E: order and memory.
#include "audit/rules/catalogue_groups.h"

namespace graph_coverage {

std::vector<RuleInfo> GroupE() {
  return {
      {"unordered-read", 'E', "a read is not ordered after the write it needs",
       Severity::kError, Scope::kRegion,
       "each stretch of bytes that the same tiles cover",
       "The reader may run before the writer: it sees what was there before, "
       "sometimes. Such a fault shows as rare, unrepeatable garbage.",
       "Let the writer trigger an event that the reader waits for, by itself "
       "or through other tasks.",
       "When something outside the task graph orders the two.",
       "In DeepSeek-V3 nothing orders the attention after the gather that "
       "fills contiguous_kv."},
      {"unordered-overwrite", 'E',
       "a write is not ordered after what it overwrites", Severity::kError,
       Scope::kRegion, "each stretch of bytes that the same tiles cover",
       "Buffers are shared by the layers. A writer that may run before the "
       "last reader of the old contents destroys them.",
       "Let the readers and writers before trigger events that the writer "
       "waits for.",
       "When something outside the task graph orders the two.",
       "A gather that nothing waits for may still read when the next layer "
       "overwrites its inputs."},
      {"cross-rank-overwrite", 'E',
       "a put does not wait until the target is done with the buffer",
       Severity::kWarning, Scope::kRanks,
       "each task that touches a tensor which other ranks write",
       "A rank that is ahead writes the next layer's part into the buffer of "
       "a rank that still reads the last. Ranks run nearly in step, so it "
       "seldom shows.",
       "Use two buffers in turn, or let readers signal the ranks that write.",
       "When a barrier outside the task graph keeps the ranks in step.",
       "Two ranks of Qwen3-8B share all_reduce_buf between layers."},
      {"twin-writers", 'E', "unordered writers write the same values",
       Severity::kNote, Scope::kRegion,
       "each stretch of bytes that the same tiles cover",
       "Operators with equal operands write the same bytes twice. The reader "
       "waits for one of them; the other does no harm but costs time.",
       "Let the readers share one writer.", "Always.",
       "DeepSeek-V3 quantises one input three times into one buffer."},
      {"indistinct-siblings", 'E',
       "tasks of one operator cannot tell which "
       "they are",
       Severity::kError, Scope::kOperator, "each operator with several tasks",
       "Tasks that differ only in task_metadata, of a branch that reads none, "
       "all do the same part of the work: the other parts are not done.",
       "Pass task_metadata to the kernel, or give each task its own tile.",
       "When all tasks are meant to do the same.",
       "The quantisation of DeepSeek-V3 gets request ids and passes none on."},
      {"twin-tasks", 'E', "tasks of one operator are the same in all",
       Severity::kNote, Scope::kOperator, "each operator with several tasks",
       "The same work is done more than once.", "Drop all but one.", "Always.",
       "A grid larger than the tensor leaves tasks without work of their own."},
      {"uninitialised-read", 'E', "memory is read that nothing wrote",
       Severity::kError, Scope::kRegion,
       "each stretch of bytes that the same tiles cover",
       "Scratch memory holds whatever was there. Attached and shuffled tensors "
       "and caches that live from one iteration to the next are left out.",
       "Wire the operator that fills it.",
       "When the host fills the buffer before the kernel starts.",
       "The draft step of DeepSeek-V3 reads mtp_target_token_ids, which no "
       "task writes."},
      {"uninitialised-accumulator", 'E', "a sum starts from nothing",
       Severity::kError, Scope::kRegion, "each output that is added to",
       "Split-K operators add to what is there. Nothing writes these bytes "
       "before, in the whole graph.",
       "Zero the output, or write the residual to it first.",
       "When the host zeroes the buffer each time.",
       "Split-K reduces with atomic additions into its output."},
      {"out-of-bounds", 'E', "a tile passes the end of its tensor",
       Severity::kError, Scope::kTask, "each operand of a sized tensor",
       "The task reads or writes another tensor's memory.",
       "Mend offset, dims or strides, or allocate more.", "Never.",
       "A public report had byte offsets doubled for one data type."},
      {"misaligned-offset", 'E', "an offset is no multiple of the element",
       Severity::kError, Scope::kTask, "each operand",
       "Offsets are bytes. One that cuts an element in two was counted in "
       "something else, or for another data type.",
       "Mend the offset.", "Never.",
       "Byte and element counts are easily mixed up."},
      {"empty-tile", 'E', "a tile has no elements", Severity::kError,
       Scope::kTask, "each operand",
       "A dim of 0 means that the division into tiles went wrong: the task "
       "does nothing, or divides by it.",
       "Mend the division of the tensor.", "Never.",
       "A dim of 0 was seen in a prompt-lookup graph."},
      {"self-overlapping-tile", 'E', "a tile overlaps itself",
       Severity::kWarning, Scope::kTask, "each operand",
       "Strides smaller than what lies within them describe no array. Which "
       "bytes the task touches cannot be told, so the region rules leave the "
       "tensor out.",
       "Mend the strides.", "When the kernel ignores the strides.",
       "Split-KV attention declares wrong strides for its partial outputs."},
      {"stale-tile", 'E', "a read mixes two generations of a buffer",
       Severity::kError, Scope::kRegion, "each read of an operator's output",
       "Part of what is read was written by this layer's operator and part is "
       "left from the last: a tile is missing.",
       "Add the missing tiles.", "When the parts are meant to differ in age.",
       "A reduce call covered 2 of 512 columns in a draft layer."},
      {"coverage-hole", 'E', "the tiles read of a tensor leave some of it out",
       Severity::kWarning, Scope::kDeclaration,
       "each attached or shuffled tensor that no task writes",
       "A part of a weight that no tile covers takes no part in the result. "
       "The tiles leave a hole, miss the end of the allocation, or are others "
       "than those of most of its family.",
       "Add the tiles that are missing, or mend their offsets.",
       "When the rest is padding.",
       "Lost bands of tiles are known from other tiled compilers."},
      {"dtype-mismatch", 'E', "writer and reader disagree on the data type",
       Severity::kError, Scope::kRegion, "each tensor that a task writes",
       "The reader takes the bytes for something else.",
       "Give all operands of the tensor its one type.",
       "When a kernel packs one type into another on purpose.",
       "Buffers of fp8, f32 and i32 were declared as bf16 in a draft layer."},
  };
}

}  // namespace graph_coverage
