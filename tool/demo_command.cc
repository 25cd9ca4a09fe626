// SPDX-License-Identifier: Apache-2.0
//
// demo: the worked example on disk.
#include <fmt/format.h>

#include <string>

#include "graph_coverage/synthetic/glm_example.h"
#include "tool/commands.h"
#include "tool/output.h"

int RunDemo(const std::string& directory) {
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
