// SPDX-License-Identifier: Apache-2.0
#include "generators/campaign/results_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "audit/artifacts/byte_source.h"
#include "audit/artifacts/utf8.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

constexpr Outcome kOutcomes[] = {Outcome::kCaught, Outcome::kSurvived,
                                 Outcome::kEquivalent, Outcome::kOracleGap,
                                 Outcome::kError};

Outcome ParseOutcome(const std::string& text) {
  for (const Outcome outcome : kOutcomes) {
    if (text == ToString(outcome)) return outcome;
  }
  throw std::invalid_argument("no outcome: " + text);
}

Json MutantLine(const Mutant& mutant) {
  return {{"id", mutant.id},         {"outcome", ToString(mutant.outcome)},
          {"rules", mutant.rules},   {"reason", mutant.reason},
          {"before", mutant.before}, {"after", mutant.after}};
}

Mutant ParseMutant(const Json& json) {
  Mutant mutant;
  json.at("id").get_to(mutant.id);
  mutant.outcome = ParseOutcome(json.at("outcome").get<std::string>());
  json.at("rules").get_to(mutant.rules);
  json.at("reason").get_to(mutant.reason);
  json.at("before").get_to(mutant.before);
  json.at("after").get_to(mutant.after);
  return mutant;
}

Json CountsLine(const OutcomeCounts& counts) {
  return {counts.caught, counts.survived, counts.equivalent, counts.oracle_gap,
          counts.error};
}

OutcomeCounts ParseCounts(const Json& json) {
  OutcomeCounts counts;
  json.at(0).get_to(counts.caught);
  json.at(1).get_to(counts.survived);
  json.at(2).get_to(counts.equivalent);
  json.at(3).get_to(counts.oracle_gap);
  json.at(4).get_to(counts.error);
  return counts;
}

Json BaselineLine(const Baseline& baseline) {
  return {{"verdict", ToString(baseline.verdict)},
          {"errors", baseline.errors},
          {"warnings", baseline.warnings},
          {"notes", baseline.notes},
          {"findings", baseline.findings}};
}

Baseline ParseBaseline(const Json& json) {
  Baseline baseline;
  const std::string verdict = json.at("verdict").get<std::string>();
  for (const Verdict each :
       {Verdict::kPass, Verdict::kFail, Verdict::kInvalid}) {
    if (verdict == ToString(each)) baseline.verdict = each;
  }
  json.at("errors").get_to(baseline.errors);
  json.at("warnings").get_to(baseline.warnings);
  json.at("notes").get_to(baseline.notes);
  json.at("findings").get_to(baseline.findings);
  return baseline;
}

CampaignHead ParseHead(const Json& json) {
  CampaignHead head;
  if (json.at("campaign").get<int>() != kVersion) {
    throw std::invalid_argument("written by another version of the campaign");
  }
  json.at("fingerprint").get_to(head.fingerprint);
  json.at("chunks").get_to(head.chunks);
  json.at("keep_caught").get_to(head.keep_caught);
  CampaignResult& result = head.result;
  json.at("gendir").get_to(result.gendir);
  json.at("seed").get_to(result.seed);
  json.at("off").get_to(result.off);
  json.at("arguments").get_to(result.arguments);
  result.baseline = ParseBaseline(json.at("baseline"));
  for (const Json& each : json.at("operators")) {
    OperatorResult op;
    each.at("id").get_to(op.op);
    each.at("places").get_to(op.places);
    each.at("chosen").get_to(op.chosen);
    result.operators.push_back(std::move(op));
  }
  return head;
}

std::pair<std::uint64_t, ChunkResult> ParseChunk(const Json& json) {
  ChunkResult chunk;
  json.at("op").get_to(chunk.op);
  chunk.counts = ParseCounts(json.at("counts"));
  json.at("rules").get_to(chunk.rules);
  json.at("alone").get_to(chunk.alone);
  json.at("without_shape_rules").at(0).get_to(chunk.without_shape_rules.caught);
  json.at("without_shape_rules").at(1).get_to(chunk.without_shape_rules.of);
  for (const Json& mutant : json.at("mutants")) {
    chunk.mutants.push_back(ParseMutant(mutant));
  }
  return {json.at("chunk").get<std::uint64_t>(), std::move(chunk)};
}

// Names of artifacts may hold any byte.
std::string Dump(const Json& json) {
  return PrintableJson(
      json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::string HeadLine(const CampaignHead& head) {
  Json operators = Json::array();
  for (const OperatorResult& op : head.result.operators) {
    operators.push_back(
        {{"id", op.op}, {"places", op.places}, {"chosen", op.chosen}});
  }
  return Dump({{"campaign", kVersion},
               {"gendir", head.result.gendir},
               {"fingerprint", head.fingerprint},
               {"seed", head.result.seed},
               {"off", head.result.off},
               {"arguments", head.result.arguments},
               {"keep_caught", head.keep_caught},
               {"chunks", head.chunks},
               {"baseline", BaselineLine(head.result.baseline)},
               {"operators", std::move(operators)}});
}

std::string ChunkLine(std::uint64_t position, const ChunkResult& chunk) {
  Json mutants = Json::array();
  for (const Mutant& mutant : chunk.mutants) {
    mutants.push_back(MutantLine(mutant));
  }
  return Dump(
      {{"chunk", position},
       {"op", chunk.op},
       {"counts", CountsLine(chunk.counts)},
       {"rules", Json(chunk.rules)},
       {"alone", Json(chunk.alone)},
       {"without_shape_rules",
        {chunk.without_shape_rules.caught, chunk.without_shape_rules.of}},
       {"mutants", std::move(mutants)}});
}

std::optional<ResultsFile> ReadResults(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) return std::nullopt;
  const std::string text =
      ReadAll(*OpenFile(path), std::numeric_limits<std::size_t>::max());
  ResultsFile file;
  std::uint64_t number = 0;
  for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    if (end == std::string::npos) break;
    ++number;
    try {
      const Json json = Json::parse(text.begin() + static_cast<long>(begin),
                                    text.begin() + static_cast<long>(end));
      if (number == 1) {
        file.head = ParseHead(json);
        continue;
      }
      auto [position, chunk] = ParseChunk(json);
      if (position >= file.head.chunks ||
          chunk.op >= file.head.result.operators.size()) {
        throw std::invalid_argument("a chunk that the campaign does not have");
      }
      file.chunks.emplace(position, std::move(chunk));
    } catch (const std::exception& error) {
      throw InputError::Of(
          fmt::format("{}:{}", path, number),
          fmt::format("is no line of a campaign's results: {}", error.what()));
    }
  }
  if (number == 0) throw InputError::Of(path, "holds no campaign's results");
  return file;
}

// The old content is there until the new is.
ResultsWriter::ResultsWriter(const std::string& path, const ResultsFile& known)
    : path_(path) {
  const std::string fresh = path + ".new";
  std::error_code failure;
  try {
    out_.open(fresh, std::ios::binary | std::ios::trunc);
    Write(HeadLine(known.head));
    for (const auto& [position, chunk] : known.chunks) Add(position, chunk);
    std::filesystem::rename(fresh, path, failure);
    if (failure) {
      throw InputError::Of(path, "cannot be written: " + failure.message());
    }
  } catch (const InputError&) {
    std::filesystem::remove(fresh, failure);
    throw;
  }
}

void ResultsWriter::Add(std::uint64_t position, const ChunkResult& chunk) {
  Write(ChunkLine(position, chunk));
}

void ResultsWriter::Write(const std::string& line) {
  const std::lock_guard lock(mutex_);
  out_ << line << '\n' << std::flush;
  if (!out_) throw InputError::Of(path_, "cannot be written");
}

void AddChunks(const std::map<std::uint64_t, ChunkResult>& chunks,
               CampaignResult* result) {
  for (const auto& [position, chunk] : chunks) {
    OperatorResult& op = result->operators[chunk.op];
    op.counts += chunk.counts;
    for (const auto& [rule, count] : chunk.rules) op.rules[rule] += count;
    for (const auto& [rule, count] : chunk.alone) op.alone[rule] += count;
    op.without_shape_rules.caught += chunk.without_shape_rules.caught;
    op.without_shape_rules.of += chunk.without_shape_rules.of;
    op.mutants.insert(op.mutants.end(), chunk.mutants.begin(),
                      chunk.mutants.end());
  }
}

}  // namespace graph_coverage
