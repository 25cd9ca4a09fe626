// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>

#include "graph_coverage/gtest_campaign.h"

namespace graph_coverage {
namespace {

constexpr std::size_t kMostListed = 10;

// The mutants that were not caught and should have been, the first few of
// them.
std::string SurvivorsText(const CampaignResult& result,
                          const std::string& of_op = {}) {
  std::string text;
  std::size_t listed = 0;
  std::size_t more = 0;
  for (const OperatorResult& op : result.operators) {
    if (!of_op.empty() && op.op != of_op) continue;
    for (const Mutant& mutant : op.mutants) {
      if (mutant.outcome != Outcome::kSurvived &&
          mutant.outcome != Outcome::kError) {
        continue;
      }
      if (listed == kMostListed) {
        ++more;
        continue;
      }
      ++listed;
      text += std::string("\n  ") + ToString(mutant.outcome) + ": " +
              mutant.id + "\n    - " + mutant.before + "\n    + " +
              mutant.after + "\n    " + ReplayCommand(result, mutant);
      if (!mutant.reason.empty()) text += "\n    reason: " + mutant.reason;
    }
  }
  if (more > 0) text += "\n  … and " + std::to_string(more) + " more";
  return text;
}

class ScoreMatcher : public testing::MatcherInterface<const CampaignResult&> {
 public:
  ScoreMatcher(std::string op, testing::Matcher<double> share)
      : op_(std::move(op)), share_(std::move(share)) {}

  void DescribeTo(std::ostream* out) const override {
    *out << "has a mutation score" << Of() << " that ";
    share_.DescribeTo(out);
  }
  void DescribeNegationTo(std::ostream* out) const override {
    *out << "has a mutation score" << Of() << " that ";
    share_.DescribeNegationTo(out);
  }
  bool MatchAndExplain(const CampaignResult& result,
                       testing::MatchResultListener* listener) const override {
    if (!result.errors.empty()) throw result.errors.front();
    const Score score = ScoreOf(result);
    if (score.of == 0) {
      throw InputError::Of(result.gendir,
                           "no mutant" + Of() + " was to be caught");
    }
    const double share =
        static_cast<double>(score.caught) / static_cast<double>(score.of);
    const bool matches = share_.Matches(share);
    *listener << "of which " << ToString(score) << " are caught";
    if (!matches) *listener << SurvivorsText(result, op_);
    return matches;
  }

 private:
  std::string Of() const { return op_.empty() ? "" : " of " + op_; }

  Score ScoreOf(const CampaignResult& result) const {
    if (op_.empty()) return result.all_rules();
    CampaignResult one;
    for (const OperatorResult& op : result.operators) {
      if (op.op == op_) one.operators.push_back(op);
    }
    return one.all_rules();
  }

  const std::string op_;  // empty: all
  const testing::Matcher<double> share_;
};

}  // namespace

testing::Matcher<const CampaignResult&> MutationScore(
    testing::Matcher<double> share) {
  return testing::MakeMatcher(new ScoreMatcher("", std::move(share)));
}

testing::Matcher<const CampaignResult&> MutationScore(
    const std::string& op, testing::Matcher<double> share) {
  if (FindMutationOperator(op) == nullptr) {
    throw std::invalid_argument("there is no mutation operator \"" + op + "\"");
  }
  return testing::MakeMatcher(new ScoreMatcher(op, std::move(share)));
}

namespace internal {

testing::AssertionResult CheckEveryDroppedEdge(const char*,
                                               const Subject& subject) {
  CampaignOptions options;
  if (subject.options != nullptr) options.audit = *subject.options;
  options.operators = {"drop"};
  options.exhaustive = true;
  const CampaignResult result = RunCampaign(subject.gendir, options);
  const OutcomeCounts counts = result.counts();
  const auto record = [](const char* name, std::uint64_t count) {
    testing::Test::RecordProperty(std::string("graph_coverage_") + name,
                                  std::to_string(count));
  };
  record("mutants", counts.total());
  record("caught", counts.caught);
  record("survived", counts.survived);
  record("equivalent", counts.equivalent);

  testing::AssertionResult failure = testing::AssertionFailure();
  failure << "  Gendir: " << subject.gendir.name()
          << "\nExpected: the audit catches every dropped edge\n  Actual: ";
  if (!result.errors.empty()) {
    return failure << "nothing was judged: " << result.errors.front().what();
  }
  if (result.baseline.verdict != Verdict::kPass) {
    return failure << "the gendir fails as it is; EXPECT_GENDIR_CLEAN tells: "
                   << (result.baseline.findings.empty()
                           ? "see its notes"
                           : result.baseline.findings.front());
  }
  if (!result.passed()) {
    return failure << ToString(result.all_rules()) << " are caught"
                   << SurvivorsText(result);
  }
  return testing::AssertionSuccess()
         << subject.gendir.name() << ": " << ToString(result.all_rules())
         << " dropped edges are caught";
}

}  // namespace internal
}  // namespace graph_coverage
