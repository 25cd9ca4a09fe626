// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/synthetic/glm_example.h"

#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"

namespace graph_coverage::synthetic {
Program GlmProgram(bool mended) {
  using Rope = LatentAttention::Rope;
  return BuildModel(Glm5(2, mended ? Rope::kOperands : Rope::kUnwired));
}

Gendir GlmExample(bool mended) {
  return MakeGendir(GlmProgram(mended), mended ? "after" : "before");
}

void WriteGlmExample(const std::string& directory) {
  WriteGendir(GlmProgram(false), directory + "/before");
  WriteGendir(GlmProgram(true), directory + "/after");
}

}  // namespace graph_coverage::synthetic
