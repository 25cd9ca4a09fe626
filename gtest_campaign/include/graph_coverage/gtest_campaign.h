// SPDX-License-Identifier: Apache-2.0
//
// Proof by mutation inside a test binary: does the audit catch what could go
// wrong with this gendir? Target graph_coverage::gtest_campaign.
//
//   TEST(SafetyNet, SeesEveryDroppedEdge) {
//     EXPECT_AUDIT_CATCHES_EVERY_DROPPED_EDGE("build/gendir");
//   }
//
//   TEST(SafetyNet, SeesMostOfAll) {
//     CampaignOptions options;
//     options.sample = 50;
//     EXPECT_THAT(RunCampaign("build/gendir", options),
//                 MutationScore(Ge(0.98)));
//   }
//
// EXPECT_AUDIT_CATCHES_EVERY_DROPPED_EDGE(gendir)
// ASSERT_AUDIT_CATCHES_EVERY_DROPPED_EDGE(gendir, options)
//     Every input operand of every task is dropped, one at a time. Fails where
//     the audit does not catch one that changes what the kernel does, where the
//     gendir fails the audit as it is, and where nothing could be judged. Ten
//     survivors are told, with the commands that replay them. `options`
//     (audit.h) are as for EXPECT_GENDIR_CLEAN. Records the properties
//     graph_coverage_mutants, _caught, _survived and _equivalent.
//
// MutationScore(share)
// MutationScore("rewire", share)
//     Of a CampaignResult, or of one operator of it: the share of mutants that
//     were caught, from 0 to 1, equivalent ones left out. It is exactly 1 if
//     all were, and only then. A result that has errors, or in which nothing
//     was to be caught, throws an InputError: Not(MutationScore(…)) would pass.
#pragma once

#include <gmock/gmock-matchers.h>

#include <string>

#include "graph_coverage/campaign/campaign.h"
#include "graph_coverage/gtest_coverage.h"
#include "graph_coverage/mutation/mutation.h"

#define EXPECT_AUDIT_CATCHES_EVERY_DROPPED_EDGE(...)                     \
  EXPECT_PRED_FORMAT1(::graph_coverage::internal::CheckEveryDroppedEdge, \
                      ::graph_coverage::internal::Subject(__VA_ARGS__))
#define ASSERT_AUDIT_CATCHES_EVERY_DROPPED_EDGE(...)                     \
  ASSERT_PRED_FORMAT1(::graph_coverage::internal::CheckEveryDroppedEdge, \
                      ::graph_coverage::internal::Subject(__VA_ARGS__))

namespace graph_coverage {

testing::Matcher<const CampaignResult&> MutationScore(
    testing::Matcher<double> share);
testing::Matcher<const CampaignResult&> MutationScore(
    const std::string& op, testing::Matcher<double> share);

namespace internal {

testing::AssertionResult CheckEveryDroppedEdge(const char* expression,
                                               const Subject& subject);

}  // namespace internal
}  // namespace graph_coverage
