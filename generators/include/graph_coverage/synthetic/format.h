// SPDX-License-Identifier: Apache-2.0
//
// The versions of the artifacts' format, and how their files are named.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace graph_coverage::synthetic {

enum class FormatVersion {
  kF0,  // 2025-05
  kF1,
  kF2,
  kF3,
  kF4,
  kF5,
  kF6,
  kF7,
  kF8,
  kF9,
  kF10,
  kF11,
  kF12,  // 2026-04: model_tensors.at("…")
  kF13,  // a fork: shared-memory plans
  kX1,   // a fork: tail tasks
  kX2,   // a fork: block indices in place of offsets, aliases
};
const std::vector<FormatVersion>& AllVersions();
std::string ToString(FormatVersion version);  // "F12"

// What sets a version apart. Each field that is true stays true in later
// versions unless its comment says otherwise.
struct FormatFacts {
  bool dependent_event = false;  // F1
  bool variant_id = false;       // F2, and the dispatch chain
  bool plain_events = false;     // F3: numbers, not objects
  bool null_operands = false;    // F4
  bool request_id = false;       // F5
  bool shuffled = false;         // F6
  bool descriptors = false;      // F7: input_ptrs and TMA descriptors
  bool expert_offset = false;    // F8, and checked cudaMalloc
  bool kv_idx = false;           // F9, and merge_task_offset; one word
  bool task_offset = false;      // F10
  bool named_tensors = false;    // F12
  bool shared_memory = false;    // F13 alone
  bool tail_tasks = false;       // X1 alone
  bool block_offsets = false;    // X2 alone
};
FormatFacts FactsOf(FormatVersion version);

enum class FileNaming {
  kDemo,     // kernel_<rank>.cu, task_graph_<rank>.json
  kCompile,  // test_rank<rank>.cu, task_graph_rank<rank>.json
  kTemp,     // test.cu, task_graph.json: one rank only
  kOldTemp,  // kernel.cu, task_graph.json: one rank only
};
const std::vector<FileNaming>& AllNamings();
std::string KernelFileName(FileNaming naming, std::uint32_t rank);
std::string GraphFileName(FileNaming naming, std::uint32_t rank);

}  // namespace graph_coverage::synthetic
