// SPDX-License-Identifier: Apache-2.0
//
// Layers, ranks and tiles that differ from their siblings, or should.
#include <utility>

#include "tests/museum/exhibit.h"
#include "tests/museum/models.h"
#include "tests/museum/program_edit.h"

namespace graph_coverage::museum {
namespace {

constexpr std::uint32_t kLayers = 4;

// 2. The draft layer adds the main model's hidden state, not its own.
void TakeMainResidual(Edit& edit, const Site&) {
  for (const std::uint32_t task : edit.Readers("mtp_block_o_proj")) {
    edit.Inputs(task)[4].tensor = edit.Tensor("layer_3_moe_residual");
  }
}

void TakeResidualOfStepBefore(Edit& edit, const Site&) {
  const TaskIds all = edit.Readers("mtp_block_o_proj");
  const std::string own = "mtp_step1_joined";
  for (const std::uint32_t task : all) {
    Operand& residual = edit.Inputs(task)[4];
    if (edit.view().tensor_name(residual.tensor) == own) {
      residual.tensor = edit.Tensor("mtp_step0_joined");
    }
  }
}

// 7. The draft layer's buffers are written as bf16.
const char* DraftBuffer(const Site& site) {
  constexpr const char* kBuffers[] = {
      "mtp_block_moe_routing_indices", "mtp_block_moe_mask",
      "mtp_block_moe_topk_weights",    "mtp_block_moe_input_fp8",
      "mtp_block_moe_input_scale",     "mtp_block_moe_silu_scale"};
  return kBuffers[site.member];
}

void WriteAsBf16(Edit& edit, const Site& site) {
  const char* name = DraftBuffer(site);
  for (const std::uint32_t task : edit.Writers(name)) {
    edit.Relayout(
        edit.Outputs(task)[edit.SlotOf(task, name, true)],
        [](AddedLayout& layout) { layout.data_type = DataType::kBf16; });
  }
}

// 8. Byte offsets of one data type are counted in twice its size.
void DoubleOffsets(Edit& edit, const Site& site) {
  constexpr DataType kTypes[] = {DataType::kI64, DataType::kBf16,
                                 DataType::kFp8, DataType::kF32,
                                 DataType::kU32};
  const DataType type = kTypes[site.member];
  for (std::uint32_t i = 0; i < edit.view().task_count(); ++i) {
    const Task task = edit.view().task(TaskId(i));
    const auto change = [&](Span<Operand> operands, bool output) {
      for (std::size_t slot = 0; slot < operands.size(); ++slot) {
        if (operands[slot].offset == 0 ||
            edit.view().layout(operands[slot].layout).data_type != type) {
          continue;
        }
        std::vector<Operand>& changed =
            output ? edit.Outputs(i) : edit.Inputs(i);
        changed[slot].offset *= 2;
      }
    };
    change(task.inputs, false);
    change(task.outputs, true);
  }
}

// 11. The residual is added on rank 1, too.
void AddResidualOnAllRanks(Edit& edit, const Site&) {
  if (Index(edit.view().rank()) == 0) return;
  edit.ChangeBranches("TASK_LINEAR_WITH_RESIDUAL",
                      "runtime_config . my_gpu_id == 0", "true");
}

// 14. A slot of layer i names layer i - 1's tensor.
void TakeTheLayerBefore(Edit& edit, const Site& site) {
  constexpr const char* kWeights[] = {"q_norm",   "k_norm",   "k_cache",
                                      "v_cache",  "o_proj",   "input_layernorm",
                                      "qkv_proj", "down_proj"};
  const char* name = kWeights[site.member];
  const TensorId before = edit.Tensor(InLayer(site.layer - 1, name));
  const std::string own = InLayer(site.layer, name);
  for (const std::uint32_t task : edit.Readers(own)) {
    edit.Inputs(task)[edit.SlotOf(task, own)].tensor = before;
  }
}

// 28. Cosine in the slot of sine, and the other way round.
void SwapTables(Edit& edit, const Site&) {
  for (const std::uint32_t task : edit.OfType("TASK_PAGED_ATTENTION_1")) {
    std::swap(edit.Inputs(task)[5], edit.Inputs(task)[6]);
  }
}

}  // namespace

std::vector<Exhibit> SiblingExhibits() {
  return {
      {"draft-takes-main-residual",
       2,
       "mirage#667 (draft layer)",
       "The draft layer adds the main model's hidden state where its own "
       "belongs.",
       "the residual slot of mtp_block_o_proj holds layer_3_moe_residual",
       {LatentWithDraft, nullptr, TakeMainResidual, {}},
       {"note write-only mtp_num_new_tokens",
        "note write-only mtp_new_position", "note write-only mtp_final_output",
        "note write-only mtp_accept_num_new",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3",
        "note several-leaves TASK_MTP_PREPARE_VERIFY",
        "note several-leaves TASK_MTP_ACCEPT_COMMIT"},
       "One draft layer has no peers to differ from: the tensor's shape, kind "
       "and order are what the slot wants, and the draft's own hidden state "
       "is read by its norms. Only the record of a good build would tell.",
       {}},
      {"draft-takes-residual-of-step-before",
       2,
       "mirage#667 (draft layer)",
       "The same where several draft steps are there to be compared: one "
       "adds the hidden state of the step before.",
       "of three steps the second adds mtp_step0_joined",
       {LatentWithThreeDraftSteps, nullptr, TakeResidualOfStepBefore, {}},
       {"error foreign-layer mtp_step0_joined "
        "TASK_LINEAR_FP8_WITH_RESIDUAL_SM100 layers 1",
        "note write-only mtp_num_new_tokens",
        "note write-only mtp_new_position", "note write-only mtp_final_output",
        "note write-only mtp_accept_num_new",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3",
        "note several-leaves TASK_MTP_PREPARE_VERIFY",
        "note several-leaves TASK_MTP_ACCEPT_COMMIT"},
       "",
       {}},
      {"draft-buffer-is-bf16",
       7,
       "mirage#667 (MoE buffers)",
       "Buffers of fp8, f32 and i32 are declared as bf16, in the draft layer "
       "only.",
       "mtp_block_moe_routing_indices is written as bf16",
       {LatentWithDraft, nullptr, WriteAsBf16, {}},
       {"error operand-shape TASK_MOE_TOPK_SIGMOID_SM100",
        "error slot-kind mtp_block_moe_routing_indices "
        "TASK_MOE_TOPK_SIGMOID_SM100",
        "error uninitialised-read mtp_block_moe_routing_indices",
        "error dtype-mismatch mtp_block_moe_routing_indices",
        "note write-only mtp_num_new_tokens",
        "note write-only mtp_new_position", "note write-only mtp_final_output",
        "note write-only mtp_accept_num_new",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3",
        "note several-leaves TASK_MTP_PREPARE_VERIFY",
        "note several-leaves TASK_MTP_ACCEPT_COMMIT"},
       "",
       {{0, 1, 6, {"dtype-mismatch"}}}},
      {"offsets-doubled",
       8,
       "mirage#667 (type sizes)",
       "The table of type sizes is wrong for one data type: its byte offsets "
       "are twice what they should be.",
       "all offsets of i64 operands are doubled",
       {Latent, nullptr, DoubleOffsets, {}},
       {"error uninitialised-read argmax_part_index",
        "error out-of-bounds argmax_part_index", "note write-only output_token",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3"},
       "",
       {{0, 1, 5, {"out-of-bounds", "coverage-hole"}}}},
      {"residual-on-all-ranks",
       11,
       "mirage#364, mirage#593",
       "Each rank adds the residual before the sum over ranks: it counts "
       "twice on two.",
       "the branch of rank 1 passes true for the residual's switch",
       {GroupedWithPuts, nullptr, AddResidualOnAllRanks, {}},
       {"note write-only output_token"},
       "Ranks may differ in the residual's switch, as the healthy ones do, and "
       "may agree in it, where a product is not summed: no rule says which "
       "ranks add. Only the record of a good build would tell.",
       {}},
      {"layer-before",
       14,
       "fleet-chiplet-megakernel#6",
       "A slot of layer i still names layer i - 1's tensor.",
       "the q norm of layer 2 is layer_1_q_norm",
       {Grouped, nullptr, TakeTheLayerBefore, {}},
       {"error missing-wiring layer_2_q_norm layers 2",
        "error layer-gap TASK_PAGED_ATTENTION_1 layers 2",
        "error foreign-layer layer_1_q_norm TASK_PAGED_ATTENTION_1 layers 2",
        "note write-only output_token"},
       "",
       {{1, kLayers, 8, {"foreign-layer", "layer-gap", "missing-wiring"}}}},
      {"tables-swapped",
       28,
       "LLMs-from-scratch#381",
       "Cosine and sine change places: shapes fit and nothing crashes.",
       "slots 5 and 6 of all attention change places",
       {Grouped, nullptr, SwapTables, {}},
       {"error attention-slot sin_position_embedding TASK_PAGED_ATTENTION_1 "
        "layers 0,1,2,3",
        "error attention-slot cos_position_embedding TASK_PAGED_ATTENTION_1 "
        "layers 0,1,2,3",
        "note write-only output_token"},
       "",
       {}},
  };
}

}  // namespace graph_coverage::museum
