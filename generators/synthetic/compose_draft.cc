// SPDX-License-Identifier: Apache-2.0
//
// Multi-token prediction: each draft step runs one block of its own on the
// last token and hidden state; then the drafts are verified.
#include <fmt/format.h>

#include "generators/synthetic/composer.h"

namespace graph_coverage::synthetic {

void Composer::DraftSteps(TensorRef token) {
  const TensorRef drafts = program_.Scratch("mtp_all_draft_ids", DataType::kI64,
                                            {model_.batch, model_.draft_steps});
  TensorRef last = token;
  for (std::int64_t step = 0; step < model_.draft_steps; ++step) {
    last = DraftStep(step, last, drafts);
  }
  Verify(token, drafts);
}

TensorRef Composer::DraftStep(std::int64_t step, TensorRef token,
                              TensorRef drafts) {
  const DataType bf16 = DataType::kBf16;
  const std::int64_t hidden = model_.hidden;
  const std::int64_t tasks = LinearTasks(hidden);
  const std::string prefix = fmt::format("mtp_step{}_", step);

  const TensorRef tokens = program_.Scratch(prefix + "input_tokens",
                                            DataType::kI64, {model_.batch, 1});
  program_.Add({"TASK_MTP_BUILD_EMBED_INPUT",
                {model_.requests},
                {Tile(token)},
                {Tile(tokens)},
                Indexing::kBlock,
                {}});
  const TensorRef embedded = Activation("mtp_embed_out", hidden);
  program_.Add(
      {"TASK_EMBEDDING",
       {1},
       {Tile(tokens), Tile(program_.Attach("embed_tokens", bf16,
                                           {model_.vocabulary, hidden}))},
       {Tile(embedded)},
       Indexing::kBlock,
       {}});
  const TensorRef embed_normed = Activation("mtp_enorm_out", hidden);
  const TensorRef hidden_normed = Activation("mtp_hnorm_out", hidden);
  const TensorRef projected = Activation("mtp_proj_out", hidden);
  Norm(embedded, "mtp_enorm_weight", embed_normed);
  Norm(residual_, "mtp_hnorm_weight", hidden_normed);
  const auto weight = [&](const char* name) {
    return program_.Attach(name, bf16, {hidden, hidden});
  };
  Linear(embed_normed, weight("mtp_eh_proj_embed"), projected, tasks);
  // Adds the hidden state's half in place. It is no partial sum: every rank
  // holds the whole weight.
  Linear(hidden_normed, weight("mtp_eh_proj_hidden"),
         Activation("mtp_hidden_out", hidden), tasks);
  const TensorRef joined = Activation(prefix + "joined", hidden);
  program_.Add(
      {"TASK_ELEMENTWISE_ADD_SM100",
       {model_.batch},
       {Tile(projected, {0}), Tile(Activation("mtp_hidden_out", hidden), {0})},
       {Tile(joined, {0})},
       Indexing::kBlock,
       {}});
  residual_ = joined;
  LatentLayer("mtp_block_", "mtp_kv_cache");
  if (model_.experts) {
    ExpertLayerFp8("mtp_block_");
  } else {
    DenseLayer("mtp_block_");
  }
  const TensorRef draft =
      Head(prefix + "norm", prefix + "logits", prefix + "draft_token");
  Use column = Tile(drafts);
  program_.Add({"TASK_MTP_TOKEN_SCATTER",
                {1},
                {Tile(draft)},
                {column},
                Indexing::kBlock,
                {}});
  return draft;
}

void Composer::Verify(TensorRef token, TensorRef drafts) {
  const DataType i64 = DataType::kI64;
  const DataType i32 = DataType::kI32;
  const std::int64_t batch = model_.batch;
  const std::int64_t all = model_.draft_steps + 1;
  const auto attach = [&](const char* name, DataType type,
                          std::vector<std::int64_t> dims) {
    return Tile(program_.Attach(name, type, std::move(dims)));
  };
  const TensorRef targets =
      program_.Scratch("mtp_target_token_ids", i64, {batch, all});
  const TensorRef accepted =
      program_.Scratch("mtp_accepted_count", i64, {batch, 1});
  const TensorRef verified =
      program_.Scratch("mtp_verified_output", i64, {batch, all});
  program_.Add({"TASK_MTP_TOKEN_SCATTER",
                {1},
                {Tile(token)},
                {Tile(targets)},
                Indexing::kBlock,
                {}});
  program_.Add({"TASK_MTP_VERIFY_STRICT",
                {1},
                {Tile(drafts), Tile(targets)},
                {Tile(accepted), Tile(verified)},
                Indexing::kBlock,
                {}});
  program_.Add(
      {"TASK_MTP_PREPARE_VERIFY",
       {model_.requests},
       {Tile(token), Tile(drafts),
        attach("mtp_tokens_buffer", i64, {model_.requests, model_.positions}),
        attach("mtp_step", i32, {model_.requests})},
       {attach("mtp_num_new_tokens", i32, {model_.requests})},
       Indexing::kBlock,
       {2}});
  program_.Add({"TASK_MTP_ACCEPT_COMMIT",
                {1},
                {Tile(accepted), Tile(verified),
                 attach("mtp_accept_step", i32, {model_.requests})},
                {attach("mtp_new_position", i64, {batch, 1}),
                 attach("mtp_final_output", i64, {batch, all}),
                 attach("mtp_accept_num_new", i64, {batch, 1})},
                Indexing::kBlock,
                {}});
}

}  // namespace graph_coverage::synthetic
