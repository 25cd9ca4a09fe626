// SPDX-License-Identifier: Apache-2.0
#include "tests/support/run_program.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>

namespace graph_coverage {

ProgramRun RunProgram(const std::string& command) {
  const std::string quiet =
      "unset GRAPH_COVERAGE_GENDIR GTEST_TOTAL_SHARDS GTEST_SHARD_INDEX "
      "GTEST_SHARD_STATUS_FILE GTEST_OUTPUT GTEST_FILTER; ";
  ProgramRun run;
  std::FILE* pipe = popen((quiet + "( " + command + " ) 2>&1").c_str(), "r");
  if (pipe == nullptr) return run;
  std::array<char, 4096> buffer;
  while (const std::size_t got =
             std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    run.output.append(buffer.data(), got);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  return run;
}

}  // namespace graph_coverage
