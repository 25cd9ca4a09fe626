// SPDX-License-Identifier: Apache-2.0
//
// Each matcher about tensors: success, the text of a failure, the description
// both ways, and the explanation alone.
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <string>

#include "graph_coverage/matchers.h"
#include "tests/matchers/sample.h"

namespace graph_coverage {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Lt;
using ::testing::Matcher;
using ::testing::Not;

using ReportIs = Matcher<const Report&>;

// Consumes.

TEST(Consumes, MatchesWhatIsRead) {
  EXPECT_THAT(CleanReport(), Consumes("rope_cos"));
  EXPECT_THAT(BrokenReport(), Not(Consumes("rope_cos")));
  EXPECT_THAT(BrokenReport(), Consumes("rope_sin"));
  EXPECT_THAT(CleanReport(), Not(Consumes("rope_tan")));
}

TEST(Consumes, AsksEachTensorOfAPatternOnEachRank) {
  EXPECT_THAT(CleanReport(), Consumes("rope_*"));
  EXPECT_THAT(BrokenReport(), Not(Consumes("rope_*")));
  Report report = CleanReport();
  report.tensors.push_back(SampleTensor("rope_cos", 0));
  report.tensors.back().ranks = {RankId{1}};
  EXPECT_THAT(report, Not(Consumes("rope_cos")));
}

TEST(Consumes, AsksThatEachRankDeclaresIt) {
  Report report = CleanReport();
  report.ranks.resize(2);
  report.ranks[1].rank = RankId{1};
  EXPECT_THAT(Explanation(ReportIs(Consumes("rope_cos")), report),
              HasSubstr("which declares no tensor rope_cos on rank 1"));
  EXPECT_THAT(report, Not(Consumes("rope_cos")));
}

TEST(Consumes, AsksHow) {
  EXPECT_THAT(CleanReport(), Consumes("rope_cos", AllOf(ByTaskTypes({278, 296}),
                                                        Times(Ge(156)))));
  EXPECT_THAT(CleanReport(), Not(Consumes("rope_sin", Times(Ge(156)))));
  EXPECT_THAT(CleanReport(),
              Consumes("rope_cos", Field(&TensorCoverage::consumer_task_types,
                                         IsSupersetOf({278u}))));
}

TEST(Consumes, IsNotTrueOfWhatIsReadNoTimes) {
  EXPECT_THAT(BrokenReport(), Not(Consumes("rope_cos", Times(Lt(10)))));
}

TEST(Consumes, FailsWithWhatThereIs) {
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(BrokenReport(), Consumes("rope_cos")),
      "Expected: consumes rope_cos\n"
      "  Actual: report of build/gendir: fail, 1 rank, 1 error, 0 warnings, 0 "
      "notes (of type graph_coverage::Report), which declares rope_cos "
      "(attached, critical): input_refs=0 "
      "consumer_task_types=[], rank 0, which no task reads");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(BrokenReport(), Consumes("rope_tan")),
                          "which declares no tensor rope_tan");
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(CleanReport(), Consumes("rope_sin", Times(Ge(156)))),
      "Expected: consumes rope_sin, which is read by a number of operands that "
      "is >= 156\n");
}

TEST(Consumes, DescribesItself) {
  EXPECT_EQ(Description(ReportIs(Consumes("x"))), "consumes x");
  EXPECT_EQ(Negation(ReportIs(Consumes("x"))), "does not consume x");
  EXPECT_EQ(Description(ReportIs(Consumes("x", ByTaskTypes({278})))),
            "consumes x, which is read by tasks of exactly the types {278}");
  EXPECT_EQ(Negation(ReportIs(Consumes("x", ByTaskTypes({278})))),
            "does not consume x, or it is not read by tasks of exactly the "
            "types {278}");
}

TEST(Consumes, ExplainsASuccess) {
  EXPECT_EQ(
      Explanation(ReportIs(Consumes("rope_sin", Times(78))), CleanReport()),
      "which declares rope_sin (attached, critical): input_refs=78 "
      "consumer_task_types=[278, 296], rank 0, which is read by 78 "
      "operands");
  EXPECT_EQ(Explanation(ReportIs(Consumes("rope_*")), CleanReport()),
            "which declares\n"
            "  rope_cos (attached, critical): input_refs=156 "
            "consumer_task_types=[278, 296], rank 0\n"
            "  rope_sin (attached, critical): input_refs=78 "
            "consumer_task_types=[278, 296], rank 0");
}

TEST(Consumes, ListsTenTensorsAndSaysWhereTheRestIs) {
  Report report = CleanReport();
  report.tensors.clear();
  for (int i = 0; i < 12; ++i) {
    report.tensors.push_back(SampleTensor("x" + std::to_string(i), 0));
  }
  EXPECT_THAT(
      Explanation(ReportIs(Consumes("x*")), report),
      HasSubstr("\n  … and 2 more: run mk-graph-coverage-audit build/gendir"));
}

TEST(Consumes, NothingAuditedIsNeverAPass) {
  EXPECT_THROW(ReportIs(Consumes("x")).Matches(InvalidReport()), InputError);
  EXPECT_THROW(ReportIs(Not(Consumes("x"))).Matches(InvalidReport()),
               InputError);
}

// Times.

TEST(Times, MatchesTheCount) {
  EXPECT_THAT(SampleTensor("x", 3), Times(3));
  EXPECT_THAT(SampleTensor("x", 3), Not(Times(Ge(4))));
  EXPECT_THAT(CleanReport().tensors, Each(Times(Ge(78))));
}

TEST(Times, FailsWithTheCount) {
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(SampleTensor("x", 1), Times(Ge(4))),
                          "Expected: is read by a number of operands that is "
                          ">= 4\n"
                          "  Actual: x (attached, critical): input_refs=1 "
                          "consumer_task_types=[278, 296], rank 0 (of type "
                          "graph_coverage::TensorCoverage), which is "
                          "read by 1 operand");
}

TEST(Times, DescribesItself) {
  EXPECT_EQ(Description(Times(Ge(4))),
            "is read by a number of operands that is >= 4");
  EXPECT_EQ(Negation(Times(Ge(4))),
            "is read by a number of operands that isn't >= 4");
}

TEST(Times, ExplainsASuccess) {
  EXPECT_EQ(Explanation(Times(3), SampleTensor("x", 3)),
            "which is read by 3 operands");
}

// ByTaskTypes.

TEST(ByTaskTypes, MatchesTheSet) {
  EXPECT_THAT(SampleTensor("x", 3), ByTaskTypes({296, 278, 296}));
  EXPECT_THAT(SampleTensor("x", 3), Not(ByTaskTypes({278})));
  EXPECT_THAT(SampleTensor("x", 3), Not(ByTaskTypes({278, 296, 298})));
  EXPECT_THAT(CleanReport().tensors, Contains(ByTaskTypes({278, 296})));
}

TEST(ByTaskTypes, FailsWithTheTypes) {
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(SampleTensor("x", 3), ByTaskTypes({101})),
      "Expected: is read by tasks of exactly the types {101}\n"
      "  Actual: x (attached, critical): input_refs=3 "
      "consumer_task_types=[278, 296], rank 0 (of type "
      "graph_coverage::TensorCoverage), which is read by tasks of the "
      "types {278, 296}");
}

TEST(ByTaskTypes, DescribesItself) {
  EXPECT_EQ(Description(ByTaskTypes({296, 278})),
            "is read by tasks of exactly the types {278, 296}");
  EXPECT_EQ(Negation(ByTaskTypes({278})),
            "is not read by tasks of exactly the types {278}");
}

TEST(ByTaskTypes, ExplainsASuccess) {
  EXPECT_EQ(Explanation(ByTaskTypes({278, 296}), SampleTensor("x", 3)),
            "which is read by tasks of the types {278, 296}");
}

}  // namespace
}  // namespace graph_coverage
