// SPDX-License-Identifier: Apache-2.0
//
// The tests of the programs that program_test.cc runs. Each says that it ran.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace {

void Say(const char* text) {
  std::printf("%s\n", text);
  std::fflush(stdout);
}

class Numerics : public testing::Test {
 public:
  static void SetUpTestSuite() { Say("RAN Numerics set-up"); }
  Numerics() { Say("RAN Numerics constructor"); }
};

TEST_F(Numerics, RmsNorm) { Say("RAN RmsNorm"); }
TEST_F(Numerics, Attention) { Say("RAN Attention"); }
TEST_F(Numerics, DISABLED_Slow) { Say("RAN Slow"); }

TEST(HostOnly, Tokenizer) {
  Say("RAN Tokenizer");
  const char* gendir = std::getenv("GRAPH_COVERAGE_GENDIR");
  std::printf("GENDIR %s\n", gendir == nullptr ? "none" : gendir);
}

TEST(NeedsDevice, Skips) { GTEST_SKIP() << "no device here"; }

}  // namespace
