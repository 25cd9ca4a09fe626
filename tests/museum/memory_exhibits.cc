// SPDX-License-Identifier: Apache-2.0
//
// Buffers that nobody fills, or not all of.
#include "tests/museum/exhibit.h"
#include "tests/museum/models.h"
#include "tests/museum/program_edit.h"

namespace graph_coverage::museum {
namespace {

constexpr std::uint32_t kLayers = 4;

TaskIds AllBut(TaskIds tasks, std::size_t left) {
  tasks.erase(tasks.begin(), tasks.begin() + static_cast<std::ptrdiff_t>(left));
  return tasks;
}

// Lets the draft layer have a buffer of its own in place of the main model's.
void GiveDraftItsOwn(synthetic::Program& program, const std::string& name) {
  const synthetic::Tensor shared = program.tensor(Find(program, name));
  const auto own =
      shared.kind == TensorKind::kNvshmem
          ? program.Nvshmem("mtp_" + name, shared.data_type, shared.dims)
          : program.Scratch("mtp_" + name, shared.data_type, shared.dims);
  const auto first = Find(program, "mtp_step0_input_tokens");
  bool draft = false;
  std::vector<synthetic::Operator> operators = program.operators();
  for (synthetic::Operator& op : operators) {
    draft = draft || op.outputs.front().tensor == first;
    if (!draft) continue;
    for (auto* uses : {&op.inputs, &op.outputs}) {
      for (synthetic::Use& use : *uses) {
        if (use.tensor == Find(program, name)) use.tensor = own;
      }
    }
  }
  program.Replace(std::move(operators));
}

synthetic::Program DraftWithItsOwnArgmax() {
  synthetic::Program program = LatentWithDraft();
  GiveDraftItsOwn(program, "argmax_part_value");
  GiveDraftItsOwn(program, "argmax_part_index");
  return program;
}

synthetic::Program DraftWithItsOwnSums() {
  synthetic::Program program = LatentWithDraftOnTwoRanks();
  GiveDraftItsOwn(program, "attn_allreduce_out");
  GiveDraftItsOwn(program, "allreduce_out");
  return program;
}

// 3. Of the last step's partial writers only the first is there.
void FillOneEntry(Edit& edit, const Site&) {
  constexpr std::size_t kTiles = 4;
  const TaskIds partial = edit.OfType("TASK_ARGMAX_PARTIAL_SM100");
  edit.Drop(AllBut(partial, partial.size() - kTiles + 1));
}

// 4. The draft's sum over ranks covers the first columns.
void ReduceAFewColumns(Edit& edit, const Site& site) {
  const char* part =
      site.member == 0 ? "mtp_block_attn_proj_fused" : "mtp_block_moe_output";
  TaskIds sums;
  for (const std::uint32_t task : edit.OfType("TASK_NVSHMEM_TILE_ALLREDUCE")) {
    const graph_coverage::Task at = edit.view().task(TaskId(task));
    if (edit.view().tensor_name(at.inputs[0].tensor) == part) {
      sums.push_back(task);
    }
  }
  edit.Drop(AllBut(sums, 1));
}

// 6. Several tasks reduce, each writes the one result.
void ReduceSeveralTimes(synthetic::Program& program, const Site&) {
  EditUsers(program, "output_token", [](synthetic::Operator& op) {
    if (op.type == "TASK_ARGMAX_REDUCE") op.grid = {4};
  });
}

// 13. The operator that fills a draft buffer is gone.
void FillNoTargets(Edit& edit, const Site& site) {
  constexpr const char* kBuffers[] = {
      "mtp_target_token_ids", "mtp_all_draft_ids", "mtp_step0_input_tokens",
      "mtp_step0_logits"};
  edit.Drop(edit.Writers(kBuffers[site.member]));
}

// 19. The last tile of a linear layer.
void DropTheLastTile(Edit& edit, const Site& site) {
  constexpr const char* kWeights[] = {"qkv_proj", "o_proj", "gatedup_proj",
                                      "down_proj"};
  const TaskIds tiles =
      edit.Readers(InLayer(site.layer, kWeights[site.member]));
  edit.Drop({tiles.back()});
}

// 26. A residual buffer of its own, that nobody writes.
void AddAnUnwrittenResidual(synthetic::Program& program, const Site& site) {
  const auto x = Find(program, "embed_out");
  const auto buffer = program.Scratch("residual_buffer", DataType::kBf16,
                                      program.tensor(x).dims);
  EditUsers(
      program, InLayer(site.layer, "o_proj"),
      [buffer](synthetic::Operator& op) { op.inputs[2].tensor = buffer; });
}

}  // namespace

std::vector<Exhibit> MemoryExhibits() {
  return {
      {"partial-writer-fills-one",
       3,
       "mirage#667 (argmax)",
       "A partial writer fills one entry of a buffer, and the reader reads "
       "all.",
       "of the draft's four TASK_ARGMAX_PARTIAL_SM100 only the first is left",
       {DraftWithItsOwnArgmax, nullptr, FillOneEntry, {}},
       {"error uninitialised-read mtp_argmax_part_value",
        "error uninitialised-read mtp_argmax_part_index",
        "note write-only mtp_num_new_tokens",
        "note write-only mtp_new_position", "note write-only mtp_final_output",
        "note write-only mtp_accept_num_new",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3",
        "note several-leaves TASK_MTP_PREPARE_VERIFY",
        "note several-leaves TASK_MTP_ACCEPT_COMMIT"},
       "Where the draft shares the buffer with the main model, the rest is "
       "left from an operator of another kind, as it is where two operators "
       "fill a buffer in parts on purpose.",
       {}},
      {"partial-writer-leaves-old-entries",
       3,
       "mirage#667 (argmax)",
       "The same in the second of two steps that share the buffer: the rest "
       "is left from the first.",
       "of the second step's four TASK_ARGMAX_PARTIAL_SM100 only the first is "
       "left",
       {LatentWithTwoDraftSteps, nullptr, FillOneEntry, {}},
       {"error stale-tile argmax_part_value",
        "error stale-tile argmax_part_index",
        "note write-only mtp_num_new_tokens",
        "note write-only mtp_new_position", "note write-only mtp_final_output",
        "note write-only mtp_accept_num_new",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3",
        "note several-leaves TASK_MTP_PREPARE_VERIFY",
        "note several-leaves TASK_MTP_ACCEPT_COMMIT"},
       "",
       {}},
      {"sum-covers-few-columns",
       4,
       "mirage#667 (reduce)",
       "The draft layer's sum over ranks covers a few columns, that of the "
       "main layers covers all.",
       "of the all-reduces of mtp_block_attn_proj_fused only the first is left",
       {DraftWithItsOwnSums, nullptr, ReduceAFewColumns, {}},
       {"error uninitialised-read mtp_attn_allreduce_out",
        "note write-only mtp_num_new_tokens",
        "note write-only mtp_new_position", "note write-only mtp_final_output",
        "note write-only mtp_accept_num_new",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3",
        "note several-leaves TASK_MTP_PREPARE_VERIFY",
        "note several-leaves TASK_MTP_ACCEPT_COMMIT"},
       "",
       {{0, 1, 2, {"uninitialised-read"}}}},
      {"reduced-several-times",
       6,
       "mirage#667 (argmax race)",
       "Several tasks reduce and write the same bytes, in any order.",
       "TASK_ARGMAX_REDUCE has a grid of four",
       {Grouped, ReduceSeveralTimes, nullptr, {}},
       {"error indistinct-siblings TASK_ARGMAX_REDUCE",
        "note write-only output_token"},
       "",
       {}},
      {"draft-buffer-unfilled",
       13,
       "mirage#687",
       "A buffer of the draft step is read, and nobody fills it.",
       "the task that writes mtp_target_token_ids is gone, counts are put "
       "right",
       {LatentWithDraft, nullptr, FillNoTargets, {}},
       {"error unordered-read mtp_all_draft_ids",
        "error unordered-read output_token",
        "error uninitialised-read mtp_target_token_ids",
        "note write-only mtp_num_new_tokens",
        "note write-only mtp_new_position", "note write-only mtp_final_output",
        "note write-only mtp_accept_num_new",
        "note dead-dispatch TASK_MTP_TOKEN_SCATTER",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3",
        "note several-leaves TASK_MTP_PREPARE_VERIFY",
        "note several-leaves TASK_MTP_ACCEPT_COMMIT"},
       "",
       {{0, 1, 4, {"uninitialised-read"}}}},
      {"last-band-missing",
       19,
       "tilelang#2433, FlyDSL#979",
       "The last band of tiles is never written.",
       "the last tile of layer 2's qkv_proj is gone, counts are put right",
       {Grouped, nullptr, DropTheLastTile, {}},
       {"error layer-gap TASK_LINEAR layers 2", "error stale-tile attn_in",
        "warning coverage-hole layer_2_qkv_proj layers 2",
        "note write-only output_token"},
       "",
       {{0, kLayers, 4, {"layer-gap", "stale-tile", "uninitialised-read"}}}},
      {"residual-unwritten",
       26,
       "vllm#41972",
       "A residual is added from a buffer that nobody wrote.",
       "the residual of layer 2's o_proj is residual_buffer",
       {Grouped, AddAnUnwrittenResidual, nullptr, {}},
       {"error layer-gap TASK_LINEAR_WITH_RESIDUAL layers 2",
        "error uninitialised-read residual_buffer",
        "note write-only output_token"},
       "",
       {{0, kLayers, 1, {"uninitialised-read"}}}},
  };
}

}  // namespace graph_coverage::museum
