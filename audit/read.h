// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "audit/model/task_semantics.h"
#include "graph_coverage/audit.h"

namespace graph_coverage {

// What a gendir holds.
struct GendirRanks {
  std::vector<RankId> available;   // all ranks it has files for
  std::vector<Rank> ranks;         // those asked for, ascending
  std::vector<InputError> errors;  // one a rank that could not be read
};

// Throws InputError where the gendir as a whole cannot be read.
GendirRanks ReadGendir(const Gendir& gendir, const AuditOptions& options);

// The table of task semantics that the options and their policy ask for. Throws
// InputError where their file cannot be read.
SemanticsTable ReadSemantics(const AuditOptions& options);

}  // namespace graph_coverage
