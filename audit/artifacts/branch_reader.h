// SPDX-License-Identifier: Apache-2.0
//
// Reads the code of one branch of the dispatch chain: the operand slots it
// dereferences and what it passes to the calls it makes.
#pragma once

#include "audit/artifacts/cxx_brackets.h"
#include "graph_coverage/model/kernel_source.h"

namespace graph_coverage {

// Fills `branch` from `code`, all but its type, variant and line.
//
// A slot is dereferenced where the code names it: input_ptrs[3],
// input_tma_desc_ptrs[3][0], task_desc.inputs[3].base_ptr, the same for
// outputs, and through local names of these arrays and of task_desc. Where
// the subscript is no literal, or the arrays or the whole of task_desc are
// handed on, any slot may be: any_input, any_output.
//
// An argument is an operand if it names exactly one slot, itself or through
// local variables that were set from that slot alone.
void ReadBranch(const CxxBrackets& text, CxxRange code, Branch& branch);

}  // namespace graph_coverage
