// SPDX-License-Identifier: Apache-2.0
//
// demo: the worked example on disk.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "graph_coverage/synthetic/glm_example.h"
#include "tool/commands.h"
#include "tool/output.h"

int RunDemo(const std::string& directory) {
  std::error_code error;
  const std::filesystem::directory_iterator files(directory, error);
  if (error && error != std::errc::no_such_file_or_directory) {
    throw UsageError(directory + ": cannot be written to: " + error.message());
  }
  if (files != std::filesystem::directory_iterator()) {
    throw UsageError(directory +
                     ": is not empty, and nothing is written over; give a "
                     "directory that is not there yet, or empty this one");
  }
  try {
    graph_coverage::synthetic::WriteGlmExample(directory);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
  WriteToStandardOutput(fmt::format(
      "Wrote {0}/before and {0}/after: GLM-5.1 before and after its rope "
      "tables were wired.\nAudit them:\n"
      "  mk-graph-coverage-audit {0}/before --critical rope_cos,rope_sin\n"
      "  mk-graph-coverage-audit {0}/after --critical rope_cos,rope_sin\n",
      directory));
  return kExitPass;
}
