// SPDX-License-Identifier: Apache-2.0
//
// Reading: from a gendir to bound ranks, several at a time.
#include "audit/read.h"

#include <atomic>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "audit/artifacts/discover.h"
#include "audit/artifacts/kernel_source_reader.h"
#include "audit/artifacts/task_graph_reader.h"
#include "audit/parallel.h"
#include "graph_coverage/audit.h"
#include "graph_coverage/error.h"
#include "graph_coverage/progress.h"

namespace graph_coverage {
namespace {

// More than any kernel source: DeepSeek-V3's has 0.4 MB. Where each byte is a
// token, reading takes 50 times the size of the text.
constexpr std::size_t kMaxSourceBytes = std::size_t{64} << 20;

void RequireContent(const Artifact& artifact, bool empty) {
  if (empty) throw InputError::Of(artifact.file, "is empty");
}

Rank ReadRank(const RankFiles& files, const std::string& header,
              const std::string& header_file) {
  const std::string text = ReadAll(*files.kernel.Open(), kMaxSourceBytes);
  RequireContent(files.kernel, text.empty());
  KernelSource source = ReadKernelSource(text, files.kernel.file);

  const std::unique_ptr<ByteSource> bytes = files.graph.Open();
  char first = 0;
  RequireContent(files.graph, files.graph.Open()->Read(&first, 1) == 0);
  TaskGraph graph = ReadTaskGraph(*bytes);

  TypeBinding types = TypeBinding::Bind(graph, source, header, header_file);
  return Rank(files.rank, std::move(source), std::move(graph),
              std::move(types));
}

}  // namespace

GendirRanks ReadGendir(const Gendir& gendir, const AuditOptions& options) {
  const std::vector<RankFiles> found = DiscoverRanks(gendir);
  const std::vector<RankFiles> files =
      options.ranks ? SelectRanks(gendir, found, *options.ranks) : found;
  std::string header;
  if (!options.runtime_header.empty()) {
    header = ReadAll(*OpenFile(options.runtime_header), kMaxSourceBytes);
  }

  std::vector<std::optional<Rank>> read(files.size());
  std::vector<std::optional<InputError>> errors(files.size());
  if (options.progress != nullptr) options.progress->ranks += files.size();
  InParallel(files.size(), options.jobs, [&](std::size_t i) {
    try {
      read[i].emplace(ReadRank(files[i], header, options.runtime_header));
    } catch (const InputError& error) {
      errors[i] = error;
    }
    if (options.progress != nullptr) ++options.progress->ranks_read;
  });

  GendirRanks ranks;
  for (const RankFiles& rank : found) ranks.available.push_back(rank.rank);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (errors[i]) {
      ranks.errors.push_back(*errors[i]);
    } else {
      ranks.ranks.push_back(std::move(*read[i]));
    }
  }
  return ranks;
}

std::vector<Rank> ReadRanks(const Gendir& gendir, const AuditOptions& options) {
  GendirRanks ranks = ReadGendir(gendir, options);
  if (!ranks.errors.empty()) throw ranks.errors.front();
  return std::move(ranks.ranks);
}

SemanticsTable ReadSemantics(const AuditOptions& options) {
  SemanticsTable table = SemanticsTable::BuiltIn();
  if (!options.policy.semantics.empty()) {
    table = table.With(SemanticsTable::Parse(options.policy.semantics,
                                             options.policy.file.empty()
                                                 ? "the policy's semantics"
                                                 : options.policy.file));
  }
  if (!options.semantics.empty()) {
    constexpr std::size_t kMostBytes = std::size_t{4} << 20;
    const std::string text = ReadAll(*OpenFile(options.semantics), kMostBytes);
    table = table.With(SemanticsTable::Parse(text, options.semantics));
  }
  return table;
}

}  // namespace graph_coverage
