// SPDX-License-Identifier: Apache-2.0
//
// mutate: a campaign on a gendir, one mutant again, or shards brought together.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>

#include "graph_coverage/campaign/campaign.h"
#include "graph_coverage/write.h"
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
    text += graph_coverage::WriteText(finding);
  }
  Print(text, arguments.output);
  return mutant.outcome == Outcome::kCaught ||
                 mutant.outcome == Outcome::kEquivalent
             ? kExitPass
             : kExitFail;
}

// How far a campaign is, told by one thread.
class Pace {
 public:
  explicit Pace(const CampaignProgress& progress) : progress_(progress) {}

  // "1024 of 462176 mutants, 51000 a second, 9 s left"; the pace is that since
  // the first call which saw mutants.
  std::string Text() {
    using Clock = std::chrono::steady_clock;
    const std::uint64_t all = progress_.mutants;
    if (all == 0) return "reading and auditing the gendir …";
    const std::uint64_t judged = progress_.judged;
    std::string text = fmt::format("{} of {} mutants", judged, all);
    if (!start_) {
      start_ = {Clock::now(), judged};
    } else if (judged > start_->judged) {
      const double rate =
          static_cast<double>(judged - start_->judged) /
          std::chrono::duration<double>(Clock::now() - start_->time).count();
      text += fmt::format(", {:.0f} a second, {:.0f} s left", rate,
                          static_cast<double>(all - judged) / rate);
    }
    return text;
  }

  unsigned Tenths() const {
    const std::uint64_t all = progress_.mutants;
    return all == 0 ? 0 : static_cast<unsigned>(progress_.judged * 10 / all);
  }

 private:
  struct Start {
    std::chrono::steady_clock::time_point time;
    std::uint64_t judged = 0;
  };

  const CampaignProgress& progress_;
  std::optional<Start> start_;
};

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
    Pace pace(progress);
    const ProgressLine line([&pace] { return pace.Text(); },
                            [&pace] { return pace.Tenths(); });
    result = graph_coverage::RunCampaign(arguments.gendir, options);
  }
  return Finish(result, arguments);
}
