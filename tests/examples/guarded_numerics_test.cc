// SPDX-License-Identifier: Apache-2.0
//
// The example tells its story: what its program prints and how it exits, on
// the broken and on the mended gendir, with the gate and without; and what
// ctest says of it.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/run_program.h"

namespace graph_coverage {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Matcher;
using ::testing::Not;

Matcher<const ProgramRun&> Exits(int code) {
  return Field("exit_code", &ProgramRun::exit_code, code);
}
Matcher<const ProgramRun&> Says(const std::string& text) {
  return Field("output", &ProgramRun::output, HasSubstr(text));
}
Matcher<const ProgramRun&> Shows(const std::string& pattern) {
  return Field("output", &ProgramRun::output, ContainsRegex(pattern));
}

class GuardedNumerics : public testing::Test {
 protected:
  // Here and not in SetUpTestSuite: after a failure there GoogleTest skips the
  // tests, and ctest takes that for no failure.
  void SetUp() override { ASSERT_THAT(In("./make_gendirs gendirs"), Exits(0)); }
  static ProgramRun In(const std::string& command) {
    return RunProgram("cd '" EXAMPLE "' && " + command);
  }
  static ProgramRun Run(const std::string& arguments) {
    return In("./guarded_numerics " + arguments);
  }
};

TEST_F(GuardedNumerics, PassOnTheBrokenGendirWithoutTheGate) {
  EXPECT_THAT(Run("--without-gate gendirs/broken"),
              AllOf(Exits(0), Says("[       OK ] RelL2/Kernels.Rope/bf16"),
                    Says("Tasks read rope_cos 0 times and rope_sin 0 times"),
                    Says("the logits differ by relL2 0.000000"),
                    Says("The model cannot tell where a token stands"),
                    Shows("(9|1[0-6]) of 16 models, .* end in a loop")));
}

TEST_F(GuardedNumerics, ArePositionAwareOnTheMendedGendir) {
  EXPECT_THAT(Run("--without-gate gendirs/mended"),
              AllOf(Exits(0), Says("[       OK ] RelL2/Kernels.Rope/bf16"),
                    Says("Tasks read rope_cos 6 times and rope_sin 6 times"),
                    Says("The model knows where its tokens stand"),
                    Shows(" [0-4] of 16 models, .* end in a loop")));
}

TEST_F(GuardedNumerics, DoNotRunOnTheBrokenGendirBehindTheGate) {
  EXPECT_THAT(
      Run("gendirs/broken"),
      AllOf(Exits(1), Says("The gate is closed"),
            Says("missing-wiring: rope_cos is attached and no task reads it"),
            Says("[  SKIPPED ] RelL2/Kernels.Rope/bf16"),
            Says("[  FAILED  ] GraphCoverageGate.IsOpen"),
            Not(Says("[       OK ]")), Not(Says("Tasks read"))));
}

TEST_F(GuardedNumerics, RunOnTheMendedGendirBehindTheGate) {
  EXPECT_THAT(Run("gendirs/mended"),
              AllOf(Exits(0), Says("[       OK ] GraphCoverageGate.IsOpen"),
                    Says("[       OK ] RelL2/Kernels.Rope/bf16"),
                    Says("The model knows where its tokens stand")));
}

TEST_F(GuardedNumerics, AreGatedByCtestToo) {
  const std::string ctest = "'" CTEST "' --output-on-failure -R ";
  EXPECT_THAT(In(ctest + "broken.numerics$"),
              AllOf(Exits(8), Shows("broken.wiring \\.*\\*\\*\\*Failed"),
                    Says("[MISSING-WIRING] rope_cos: input_refs=0"),
                    Says("Failed test dependencies: broken.wiring"),
                    Shows("broken.numerics \\.*\\*\\*\\*Not Run")));
  EXPECT_THAT(In(ctest + "mended.numerics$"),
              AllOf(Exits(0), Shows("mended.wiring \\.* +Passed"),
                    Shows("mended.numerics \\.* +Passed")));
}

TEST_F(GuardedNumerics, RefuseOtherArguments) {
  EXPECT_THAT(Run(""), AllOf(Exits(2), Says("usage: ")));
  EXPECT_THAT(Run("--no-gate gendirs/mended"),
              AllOf(Exits(2), Says("usage: ")));
}

// A gendir that cannot be run is an error, with the place.
TEST_F(GuardedNumerics, RefuseAGendirThatTheyCannotRun) {
  const auto run_damaged = [](const std::string& file,
                              const std::string& edit) {
    return In("rm -rf damaged && cp -r gendirs/mended damaged && sed -i '" +
              edit + "' damaged/" + file +
              " && ./guarded_numerics --without-gate damaged "
              "--gtest_filter=Positions.*");
  };
  EXPECT_THAT(
      run_damaged("task_graph_0.json",
                  "/\"base_ptr\": \"mlp_mid\"/,/offset/s/\"offset\": .*,/"
                  "\"offset\": 99999998,/"),
      AllOf(Exits(1), Shows("task [0-9]+, TASK_[A-Z0-9_]+: its tile does not "
                            "lie within mlp_mid")));
  EXPECT_THAT(
      run_damaged("task_graph_0.json",
                  "0,/\"offset\": [1-9][0-9]*/s//\"offset\": 99999999/"),
      AllOf(Exits(1), Shows("the tiles of [a-z_0-9]+ leave a hole in it")));
  // A task without a kernel is an error, not a task left out.
  EXPECT_THAT(
      run_damaged("kernel_0.cu", "s/TASK_SILU_MUL/TASK_SILU_OTHER/"),
      AllOf(Exits(1), Says("TASK_SILU_OTHER: no kernel for the task type "
                           "TASK_SILU_OTHER")));
}

}  // namespace
}  // namespace graph_coverage
