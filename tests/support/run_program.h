// SPDX-License-Identifier: Apache-2.0
//
// Runs a program and keeps what it says.
#pragma once

#include <string>

namespace graph_coverage {

struct ProgramRun {
  int exit_code = -1;  // -1: it did not exit by itself
  std::string output;  // both streams
};

// Runs a shell command, without the variables that GoogleTest, ctest or a user
// of the tests may have set for this process.
ProgramRun RunProgram(const std::string& command);

}  // namespace graph_coverage
