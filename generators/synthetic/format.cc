// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/synthetic/format.h"

#include <fmt/format.h>

namespace graph_coverage::synthetic {

const std::vector<FormatVersion>& AllVersions() {
  using enum FormatVersion;
  static const std::vector<FormatVersion> kAll = {
      kF0, kF1, kF2,  kF3,  kF4,  kF5,  kF6, kF7,
      kF8, kF9, kF10, kF11, kF12, kF13, kX1, kX2};
  return kAll;
}

std::string ToString(FormatVersion version) {
  constexpr const char* kNames[] = {"F0",  "F1",  "F2", "F3", "F4",  "F5",
                                    "F6",  "F7",  "F8", "F9", "F10", "F11",
                                    "F12", "F13", "X1", "X2"};
  return kNames[static_cast<std::size_t>(version)];
}

FormatFacts FactsOf(FormatVersion version) {
  using enum FormatVersion;
  FormatFacts facts;
  facts.dependent_event = version >= kF1;
  facts.variant_id = version >= kF2;
  facts.plain_events = version >= kF3;
  facts.null_operands = version >= kF4;
  facts.request_id = version >= kF5;
  facts.shuffled = version >= kF6;
  facts.descriptors = version >= kF7;
  facts.expert_offset = version >= kF8;
  facts.kv_idx = version >= kF9;
  facts.task_offset = version >= kF10;
  facts.named_tensors = version >= kF12;
  facts.shared_memory = version == kF13;
  facts.tail_tasks = version == kX1;
  facts.block_offsets = version == kX2;
  return facts;
}

const std::vector<FileNaming>& AllNamings() {
  static const std::vector<FileNaming> kAll = {
      FileNaming::kDemo, FileNaming::kCompile, FileNaming::kTemp,
      FileNaming::kOldTemp};
  return kAll;
}

std::string KernelFileName(FileNaming naming, std::uint32_t rank) {
  switch (naming) {
    case FileNaming::kDemo:
      return fmt::format("kernel_{}.cu", rank);
    case FileNaming::kCompile:
      return fmt::format("test_rank{}.cu", rank);
    case FileNaming::kTemp:
      return "test.cu";
    case FileNaming::kOldTemp:
      return "kernel.cu";
  }
  return {};
}

std::string GraphFileName(FileNaming naming, std::uint32_t rank) {
  switch (naming) {
    case FileNaming::kDemo:
      return fmt::format("task_graph_{}.json", rank);
    case FileNaming::kCompile:
      return fmt::format("task_graph_rank{}.json", rank);
    case FileNaming::kTemp:
    case FileNaming::kOldTemp:
      return "task_graph.json";
  }
  return {};
}

}  // namespace graph_coverage::synthetic
