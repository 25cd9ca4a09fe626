// SPDX-License-Identifier: Apache-2.0
#include <graph_coverage/gtest_campaign.h>
#include <gtest/gtest.h>

TEST(SafetyNet, SeesEveryDroppedEdge) {
  EXPECT_AUDIT_CATCHES_EVERY_DROPPED_EDGE(GENDIR);
}
