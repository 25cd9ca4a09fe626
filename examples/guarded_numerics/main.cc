// SPDX-License-Identifier: Apache-2.0
//
// usage: guarded_numerics [--without-gate] GENDIR [GoogleTest's options]
//
// One line puts the gate in front of the tests. A user has no --without-gate:
// it is there to show what happens without.
#include <graph_coverage/gtest_coverage.h>

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const bool gate = argc < 2 || std::string(argv[1]) != "--without-gate";
  if (argc != (gate ? 2 : 3)) {
    std::fprintf(stderr, "usage: guarded_numerics [--without-gate] GENDIR\n");
    return 2;
  }
  const char* gendir = argv[argc - 1];
  setenv("GRAPH_COVERAGE_GENDIR", gendir, 1);  // where the tests look

  if (gate) graph_coverage::GuardTests(gendir);
  return RUN_ALL_TESTS();
}
