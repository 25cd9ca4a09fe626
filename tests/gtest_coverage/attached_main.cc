// SPDX-License-Identifier: Apache-2.0
//
// A main of one's own with the library attached to it:
//   attached_child guard GENDIR [FILTER]
//   attached_child register GENDIR
//   attached_child both GENDIR
#include <gtest/gtest.h>

#include <string>

#include "graph_coverage/gtest_coverage.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc < 3) return 100;
  const std::string what = argv[1];
  const std::string gendir = argv[2];
  if (what == "register" || what == "both") {
    graph_coverage::RegisterCoverageTests(gendir);
  }
  if (what == "guard" && argc > 3) {
    graph_coverage::GuardTests(gendir, {}, argv[3]);
  } else if (what == "guard" || what == "both") {
    graph_coverage::GuardTests(gendir);
  }
  return RUN_ALL_TESTS();
}
