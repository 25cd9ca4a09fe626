// SPDX-License-Identifier: Apache-2.0
//
// usage: make_gendir DIRECTORY clean|broken
// Stands for the generator of a megakernel in tests of ctest set-ups.
#include <cstdio>
#include <string>

#include "tests/support/sample_gendir.h"

int main(int argc, char** argv) {
  const std::string wiring = argc == 3 ? argv[2] : "";
  if (wiring != "clean" && wiring != "broken") {
    std::fprintf(stderr, "usage: make_gendir DIRECTORY clean|broken\n");
    return 2;
  }
  graph_coverage::WriteSample(argv[1], wiring == "clean"
                                           ? graph_coverage::Wiring::kClean
                                           : graph_coverage::Wiring::kBroken);
}
