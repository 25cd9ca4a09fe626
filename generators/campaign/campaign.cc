// SPDX-License-Identifier: Apache-2.0
//
// Runs a campaign: reads, audits the baseline, lets workers take chunks.
#include "graph_coverage/campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "audit/parallel.h"
#include "generators/campaign/fingerprint.h"
#include "generators/campaign/mutant_auditor.h"
#include "generators/campaign/plan.h"
#include "generators/campaign/results_file.h"
#include "graph_coverage/policy_file.h"

namespace graph_coverage {
namespace {

// Without these there is left what the structure tells, not the shapes.
bool IsShapeRule(const std::string& rule) {
  return rule == "operand-shape" || rule == "missing-operand" ||
         rule == "null-dereferenced";
}

Baseline BaselineOf(const Report& report) {
  Baseline baseline;
  baseline.verdict = report.verdict;
  baseline.errors = report.Count(Severity::kError);
  baseline.warnings = report.Count(Severity::kWarning);
  baseline.notes = report.Count(Severity::kNote);
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::kNote) continue;
    baseline.findings.push_back(finding.rule + ": " + finding.message());
  }
  return baseline;
}

// What a replay must be told again.
std::vector<std::string> ReplayArguments(const CampaignOptions& options) {
  std::vector<std::string> arguments;
  const auto add = [&arguments](const char* name, const std::string& value) {
    if (value.empty()) return;
    arguments.emplace_back(name);
    arguments.push_back(value);
  };
  const AuditOptions& audit = options.audit;
  std::string ranks;
  for (const RankId rank : audit.ranks.value_or(std::vector<RankId>())) {
    ranks += (ranks.empty() ? "" : ",") + std::to_string(Index(rank));
  }
  add("--ranks", ranks);
  if (audit.policy.critical) {
    add("--critical",
        fmt::format("{}", fmt::join(*audit.policy.critical, ",")));
  }
  add("--off", fmt::format("{}", fmt::join(audit.policy.off, ",")));
  add("--policy", audit.policy.file);
  add("--runtime-header", audit.runtime_header);
  add("--semantics", audit.semantics);
  return arguments;
}

// The options with the policy beside the gendir, if they have none.
CampaignOptions WithPolicy(const Gendir& gendir,
                           const CampaignOptions& options) {
  CampaignOptions complete = options;
  complete.audit.policy = PolicyFor(gendir, options.audit.policy);
  return complete;
}

CampaignHead HeadOf(const Gendir& gendir, const CampaignOptions& options,
                    const std::vector<Rank>& ranks, const Plan& plan,
                    const Report& baseline) {
  CampaignHead head;
  head.result.gendir = gendir.name();
  head.result.baseline = BaselineOf(baseline);
  head.result.seed = options.seed;
  head.result.off = options.audit.policy.off;
  head.result.arguments = ReplayArguments(options);
  for (const PlannedOperator& planned : plan.operators()) {
    OperatorResult& op = head.result.operators.emplace_back();
    op.op = planned.info->id;
    op.places = planned.places;
    op.chosen = planned.chosen();
  }
  head.fingerprint = FingerprintOf(ranks);
  head.chunks = plan.chunks().size();
  head.keep_caught = options.keep_caught;
  return head;
}

void Count(Outcome outcome, OutcomeCounts* counts) {
  switch (outcome) {
    case Outcome::kCaught:
      ++counts->caught;
      break;
    case Outcome::kSurvived:
      ++counts->survived;
      break;
    case Outcome::kEquivalent:
      ++counts->equivalent;
      break;
    case Outcome::kOracleGap:
      ++counts->oracle_gap;
      break;
    case Outcome::kError:
      ++counts->error;
      break;
  }
}

ChunkResult JudgeChunk(const Plan& plan, const MutantAuditor& auditor,
                       const Chunk& chunk, const CampaignOptions& options) {
  using Until = MutantAuditor::Until;
  const bool exhaustive = plan.operators()[chunk.op].exhaustive;
  ChunkResult result;
  result.op = chunk.op;
  for (std::uint64_t i = chunk.begin; i < chunk.end; ++i) {
    Mutant mutant =
        auditor.Judge(plan.MutationAt(chunk.op, i),
                      exhaustive ? Until::kFirstRule : Until::kAllRules,
                      !options.keep_caught);
    Count(mutant.outcome, &result.counts);
    for (const std::string& rule : mutant.rules) ++result.rules[rule];
    const bool scored = mutant.outcome == Outcome::kCaught ||
                        mutant.outcome == Outcome::kSurvived ||
                        mutant.outcome == Outcome::kError;
    if (!exhaustive && scored) {
      if (mutant.rules.size() == 1) ++result.alone[mutant.rules.front()];
      ++result.without_shape_rules.of;
      result.without_shape_rules.caught +=
          !std::all_of(mutant.rules.begin(), mutant.rules.end(), IsShapeRule);
    }
    if (options.keep_caught || mutant.outcome != Outcome::kCaught) {
      result.mutants.push_back(std::move(mutant));
    }
    if (options.progress != nullptr) ++options.progress->judged;
  }
  return result;
}

// What a results file knows of this campaign. Throws InputError where it is
// another campaign's.
ResultsFile Resume(const CampaignOptions& options, const CampaignHead& head) {
  ResultsFile known{head, {}};
  auto read = ReadResults(options.results);
  if (!read) return known;
  if (HeadLine(read->head) != HeadLine(head)) {
    throw InputError::Of(options.results,
                         "holds the results of another campaign (other "
                         "artifacts, operators, seed or rules); give another "
                         "file, or remove it");
  }
  known.chunks = std::move(read->chunks);
  return known;
}

CampaignResult Run(const Gendir& gendir, const CampaignOptions& options) {
  const std::vector<Rank> ranks = ReadRanks(gendir, options.audit);
  const Plan plan(ranks, options);
  const MutantAuditor auditor(ranks, plan.spaces(), options.audit);
  const CampaignHead head =
      HeadOf(gendir, options, ranks, plan, auditor.baseline());
  CampaignResult result = head.result;
  result.errors = auditor.baseline().errors;
  if (!result.errors.empty()) return result;
  if (plan.chunks().empty()) {
    result.errors.push_back(
        InputError::Of(gendir.name(),
                       "there is nothing that these operators can edit: no "
                       "mutants are no proof"));
    return result;
  }

  ResultsFile known{head, {}};
  std::unique_ptr<ResultsWriter> writer;
  if (!options.results.empty()) {
    known = Resume(options, head);
    writer = std::make_unique<ResultsWriter>(options.results, known);
  }
  std::vector<std::uint64_t> open;
  for (std::uint64_t i = 0; i < plan.chunks().size(); ++i) {
    if (i % options.shard.total != options.shard.index) continue;
    const Chunk& chunk = plan.chunks()[i];
    const bool done = known.chunks.count(i) != 0;
    if (!done) open.push_back(i);
    if (options.progress == nullptr) continue;
    options.progress->mutants += chunk.end - chunk.begin;
    if (!done) continue;
    options.progress->judged += chunk.end - chunk.begin;
    options.progress->resumed += chunk.end - chunk.begin;
  }
  std::vector<ChunkResult> judged(open.size());
  InParallel(open.size(), options.jobs, [&](std::size_t i) {
    judged[i] = JudgeChunk(plan, auditor, plan.chunks()[open[i]], options);
    if (writer) writer->Add(open[i], judged[i]);
  });
  for (std::size_t i = 0; i < open.size(); ++i) {
    known.chunks.emplace(open[i], std::move(judged[i]));
  }
  AddChunks(known.chunks, &result);
  return result;
}

std::uint32_t ParseNumber(const char* name, std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument(
        fmt::format("{} is \"{}\", which is no number", name, text));
  }
  return number;
}

}  // namespace

Shard ShardFromEnvironment() {
  const char* total = std::getenv("GTEST_TOTAL_SHARDS");
  const char* index = std::getenv("GTEST_SHARD_INDEX");
  if (total == nullptr && index == nullptr) return {};
  if (total == nullptr || index == nullptr) {
    throw std::invalid_argument(
        "one of GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX is set and the other "
        "is not");
  }
  const Shard shard{ParseNumber("GTEST_SHARD_INDEX", index),
                    ParseNumber("GTEST_TOTAL_SHARDS", total)};
  if (shard.index >= shard.total) {
    throw std::invalid_argument(
        fmt::format("GTEST_SHARD_INDEX is {}, expected a number below "
                    "GTEST_TOTAL_SHARDS, which is {}",
                    shard.index, shard.total));
  }
  if (const char* status = std::getenv("GTEST_SHARD_STATUS_FILE")) {
    std::ofstream(status, std::ios::app).flush();
  }
  return shard;
}

CampaignResult RunCampaign(const Gendir& gendir,
                           const CampaignOptions& options) {
  CampaignResult failed;
  failed.gendir = gendir.name();
  try {
    return Run(gendir, WithPolicy(gendir, options));
  } catch (const InputError& error) {
    failed.errors.push_back(error);
  } catch (const std::invalid_argument& error) {
    failed.errors.push_back(InputError::Of(gendir.name(), error.what()));
  }
  return failed;
}

CampaignResult MergeCampaign(const std::vector<std::string>& files) {
  CampaignResult result;
  std::optional<ResultsFile> all;
  try {
    for (const std::string& path : files) {
      std::optional<ResultsFile> read = ReadResults(path);
      if (!read) throw InputError::Of(path, "no such file");
      if (!all) {
        all = std::move(read);
        continue;
      }
      if (HeadLine(read->head) != HeadLine(all->head)) {
        throw InputError::Of(path,
                             "is of another campaign than " + files.front());
      }
      for (auto& [position, chunk] : read->chunks) {
        if (!all->chunks.emplace(position, std::move(chunk)).second) {
          throw InputError::Of(
              path, fmt::format("has chunk {} once more; give each shard's "
                                "file once",
                                position));
        }
      }
    }
    if (!all) throw InputError::Of("merge", "no results file is given");
  } catch (const InputError& error) {
    result.errors.push_back(error);
    return result;
  }
  result = all->head.result;
  AddChunks(all->chunks, &result);
  if (all->chunks.size() != all->head.chunks) {
    result.errors.push_back(InputError::Of(
        result.gendir,
        fmt::format("{} of {} chunks of the campaign were judged: run the "
                    "other shards, or those that were broken off again",
                    all->chunks.size(), all->head.chunks)));
  }
  return result;
}

Replay ReplayMutant(const Gendir& gendir, const std::string& id,
                    const CampaignOptions& options) {
  Replay replay;
  try {
    const Mutation mutation = ParseMutation(id);
    const std::vector<Rank> ranks = ReadRanks(gendir, options.audit);
    std::deque<MutationSpace> spaces;
    bool has_rank = !mutation.rank;
    for (const Rank& rank : ranks) {
      spaces.emplace_back(rank);
      has_rank |= mutation.rank == rank.id();
    }
    if (!has_rank) {
      throw std::invalid_argument(
          fmt::format("rank {} of the mutant is not among those that are read",
                      Index(*mutation.rank)));
    }
    // An id that does not fit the rank is the caller's fault, no mutant's.
    for (const MutationSpace& space : spaces) space.Apply(mutation);
    const CampaignOptions complete = WithPolicy(gendir, options);
    const MutantAuditor auditor(ranks, spaces, complete.audit);
    replay.errors = auditor.baseline().errors;
    if (!replay.errors.empty()) return replay;
    replay.mutant = auditor.Judge(mutation, MutantAuditor::Until::kAllRules,
                                  false, &replay.findings);
  } catch (const InputError& error) {
    replay.errors.push_back(error);
  } catch (const std::invalid_argument& error) {
    replay.errors.push_back(InputError::Of(gendir.name(), error.what()));
  }
  return replay;
}

}  // namespace graph_coverage
