// SPDX-License-Identifier: Apache-2.0
//
// mutate: a campaign on a gendir, one mutant again, or shards brought together.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "graph_coverage/campaign/campaign.h"
#include "tool/commands.h"
#include "tool/output.h"
#include "tool/progress_line.h"

namespace {

using graph_coverage::CampaignOptions;
using graph_coverage::CampaignProgress;
using graph_coverage::CampaignResult;
using graph_coverage::Outcome;
using graph_coverage::Verdict;

CampaignOptions OptionsOf(const MutateArguments& arguments) {
  CampaignOptions options;
  options.audit.policy = PolicyOf(arguments.gendir, arguments.policy);
  if (!arguments.critical.empty()) {
    options.audit.policy.critical = arguments.critical;
  }
  std::vector<std::string>& off = options.audit.policy.off;
  off.insert(off.end(), arguments.off.begin(), arguments.off.end());
  if (!arguments.ranks.empty()) {
    options.audit.ranks.emplace();
    for (const std::uint32_t rank : arguments.ranks) {
      options.audit.ranks->push_back(graph_coverage::RankId(rank));
    }
  }
  options.audit.runtime_header = arguments.runtime_header;
  options.audit.semantics = arguments.semantics;
  options.audit.jobs = arguments.jobs;
  options.operators = arguments.operators;
  if (arguments.rank) options.rank = graph_coverage::RankId(*arguments.rank);
  options.sample = arguments.sample;
  options.exhaustive = arguments.exhaustive;
  options.seed = arguments.seed;
  options.jobs = arguments.jobs;
  options.results = arguments.results;
  // Viewers of mutants want them all.
  options.keep_caught =
      arguments.format == "elements" || arguments.format == "junit";
  return options;
}

std::string Render(const CampaignResult& result, const std::string& format) {
  if (format == "json") return graph_coverage::WriteCampaignJson(result);
  if (format == "elements") {
    return graph_coverage::WriteCampaignElements(result);
  }
  if (format == "junit") return graph_coverage::WriteCampaignJunit(result);
  if (format == "html") return graph_coverage::WriteCampaignHtml(result);
  return graph_coverage::WriteCampaignText(result);
}

template <typename Errors>
bool PrintErrors(const Errors& errors) {
  for (const graph_coverage::InputError& error : errors) {
    fmt::print(stderr, "error: {}\n", error.what());
  }
  return !errors.empty();
}

int Finish(const CampaignResult& result, const MutateArguments& arguments) {
  const bool failed = PrintErrors(result.errors);
  Print(Render(result, arguments.format), arguments.output);
  if (failed) return kExitBadInput;
  if (result.baseline.verdict != Verdict::kPass) return kExitBaseline;
  return result.passed() ? kExitPass : kExitFail;
}

int RunReplay(const MutateArguments& arguments) {
  const graph_coverage::Replay replay = graph_coverage::ReplayMutant(
      arguments.gendir, arguments.replay, OptionsOf(arguments));
  if (PrintErrors(replay.errors)) return kExitBadInput;
  const graph_coverage::Mutant& mutant = replay.mutant;
  std::string text =
      fmt::format("{}: {}\n  - {}\n  + {}\n", ToString(mutant.outcome),
                  mutant.id, mutant.before, mutant.after);
  if (!mutant.reason.empty()) text += "  reason: " + mutant.reason + "\n";
  for (const graph_coverage::Finding& finding : replay.findings) {
    text += fmt::format("{}[{}]: {}\n", ToString(finding.severity),
                        finding.rule, finding.message());
  }
  Print(text, arguments.output);
  return mutant.outcome == Outcome::kCaught ||
                 mutant.outcome == Outcome::kEquivalent
             ? kExitPass
             : kExitFail;
}

// "1,024 of 462,176 mutants, 51,000 a second, 9 s left".
std::string ProgressText(const CampaignProgress& progress,
                         std::chrono::steady_clock::time_point start) {
  const std::uint64_t all = progress.mutants;
  const std::uint64_t judged = progress.judged;
  if (all == 0) return "reading and auditing the gendir …";
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  const double rate =
      static_cast<double>(judged -
                          std::min<std::uint64_t>(judged, progress.resumed)) /
      std::max(seconds, 0.001);
  std::string text =
      fmt::format("{} of {} mutants, {:.0f} a second", judged, all, rate);
  if (rate > 0) {
    text += fmt::format(", {:.0f} s left",
                        static_cast<double>(all - judged) / rate);
  }
  return text;
}

}  // namespace

int RunMutate(const MutateArguments& arguments) {
  if (!arguments.merge.empty()) {
    return Finish(graph_coverage::MergeCampaign(arguments.merge), arguments);
  }
  if (arguments.gendir.empty()) throw UsageError("GENDIR is required");
  if (!arguments.replay.empty()) return RunReplay(arguments);

  CampaignOptions options = OptionsOf(arguments);
  try {
    options.shard = graph_coverage::ShardFromEnvironment();
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  CampaignProgress progress;
  options.progress = &progress;
  CampaignResult result;
  {
    std::optional<std::chrono::steady_clock::time_point> start;
    const ProgressLine line([&progress, &start] {
      if (!start && progress.mutants > 0) {
        start = std::chrono::steady_clock::now();
      }
      return ProgressText(progress,
                          start.value_or(std::chrono::steady_clock::now()));
    });
    result = graph_coverage::RunCampaign(arguments.gendir, options);
  }
  return Finish(result, arguments);
}
