// SPDX-License-Identifier: Apache-2.0
//
// Each matcher about findings: success, the text of a failure, the description
// both ways, and the explanation alone.
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <stdexcept>
#include <string>

#include "graph_coverage/catalogue.h"
#include "graph_coverage/matchers.h"
#include "tests/matchers/sample.h"

namespace graph_coverage {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Matcher;
using ::testing::Not;

using ReportIs = Matcher<const Report&>;

// ConsumesAllCritical.

TEST(ConsumesAllCritical, MatchesWhatReadsThem) {
  EXPECT_THAT(CleanReport(), ConsumesAllCritical());
  EXPECT_THAT(BrokenReport(), Not(ConsumesAllCritical()));
}

TEST(ConsumesAllCritical, FailsWithTheFindings) {
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(BrokenReport(), ConsumesAllCritical()),
      "Value of: BrokenReport()\n"
      "Expected: consumes all critical tensors\n"
      "  Actual: report of build/gendir: fail, 1 rank, 1 error, 0 warnings, 0 "
      "notes (of type graph_coverage::Report), which has 1 error in what it "
      "declares and consumes:\n"
      "  error[missing-wiring]: rope_cos is broken.\n"
      "    rank 0");
}

TEST(ConsumesAllCritical, DescribesItself) {
  EXPECT_EQ(Description(ReportIs(ConsumesAllCritical())),
            "consumes all critical tensors");
  EXPECT_EQ(Negation(ReportIs(ConsumesAllCritical())),
            "does not consume all critical tensors");
}

TEST(ConsumesAllCritical, ExplainsASuccess) {
  EXPECT_EQ(Explanation(ReportIs(ConsumesAllCritical()), CleanReport()),
            "which reads all 2 critical tensors on rank 0");
}

TEST(ConsumesAllCritical, TellsOfErrorsThatDoNotCount) {
  Report report = CleanReport();
  report.verdict = Verdict::kFail;
  report.findings = {SampleFinding("layer-gap", "a"),
                     SampleFinding("tile-pattern", "b"),
                     SampleFinding("layer-gap", "c"),
                     SampleFinding("unread-attached", "d", Severity::kWarning)};
  EXPECT_THAT(report, ConsumesAllCritical());
  EXPECT_EQ(Explanation(ReportIs(ConsumesAllCritical()), report),
            "which reads all 2 critical tensors on rank 0, and has 3 errors of "
            "other rules: layer-gap (2), tile-pattern (1)");
}

TEST(ConsumesAllCritical, CountsAnyErrorOfGroupA) {
  Report report = CleanReport();
  report.verdict = Verdict::kFail;
  report.findings = {SampleFinding("undeclared-tensor", "x")};
  EXPECT_THAT(report, Not(ConsumesAllCritical()));
  report.findings[0].severity = Severity::kWarning;  // the policy says so
  EXPECT_THAT(report, ConsumesAllCritical());
}

TEST(ConsumesAllCritical, ListsTenFindingsAndSaysWhereTheRestIs) {
  Report report = BrokenReport();
  report.findings.assign(33, SampleFinding("missing-wiring", "rope_cos"));
  const std::string text = Explanation(ReportIs(ConsumesAllCritical()), report);
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = text.find("\n  error", at)) != text.npos;
       ++at) {
    ++lines;
  }
  EXPECT_EQ(lines, 10u);
  EXPECT_THAT(
      text,
      HasSubstr("\n  … and 23 more: run mk-graph-coverage-audit build/gendir"));
}

TEST(ConsumesAllCritical, ThrowsWhereNothingIsCritical) {
  Report report = CleanReport();
  for (TensorCoverage& tensor : report.tensors) tensor.critical = false;
  const ReportIs matcher = ConsumesAllCritical();
  const ReportIs negation = Not(ConsumesAllCritical());
  EXPECT_THROW(matcher.Matches(report), InputError);
  EXPECT_THROW(negation.Matches(report), InputError);
}

// IsClean.

TEST(IsClean, MatchesWhatPasses) {
  EXPECT_THAT(CleanReport(), IsClean());
  EXPECT_THAT(BrokenReport(), Not(IsClean()));
}

TEST(IsClean, FailsWithTheFindings) {
  Report report = BrokenReport();
  report.findings.push_back(
      SampleFinding("dead-scratch", "x", Severity::kNote));
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(report, IsClean()),
                          "Expected: is clean\n"
                          "  Actual: report of build/gendir: fail, 1 rank, 1 "
                          "error, 0 warnings, 1 note (of type "
                          "graph_coverage::Report), which has 1 finding of "
                          "severity error:\n"
                          "  error[missing-wiring]: rope_cos is broken.\n"
                          "    rank 0");
}

TEST(IsClean, DescribesItself) {
  EXPECT_EQ(Description(ReportIs(IsClean())), "is clean");
  EXPECT_EQ(Negation(ReportIs(IsClean())), "is not clean");
}

TEST(IsClean, ExplainsASuccess) {
  Report report = CleanReport();
  report.findings = {SampleFinding("dead-scratch", "x", Severity::kNote)};
  EXPECT_EQ(Explanation(ReportIs(IsClean()), report),
            "which has no finding of severity error on rank 0 (others: "
            "dead-scratch (1))");
}

TEST(IsClean, HoldsToThePolicysSeverity) {
  Report report = CleanReport();
  report.fail_on = Severity::kWarning;
  report.verdict = Verdict::kFail;
  report.findings = {SampleFinding("unread-attached", "x", Severity::kWarning)};
  EXPECT_THAT(report, Not(IsClean()));
  EXPECT_EQ(Explanation(ReportIs(IsClean()), report),
            "which has 1 finding of severity warning or above:\n"
            "  warning[unread-attached]: x is broken.\n    rank 0");
}

// HasFinding.

TEST(HasFinding, MatchesByRuleAndTensor) {
  EXPECT_THAT(BrokenReport(), HasFinding("missing-wiring"));
  EXPECT_THAT(BrokenReport(), HasFinding("missing-wiring", "rope_cos"));
  EXPECT_THAT(BrokenReport(), HasFinding("missing-wiring", "rope_*"));
  EXPECT_THAT(BrokenReport(), Not(HasFinding("missing-wiring", "rope_sin")));
  EXPECT_THAT(BrokenReport(), Not(HasFinding("undeclared-tensor")));
  EXPECT_THAT(CleanReport(), Not(HasFinding("missing-wiring")));
}

TEST(HasFinding, SeesFoldedTensorsTaskTypesAndConsequences) {
  Report report = BrokenReport();
  Finding folded = SampleFinding("undeclared-tensor", "layer_{0..1}_q_norm");
  folded.members = {"layer_0_q_norm", "layer_1_q_norm"};
  Finding of_type = SampleFinding("shuffle-cover", "");
  of_type.task_type = "TASK_EMBEDDING";
  folded.consequences = {of_type};
  report.findings = {folded};
  EXPECT_THAT(report, HasFinding("undeclared-tensor", "layer_1_q_norm"));
  EXPECT_THAT(report, HasFinding("undeclared-tensor", "layer_{0..1}_q_norm"));
  EXPECT_THAT(report, HasFinding("shuffle-cover", "TASK_EMBEDDING"));
  EXPECT_THAT(report, Not(HasFinding("undeclared-tensor", "layer_2_q_norm")));
}

TEST(HasFinding, DoesNotCountWaivedFindings) {
  Report report = CleanReport();
  report.waived = {{SampleFinding("missing-wiring", "rope_cos"), "known"}};
  EXPECT_THAT(report, Not(HasFinding("missing-wiring")));
}

TEST(HasFinding, FailsWithWhatThereIs) {
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(BrokenReport(), HasFinding("missing-wiring", "rope_sin")),
      "Expected: has a finding missing-wiring about rope_sin\n"
      "  Actual: report of build/gendir: fail, 1 rank, 1 error, 0 warnings, 0 "
      "notes (of type graph_coverage::Report), whose findings of that rule are "
      "about something else:\n"
      "  error[missing-wiring]: rope_cos is broken.\n"
      "    rank 0");
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(BrokenReport(), HasFinding("undeclared-tensor")),
      "whose findings are missing-wiring (1)");
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(CleanReport(), HasFinding("undeclared-tensor")),
      "whose findings are none");
}

TEST(HasFinding, DescribesItself) {
  EXPECT_EQ(Description(ReportIs(HasFinding("undeclared-tensor"))),
            "has a finding undeclared-tensor");
  EXPECT_EQ(Negation(ReportIs(HasFinding("undeclared-tensor", "x"))),
            "has no finding undeclared-tensor about x");
}

TEST(HasFinding, ExplainsASuccess) {
  EXPECT_EQ(
      Explanation(ReportIs(HasFinding("missing-wiring")), BrokenReport()),
      "which has\n  error[missing-wiring]: rope_cos is broken.\n    rank 0");
}

TEST(HasFinding, RefusesARuleThatDoesNotExist) {
  EXPECT_THROW(HasFinding("mising-wiring"), std::invalid_argument);
  EXPECT_THROW(IsFinding("mising-wiring", "x"), std::invalid_argument);
}

// IsFinding.

TEST(IsFinding, GoesWithContainsAndEach) {
  const Report report = BrokenReport();
  EXPECT_THAT(report.findings, Contains(IsFinding("missing-wiring")));
  EXPECT_THAT(report.findings, Each(IsFinding("missing-wiring", "rope_*")));
  EXPECT_THAT(report.findings, Each(Not(IsFinding("undeclared-tensor"))));
}

TEST(IsFinding, FailsWithTheRule) {
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(SampleFinding("missing-wiring", "x"),
                  IsFinding("undeclared-tensor")),
      "Expected: is a finding undeclared-tensor\n"
      "  Actual: error[missing-wiring]: x is broken.\n  rank 0 (of type "
      "graph_coverage::Finding), which is of rule "
      "missing-wiring about x");
}

TEST(IsFinding, DescribesItself) {
  EXPECT_EQ(Description(IsFinding("undeclared-tensor")),
            "is a finding undeclared-tensor");
  EXPECT_EQ(Negation(IsFinding("undeclared-tensor", "x")),
            "is no finding undeclared-tensor about x");
}

TEST(IsFinding, ExplainsASuccess) {
  EXPECT_EQ(Explanation(IsFinding("undeclared-tensor"),
                        SampleFinding("undeclared-tensor", "")),
            "which is of rule undeclared-tensor");
}

// All of them.

TEST(ReportMatchers, Compose) {
  EXPECT_THAT(BrokenReport(),
              AllOf(Not(IsClean()), HasFinding("missing-wiring")));
  EXPECT_THAT(CleanReport(), AnyOf(IsClean(), HasFinding("missing-wiring")));
  EXPECT_EQ(Description(ReportIs(AllOf(ConsumesAllCritical(), Not(IsClean())))),
            "(consumes all critical tensors) and (is not clean)");
}

TEST(ReportMatchers, NothingAuditedIsNeverAPass) {
  const Report report = InvalidReport();
  const ReportIs matchers[] = {
      ConsumesAllCritical(),
      Not(ConsumesAllCritical()),
      IsClean(),
      Not(IsClean()),
      HasFinding("missing-wiring"),
      Not(HasFinding("missing-wiring")),
      AnyOf(IsClean(), HasFinding("missing-wiring")),
  };
  for (const ReportIs& matcher : matchers) {
    try {
      matcher.Matches(report);
      ADD_FAILURE() << "an answer: " << Description(matcher);
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(),
                   "build/gendri: nothing was audited\n"
                   "  build/gendri: there is no such directory");
    }
  }
}

TEST(ReportMatchers, SayThatAGendirIsANullPointer) {
  const char* unset = nullptr;  // as std::getenv gives it
  const testing::Matcher<const char*> matcher = Not(IsClean());
  try {
    matcher.Matches(unset);
    ADD_FAILURE() << "an answer";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "(null): nothing was audited\n"
                 "  (null): the gendir is a null pointer: is the environment "
                 "variable that names it set?");
  }
}

}  // namespace
}  // namespace graph_coverage
