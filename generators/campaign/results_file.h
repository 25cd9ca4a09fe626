// SPDX-License-Identifier: Apache-2.0
//
// What a campaign has judged so far, chunk by chunk, as a file of JSON lines: a
// head that says which campaign it is, then a line a chunk. A broken-off run
// loses the line that it was writing; the files of shards are merged by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "graph_coverage/campaign/campaign_result.h"

namespace graph_coverage {

// What was found of one chunk: parts of an OperatorResult.
struct ChunkResult {
  std::size_t op = 0;  // position among the campaign's operators
  OutcomeCounts counts;
  std::map<std::string, std::uint64_t> rules;
  std::map<std::string, std::uint64_t> alone;
  Score without_shape_rules;
  std::vector<Mutant> mutants;
};

// A campaign before anything is judged; equal for all of its shards.
struct CampaignHead {
  CampaignResult result;          // with operators whose counts are zero
  std::uint64_t fingerprint = 0;  // of the artifacts
  std::uint64_t chunks = 0;
  bool keep_caught = false;
};

struct ResultsFile {
  CampaignHead head;
  std::map<std::uint64_t, ChunkResult> chunks;  // by position in the plan
};

// One line, without its end.
std::string HeadLine(const CampaignHead& head);
std::string ChunkLine(std::uint64_t position, const ChunkResult& chunk);

// Reads a results file; nothing where there is none. Throws InputError where it
// is no results file. The last line is left out where it has no end.
std::optional<ResultsFile> ReadResults(const std::string& path);

// Appends to a results file from several threads, a line at once.
class ResultsWriter {
 public:
  // Writes the file anew with the chunks that are known. Throws InputError
  // where it cannot be written.
  ResultsWriter(const std::string& path, const ResultsFile& known);

  void Add(std::uint64_t position, const ChunkResult& chunk);

 private:
  void Write(const std::string& line);

  const std::string path_;
  std::mutex mutex_;
  std::ofstream out_;
};

// Adds the chunks, in order, to the result's operators.
void AddChunks(const std::map<std::uint64_t, ChunkResult>& chunks,
               CampaignResult* result);

}  // namespace graph_coverage
