// SPDX-License-Identifier: Apache-2.0
//
// Writes a program as a gendir, in memory or on disk, in any version of the
// format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "graph_coverage/gendir.h"
#include "graph_coverage/synthetic/format.h"
#include "graph_coverage/synthetic/program.h"

namespace graph_coverage::synthetic {

struct WriteOptions {
  FormatVersion version = FormatVersion::kF12;
  FileNaming naming = FileNaming::kDemo;
  // Leaves the files of the other ranks out.
  std::optional<std::uint32_t> only_rank;
};

// The artifacts of all ranks, in memory. Throws std::invalid_argument where
// the version cannot say what the program needs ("nullptr" operands before F4,
// shuffled tensors before F6, collectives before F8, aliases outside X2, tasks
// told apart by metadata that is not there yet), or the naming has no rank
// numbers and the program several ranks.
Gendir MakeGendir(const Program& program, const std::string& name,
                  const WriteOptions& options = {});

// The same files in `directory`, which is made if it is absent. Task graphs
// are streamed, so memory does not grow with the number of tasks. A file
// appears whole or not at all. Throws std::runtime_error where one cannot be
// written, naming it.
void WriteGendir(const Program& program, const std::string& directory,
                 const WriteOptions& options = {});

}  // namespace graph_coverage::synthetic
