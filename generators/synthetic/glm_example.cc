// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/synthetic/glm_example.h"

#include "graph_coverage/synthetic/model.h"
#include "graph_coverage/synthetic/write.h"

namespace graph_coverage::synthetic {
namespace {

// The model's own sizes; cut into few, large tasks to keep the files small.
ModelConfig GlmModel(bool mended) {
  ModelConfig model;
  model.kernels = ModelConfig::Kernels::kBlackwell;
  model.ranks = 2;
  model.layers = 78;
  model.dense_layers = 3;
  model.hidden = 6144;
  model.intermediate = 12288;
  model.vocabulary = 154880;
  model.head_vocabulary = 154880;
  model.positions = 4096;
  model.pages = 64;
  model.page_size = 128;
  model.grouped.reset();

  LatentAttention attention;
  attention.heads = 64;
  attention.q_rank = 2048;
  attention.kv_rank = 512;
  attention.rope_dim = 64;
  attention.key_columns = 128;
  attention.splits = 4;
  attention.merge_tiles = 2;
  attention.context = 4096;
  attention.rope = mended ? LatentAttention::Rope::kOperands
                          : LatentAttention::Rope::kUnwired;
  model.latent = attention;

  Experts experts;
  experts.count = 256;
  experts.active = 8;
  experts.intermediate = 2048;
  experts.shared_intermediate = 2048;
  model.experts = experts;

  model.cuts.linear = {4};
  model.cuts.residual_columns = 3072;
  model.cuts.fp8_columns = 1024;
  model.cuts.vocabulary = 8;
  model.cuts.argmax = 8;
  return model;
}

}  // namespace

Program GlmProgram(bool mended) {
  Program program = BuildModel(GlmModel(mended));
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
