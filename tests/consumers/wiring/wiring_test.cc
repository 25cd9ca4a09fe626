// SPDX-License-Identifier: Apache-2.0
#include <graph_coverage/gtest_coverage.h>
#include <gtest/gtest.h>

TEST(Wiring, IsComplete) { EXPECT_ALL_CRITICAL_CONSUMED(GENDIR); }
