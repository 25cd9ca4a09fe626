// SPDX-License-Identifier: Apache-2.0
//
// Finds the artifacts of a gendir and pairs them by rank.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/artifacts/byte_source.h"
#include "graph_coverage/gendir.h"
#include "graph_coverage/model/ids.h"

namespace graph_coverage {

// A file of a gendir, on disk or in memory; lives no longer than the gendir.
struct Artifact {
  std::string file;  // path, or the name in memory
  const MemoryFile* memory = nullptr;

  std::unique_ptr<ByteSource> Open() const;
};

struct RankFiles {
  RankId rank{};
  Artifact kernel;
  Artifact graph;
};

// The ranks of a gendir, ascending. Throws InputError where it has none, where
// a rank has only one of its two files, or two of one kind.
std::vector<RankFiles> DiscoverRanks(const Gendir& gendir);

// Those of `found` that are asked for, ascending. Throws InputError where one
// is absent, or none is asked for.
std::vector<RankFiles> SelectRanks(const Gendir& gendir,
                                   const std::vector<RankFiles>& found,
                                   const std::vector<RankId>& asked);

}  // namespace graph_coverage
