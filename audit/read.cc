// SPDX-License-Identifier: Apache-2.0
//
// Reading: from a gendir to bound ranks, several at a time.
#include "audit/read.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
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

TaskGraph ReadGraph(const Artifact& file, unsigned threads) {
  const std::unique_ptr<ByteSource> bytes = file.Open();
  char first = 0;
  RequireContent(file, file.Open()->Read(&first, 1) == 0);
  return ReadTaskGraph(*bytes, threads);
}

KernelSource ReadSource(const Artifact& file) {
  const std::string text = ReadAll(*file.Open(), kMaxSourceBytes);
  RequireContent(file, text.empty());
  return ReadKernelSource(text, file.file);
}

// What was read, or why it could not be.
template <typename Content>
struct Outcome {
  std::optional<Content> content;
  std::optional<InputError> error;
};

template <typename Read>
auto Try(const Read& read) -> Outcome<decltype(read())> {
  try {
    return {read(), std::nullopt};
  } catch (const InputError& error) {
    return {std::nullopt, error};
  }
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

  // Each file is a piece of work of its own, the longer ones first.
  const std::size_t threads_a_graph =
      Threads(options.jobs) / std::max<std::size_t>(files.size(), 1);
  std::vector<Outcome<TaskGraph>> graphs(files.size());
  std::vector<Outcome<KernelSource>> sources(files.size());
  if (options.progress != nullptr) options.progress->ranks += files.size();
  InParallel(2 * files.size(), options.jobs, [&](std::size_t i) {
    const RankFiles& rank = files[i / 2];
    if (i % 2 == 0) {
      graphs[i / 2] = Try([&] {
        return ReadGraph(rank.graph, static_cast<unsigned>(threads_a_graph));
      });
      if (options.progress != nullptr) ++options.progress->ranks_read;
    } else {
      sources[i / 2] = Try([&] { return ReadSource(rank.kernel); });
    }
  });

  std::vector<Outcome<Rank>> bound(files.size());
  InParallel(files.size(), options.jobs, [&](std::size_t i) {
    if (sources[i].error || graphs[i].error) return;
    bound[i] = Try([&] {
      TypeBinding types =
          TypeBinding::Bind(*graphs[i].content, *sources[i].content, header,
                            options.runtime_header);
      return Rank(files[i].rank, std::move(*sources[i].content),
                  std::move(*graphs[i].content), std::move(types));
    });
  });

  GendirRanks ranks;
  for (const RankFiles& rank : found) ranks.available.push_back(rank.rank);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::optional<InputError>& error = sources[i].error ? sources[i].error
                                             : graphs[i].error ? graphs[i].error
                                                               : bound[i].error;
    if (error) {
      ranks.errors.push_back(*error);
    } else {
      ranks.ranks.push_back(std::move(*bound[i].content));
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
