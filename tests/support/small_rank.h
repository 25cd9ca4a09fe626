// SPDX-License-Identifier: Apache-2.0
//
// Small ranks for tests, made without files: what is declared, and which task
// names what.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "audit/artifacts/task_graph_builder.h"
#include "graph_coverage/model/rank.h"

namespace graph_coverage {

class SmallRank {
 public:
  explicit SmallRank(std::uint32_t rank = 0);

  // Declarations, a line each from line 1 on.
  SmallRank& Attached(const std::string& name);
  SmallRank& Scratch(const std::string& name);
  SmallRank& Shuffled(const std::string& name, std::uint64_t bytes,
                      const std::vector<Copy>& copies);
  SmallRank& Alias(const std::string& name, const std::string& of);
  SmallRank& AtAddress(const std::string& name, std::uint64_t address);
  SmallRank& NumGpus(std::uint32_t count);

  // A branch for variant 0 of a type, in the order of the chain.
  SmallRank& Branch(const std::string& type,
                    const std::vector<std::uint32_t>& inputs,
                    const std::vector<std::uint32_t>& outputs);

  // A task that names these tensors, each as a row of 8 bf16.
  SmallRank& Task(std::uint32_t type, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs);

  // The rank; the builder is used up.
  Rank Build();

 private:
  Declaration& Declare(const std::string& name, TensorKind kind);
  Operand Row(const std::string& name);

  RankId id_;
  KernelSource source_;
  TaskGraphBuilder graph_;
};

// A copy of `width` bytes a row to column `offset` of a tensor of `pitch`.
Copy CopyOf(const std::string& source, std::uint64_t offset,
            std::uint64_t width, std::uint64_t pitch, std::uint64_t height);

}  // namespace graph_coverage
