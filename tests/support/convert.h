// SPDX-License-Identifier: Apache-2.0
//
// Rewrites a gendir in today's form (F12) into the forms of other versions and
// forks of the generator, so that tests can ask of one case in every form for
// the same findings. Shares no code with the core: what it knows of the format
// it knows by itself, through a plain JSON DOM and text substitution.
//
// What a form cannot express is lost, and rules that need it judge less:
//
//   form            cannot express
//   compile-names   nothing
//   temp-names      more than one rank
//   old-temp-names  more than one rank
//   F0              the dispatch chain, variants, `nullptr` operands, the names
//                   of shuffled tensors' sources, request ids and the other
//                   metadata; dependencies that are no range of tasks
//   F2              `nullptr` operands, shuffle sources, metadata; that a slot
//                   is reached through a TMA descriptor
//   F4              shuffle sources, metadata, TMA descriptors
//   F9              shuffle sources, `task_offset`
//   F13             nothing (adds smem_alignment and smem_regions)
//   X1              nothing (adds is_tail_task)
//   X2              offsets: only which tiles of a tensor are the same one
//   reordered       nothing (keys in reverse, no white space, [] for null)
//   absent-keys     nothing (what is null, and variant 0, is left out)
//   unknown-keys    nothing (adds keys that no version has)
//
// In a form without metadata a branch's request id becomes the literal 0.
#pragma once

#include <string>
#include <vector>

#include "graph_coverage/gendir.h"

namespace graph_coverage::test_support {

enum class Form {
  kCompileNames,
  kTempNames,
  kOldTempNames,
  kF0,
  kF2,
  kF4,
  kF9,
  kF13,
  kX1,
  kX2,
  kReordered,
  kAbsentKeys,
  kUnknownKeys,
};

// All of them, in the order above.
const std::vector<Form>& AllForms();
// "F2", as in the table above.
const char* ToString(Form form);

// The artifacts kernel_<rank>.cu and task_graph_<rank>.json of a folder.
// Throws std::runtime_error where one cannot be read.
std::vector<MemoryFile> ReadArtifacts(const std::string& folder);

// The files in the given form. Their names must be those of ReadArtifacts.
// Throws std::invalid_argument, saying why, where the form has no way to say
// what a file says and leaving it out would make another program of it.
std::vector<MemoryFile> Convert(const std::vector<MemoryFile>& files,
                                Form form);

}  // namespace graph_coverage::test_support
