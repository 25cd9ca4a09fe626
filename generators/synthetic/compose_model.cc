// SPDX-License-Identifier: Apache-2.0
//
// The order of a model: embedding, layers, head, draft steps.
#include <fmt/format.h>

#include <stdexcept>

#include "generators/synthetic/composer.h"

namespace graph_coverage::synthetic {
namespace {

KernelNames NamesOf(ModelConfig::Kernels kernels) {
  switch (kernels) {
    case ModelConfig::Kernels::kAmpere:
      return {"TASK_RMS_NORM",
              "TASK_LINEAR",
              "TASK_LINEAR_WITH_RESIDUAL",
              "TASK_PAGED_ATTENTION_1",
              "TASK_ARGMAX_PARTIAL",
              "TASK_ARGMAX_REDUCE"};
    case ModelConfig::Kernels::kHopper:
      return {"TASK_RMS_NORM_HOPPER",
              "TASK_LINEAR_SWAPAB_HOPPER",
              "TASK_LINEAR_SWAPAB_WITH_RESIDUAL_HOPPER",
              "TASK_PAGED_ATTENTION_HOPPER",
              "TASK_ARGMAX_PARTIAL_SM100",
              "TASK_ARGMAX_REDUCE"};
    case ModelConfig::Kernels::kBlackwell:
      break;
  }
  return {"TASK_RMS_NORM_HOPPER",
          "TASK_LINEAR_SM100",
          "TASK_LINEAR_WITH_RESIDUAL_SM100",
          "TASK_ATTN_SM100",
          "TASK_ARGMAX_PARTIAL_SM100",
          "TASK_ARGMAX_REDUCE_SM100"};
}

void Check(const ModelConfig& model) {
  if (model.grouped.has_value() == model.latent.has_value()) {
    throw std::invalid_argument(
        "a model has either grouped or latent attention");
  }
  if (model.latent && model.kernels != ModelConfig::Kernels::kBlackwell) {
    throw std::invalid_argument("latent attention needs Blackwell kernels");
  }
  if (model.experts && model.kernels != ModelConfig::Kernels::kBlackwell) {
    throw std::invalid_argument("experts need Blackwell kernels");
  }
  if (model.draft_steps > 0 && !model.latent) {
    throw std::invalid_argument("draft steps need latent attention");
  }
  if (model.ranks < 1 || model.layers < 1 || model.batch < 1) {
    throw std::invalid_argument("a model needs ranks, layers and tokens");
  }
}

}  // namespace

Composer::Composer(const ModelConfig& model, Program& program)
    : model_(model), program_(program), kernels_(NamesOf(model.kernels)) {}

void Composer::Model() {
  const DataType bf16 = DataType::kBf16;
  const TensorRef tokens =
      program_.Attach("input_token", DataType::kI64, {model_.batch, 1});
  const TensorRef table =
      program_.Attach("embed_tokens", bf16, {model_.vocabulary, model_.hidden});
  residual_ = Activation("embed_out", model_.hidden);
  program_.Add({"TASK_EMBEDDING",
                {1},
                {Tile(tokens), Tile(table)},
                {Tile(residual_)},
                Indexing::kBlock,
                {}});
  for (std::int64_t layer = 0; layer < model_.layers; ++layer) {
    const bool dense = model_.dense_layers < 0 || layer < model_.dense_layers;
    Layer(fmt::format("layer_{}_", layer), !dense);
  }
  const TensorRef token =
      Head("model_norm_weight", model_.fp8() ? "lm_head_out" : "argmax_in",
           "output_token");
  if (model_.draft_steps > 0) DraftSteps(token);
}

void Composer::Layer(const std::string& prefix, bool experts) {
  if (model_.latent) {
    LatentLayer(prefix, prefix + "kv_cache");
  } else {
    GroupedLayer(prefix);
  }
  if (!experts) {
    DenseLayer(prefix);
  } else if (!model_.experts) {
    throw std::invalid_argument("layers that are not dense need experts");
  } else if (model_.fp8()) {
    ExpertLayerFp8(prefix);
  } else {
    ExpertLayer(prefix);
  }
}

TensorRef Composer::Head(const std::string& norm, const std::string& logits,
                         const std::string& token) {
  const std::int64_t batch = model_.batch;
  const std::int64_t parts = model_.cuts.argmax;
  const TensorRef normed = Activation("rmsnorm_out", model_.hidden);
  const TensorRef scores = Activation(logits, model_.head_vocabulary);
  Norm(residual_, norm, normed);
  Linear(normed,
         program_.Attach("lm_head", DataType::kBf16,
                         {model_.head_vocabulary, model_.hidden}),
         scores, model_.cuts.vocabulary);
  const TensorRef value =
      program_.Scratch("argmax_part_value", DataType::kBf16, {batch, parts});
  const TensorRef index =
      program_.Scratch("argmax_part_index", DataType::kI64, {batch, parts});
  program_.Add({kernels_.argmax_partial,
                {parts},
                {Tile(scores, {1})},
                {Tile(value, {1}), Tile(index, {1})},
                Indexing::kBlock,
                {}});
  // The program reads its output; drafts stay within the kernel.
  const TensorRef result =
      token == "output_token"
          ? program_.Attach(token, DataType::kI64, {batch, 1})
          : program_.Scratch(token, DataType::kI64, {batch, 1});
  program_.Add({kernels_.argmax_reduce,
                {1},
                {Tile(value), Tile(index)},
                {Tile(result)},
                Indexing::kBlock,
                {}});
  return result;
}

Program BuildModel(const ModelConfig& model) {
  Check(model);
  Program program;
  program.ranks = model.ranks;
  Composer(model, program).Model();
  return program;
}

}  // namespace graph_coverage::synthetic
