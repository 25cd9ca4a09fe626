// SPDX-License-Identifier: Apache-2.0
//
// The assertions and matchers compile where megakernel tests stand: beside a
// kernel, by nvcc, as C++17. It is compiled, not run.
#include <gtest/gtest.h>

#include "graph_coverage/gtest_coverage.h"

namespace {

using ::testing::AllOf;
using ::testing::Ge;

__global__ void Scale(float* values, float factor) {
  values[threadIdx.x] *= factor;
}

struct Wiring : graph_coverage::GendirTest<Wiring> {
  static graph_coverage::Gendir gendir() { return "build/gendir"; }
};

TEST_F(Wiring, IsComplete) {
  ASSERT_ALL_CRITICAL_CONSUMED("build/gendir");
  EXPECT_GENDIR_CLEAN("build/gendir", graph_coverage::AuditOptions());
  EXPECT_THAT(report(), graph_coverage::Consumes(
                            "rope_cos",
                            AllOf(graph_coverage::ByTaskTypes({278, 296}),
                                  graph_coverage::Times(Ge(156)))));
  Scale<<<1, 32>>>(nullptr, 2.0f);
}

}  // namespace
