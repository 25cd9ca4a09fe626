// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/campaign/campaign_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "generators/campaign/text.h"
#include "graph_coverage/mutation/mutation.h"

namespace graph_coverage {
namespace {

Score ScoreOf(const OutcomeCounts& counts) {
  return {counts.caught, counts.caught + counts.survived + counts.error};
}

template <typename Of>
Score Sum(const CampaignResult& result, const Of& of) {
  Score sum;
  for (const OperatorResult& op : result.operators) {
    const Score own = of(op);
    sum.caught += own.caught;
    sum.of += own.of;
  }
  return sum;
}

}  // namespace

const char* ToString(Outcome outcome) {
  switch (outcome) {
    case Outcome::kCaught:
      return "caught";
    case Outcome::kSurvived:
      return "survived";
    case Outcome::kEquivalent:
      return "equivalent";
    case Outcome::kOracleGap:
      return "oracle-gap";
    case Outcome::kError:
      return "error";
  }
  return "";
}

OutcomeCounts& OutcomeCounts::operator+=(const OutcomeCounts& other) {
  caught += other.caught;
  survived += other.survived;
  equivalent += other.equivalent;
  oracle_gap += other.oracle_gap;
  error += other.error;
  return *this;
}

OutcomeCounts CampaignResult::counts() const {
  OutcomeCounts sum;
  for (const OperatorResult& op : operators) sum += op.counts;
  return sum;
}

Score CampaignResult::all_rules() const {
  return Sum(*this,
             [](const OperatorResult& op) { return ScoreOf(op.counts); });
}

Score CampaignResult::without_shape_rules() const {
  return Sum(*this,
             [](const OperatorResult& op) { return op.without_shape_rules; });
}

Score CampaignResult::whole() const {
  return Sum(*this, [](const OperatorResult& op) {
    const MutationOperator* info = FindMutationOperator(op.op);
    return info == nullptr || info->extent == EditExtent::kPlace
               ? Score()
               : ScoreOf(op.counts);
  });
}

bool CampaignResult::passed() const {
  const OutcomeCounts all = counts();
  return errors.empty() && all.survived + all.oracle_gap + all.error == 0;
}

std::string ToString(const Score& score) {
  const std::string counts =
      WithThousands(score.caught) + " of " + WithThousands(score.of);
  if (score.of == 0) return counts;
  // Down, so that 100 says all.
  const std::uint64_t hundredths = score.caught * 10000 / score.of;
  return fmt::format("{} ({}.{:02} %)", counts, hundredths / 100,
                     hundredths % 100);
}

std::string ReplayCommand(const CampaignResult& result, const Mutant& mutant) {
  std::string command = "mk-graph-coverage-audit mutate " +
                        ForShell(result.gendir) + " --replay " +
                        ForShell(mutant.id);
  for (const std::string& argument : result.arguments) {
    command += " " + ForShell(argument);
  }
  return command;
}

void PrintTo(Outcome outcome, std::ostream* out) { *out << ToString(outcome); }

void PrintTo(const Mutant& mutant, std::ostream* out) {
  *out << fmt::format("{} {}", mutant.id, ToString(mutant.outcome));
}

void PrintTo(const OutcomeCounts& counts, std::ostream* out) {
  *out << CountsText(counts);
}

void PrintTo(const Score& score, std::ostream* out) { *out << ToString(score); }

void PrintTo(const CampaignResult& result, std::ostream* out) {
  *out << fmt::format("campaign on {}: {}", result.gendir,
                      CountsText(result.counts()));
}

}  // namespace graph_coverage
