// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/synthetic/glm_example.h"

#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"

namespace graph_coverage::synthetic {
Program GlmProgram(bool mended) {
  Program program =
      BuildModel(Glm5(2, mended ? LatentAttention::Rope::kOperands
                                : LatentAttention::Rope::kUnwired));
  // This fork numbers a task type of its own.
  program.type_numbers["TASK_MLA_Q_ROPE_SM100"] = 296;
  return program;
}

Gendir GlmExample(bool mended) {
  return MakeGendir(GlmProgram(mended), mended ? "after" : "before");
}

void WriteGlmExample(const std::string& directory) {
  WriteGendir(GlmProgram(false), directory + "/before");
  WriteGendir(GlmProgram(true), directory + "/after");
}

}  // namespace graph_coverage::synthetic
