// SPDX-License-Identifier: Apache-2.0
//
// Tensors that nobody reads, and slots that hold no tensor, or the wrong one.
#include "graph_coverage/synthetic/program.h"
#include "tests/museum/exhibit.h"
#include "tests/museum/models.h"
#include "tests/museum/program_edit.h"

namespace graph_coverage::museum {
namespace {

using synthetic::NoTensor;
using synthetic::Operator;
using synthetic::Program;
using synthetic::Tile;
using synthetic::Use;

constexpr DataType kBf16 = DataType::kBf16;
constexpr std::uint32_t kLayers = 4;

// 1. The rope tables stay attached, and no operator takes them any more.
void UnwireRope(Program& program, const Site&) {
  const auto cos = Find(program, "rope_cos");
  const auto sin = Find(program, "rope_sin");
  std::vector<Operator> operators;
  for (Operator op : program.operators()) {
    if (op.type == "TASK_MLA_Q_ROPE_SM100") continue;
    std::vector<Use> kept;
    for (const Use& use : op.inputs) {
      if (use.tensor != cos && use.tensor != sin) kept.push_back(use);
    }
    op.inputs = kept;
    operators.push_back(op);
  }
  program.Replace(operators);
}

// 12. "nullptr" where the norms belong; the switch stays on.
void NullNorms(Edit& edit, const Site& site) {
  for (const std::uint32_t task :
       edit.Readers(InLayer(site.layer, "k_cache"))) {
    if (site.member != 1) edit.Null(task, 3);
    if (site.member != 2) edit.Null(task, 4);
  }
}

// 20, 24, 25. Tensors that are attached for nobody.
void AttachPositions(Program& program, const Site&) {
  program.Attach("position_ids", DataType::kI32, {64});
}

void AttachRopeFactors(Program& program, const Site&) {
  program.Attach("rope_freqs", DataType::kF32, {8});
}

void AttachCacheScales(Program& program, const Site&) {
  for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
    for (const char* name : {"k_scale", "v_scale"}) {
      program.Attach(InLayer(layer, name), DataType::kF32, {1});
    }
  }
}

// 21. The attention is generated without norms, the norms stay attached.
void GenerateWithoutNorms(Program& program, const Site&) {
  for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
    EditUsers(program, InLayer(layer, "q_norm"), [](Operator& op) {
      op.inputs[3] = NoTensor();
      op.inputs[4] = NoTensor();
    });
  }
}

// 22. Attention takes a sink a head in slot 7.
constexpr std::size_t kSinkSlot = 7;

Program WithSinks() {
  Program program = Grouped();
  for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
    const auto sinks =
        program.Attach(InLayer(layer, "sinks"), DataType::kF32, {8});
    EditUsers(program, InLayer(layer, "k_cache"),
              [sinks](Operator& op) { op.inputs.push_back(Tile(sinks)); });
  }
  return program;
}

void LeaveSinksOut(Program& program, const Site&) {
  for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
    EditUsers(program, InLayer(layer, "sinks"),
              [](Operator& op) { op.inputs.resize(kSinkSlot); });
  }
}

// 23. A bias slot that the branch reads holds "nullptr".
void NullBias(Edit& edit, const Site& site) {
  for (const std::uint32_t task :
       edit.Readers(InLayer(site.layer, "moe_gate_bias"))) {
    edit.Null(task, 1);
  }
}

void NullBiasEverywhere(Edit& edit, const Site&) {
  for (const std::uint32_t task : edit.OfType("TASK_MOE_TOPK_SIGMOID_SM100")) {
    edit.Null(task, 1);
  }
}

// 27. The norm of the key is that of the query.
void TakeTheOtherNorm(Edit& edit, const Site&) {
  Mutation mutation;
  mutation.op = "rewire-layers";
  mutation.rank = edit.view().rank();
  mutation.to = "layer_0_q_norm";
  mutation.subject = "layer_0_k_norm";
  edit.Mutate(mutation);
}

// 30. Placeholders in the slots of the caches.
void PutPlaceholders(Program& program, const Site& site) {
  for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
    EditUsers(program, InLayer(layer, "k_cache"), [&](Operator& op) {
      for (const std::uint32_t slot : op.written_inputs) {
        if (slot == site.member) continue;
        const synthetic::Tensor cache = program.tensor(op.inputs[slot].tensor);
        op.inputs[slot].tensor = program.Attach(
            slot == 1 ? "k_placeholder" : "v_placeholder", kBf16, cache.dims);
      }
    });
  }
}

}  // namespace

std::vector<Exhibit> WiringExhibits() {
  return {
      {"rope-tables-unread",
       1,
       "mirage#656, mirage#667, mirage#682",
       "The rope tables are attached and no layer call takes them: attention "
       "is blind to positions.",
       "no operator takes rope_cos and rope_sin any more",
       {Latent, UnwireRope, nullptr, {}},
       {"error missing-wiring rope_cos", "error missing-wiring rope_sin",
        "note write-only output_token"},
       "",
       {}},
      {"norms-are-null",
       12,
       "mirage#395, mirage#404",
       "Attention gets \"nullptr\" for the q and k norms, and its branch "
       "still normalises.",
       "slots 3 and 4 of the attention of layer 2 become \"nullptr\"",
       {Grouped, nullptr, NullNorms, {}},
       {"error missing-wiring layer_2_q_norm layers 2",
        "error missing-wiring layer_2_k_norm layers 2",
        "error disabled-feature TASK_PAGED_ATTENTION_1 layers 2",
        "error disabled-feature TASK_PAGED_ATTENTION_1 layers 2",
        "error operand-shape TASK_PAGED_ATTENTION_1 layers 2",
        "error operand-shape TASK_PAGED_ATTENTION_1 layers 2",
        "error layer-gap TASK_PAGED_ATTENTION_1 layers 2",
        "note write-only output_token"},
       "",
       {{0, kLayers, 3, {"disabled-feature"}}}},
      {"positions-unread",
       20,
       "TensorRT-LLM#1778",
       "A table of positions is created and no operator takes it.",
       "position_ids is attached",
       {Grouped, AttachPositions, nullptr, {}},
       {"error missing-wiring position_ids", "note write-only output_token"},
       "",
       {}},
      {"norms-unread",
       21,
       "Cerebras modelzoo#85",
       "The q and k norms are attached, and attention was generated without "
       "them.",
       "slots 3 and 4 of all attention are \"nullptr\", the switch is off",
       {Grouped, GenerateWithoutNorms, nullptr, {}},
       {"error missing-wiring layer_{0..3}_q_norm layers 0,1,2,3",
        "error missing-wiring layer_{0..3}_k_norm layers 0,1,2,3",
        "note write-only output_token"},
       "",
       {}},
      {"sinks-unbound",
       22,
       "vllm-metal#550",
       "The attention sinks are attached and never bound.",
       "no attention takes layer_{0..3}_sinks any more",
       {WithSinks, LeaveSinksOut, nullptr, {}},
       {"error missing-wiring layer_{0..3}_sinks layers 0,1,2,3",
        "note write-only output_token"},
       "The switch of the sinks: the switches that the rules know are those "
       "of qk-norm and rope, the literals before slot 3.",
       {}},
      {"bias-is-null",
       23,
       "vllm#39663",
       "The bias of a layer is \"nullptr\", and the branch reads it.",
       "slot 1 of the router of layer 2 becomes \"nullptr\"",
       {Latent, nullptr, NullBias, {}},
       {"error missing-wiring layer_2_moe_gate_bias layers 2",
        "error null-dereferenced TASK_MOE_TOPK_SIGMOID_SM100 layers 2",
        "error operand-shape TASK_MOE_TOPK_SIGMOID_SM100 layers 2",
        "error layer-gap TASK_MOE_TOPK_SIGMOID_SM100 layers 2",
        "note write-only output_token",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3"},
       "",
       {{1, kLayers, 1, {"null-dereferenced"}}}},
      {"bias-is-null-everywhere",
       23,
       "vllm#39663",
       "The same in all layers.",
       "slot 1 of all routers becomes \"nullptr\"",
       {Latent, nullptr, NullBiasEverywhere, {}},
       {"error missing-wiring layer_{1..3}_moe_gate_bias layers 1,2,3",
        "error null-dereferenced TASK_MOE_TOPK_SIGMOID_SM100 layers 1,2,3",
        "note write-only output_token",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3"},
       "",
       {}},
      {"cache-scales-unread",
       24,
       "sglang#20705",
       "The scales of the FP8 caches are declared and no task reads them.",
       "layer_{0..3}_k_scale and _v_scale are attached",
       {Grouped, AttachCacheScales, nullptr, {}},
       {"error missing-wiring layer_{0..3}_k_scale layers 0,1,2,3",
        "error missing-wiring layer_{0..3}_v_scale layers 0,1,2,3",
        "note write-only output_token"},
       "",
       {}},
      {"table-unread",
       25,
       "llama.cpp#8676",
       "A new version of a model comes with a table of rope factors, and the "
       "builder does not know it.",
       "rope_freqs is attached",
       {Grouped, AttachRopeFactors, nullptr, {}},
       {"error missing-wiring rope_freqs", "note write-only output_token"},
       "",
       {}},
      {"wrong-norm",
       27,
       "Megatron-Bridge#4200",
       "A norm takes the weight of another, its own is read by nobody.",
       "the slot of the key's norm holds the query's, in all layers",
       {Grouped, nullptr, TakeTheOtherNorm, {}},
       {"error missing-wiring layer_{0..3}_k_norm layers 0,1,2,3",
        "error attention-slot layer_{0..3}_q_norm TASK_PAGED_ATTENTION_1 "
        "layers 0,1,2,3",
        "note write-only output_token"},
       "",
       {}},
      {"placeholder-caches",
       30,
       "TransformerLens#1620",
       "Attention has placeholders in the slots of its caches, the caches "
       "are read by nobody.",
       "slots 1 and 2 of all attention hold k_placeholder and v_placeholder",
       {Grouped, PutPlaceholders, nullptr, {}},
       {"error missing-wiring layer_{0..3}_k_cache layers 0,1,2,3",
        "error missing-wiring layer_{0..3}_v_cache layers 0,1,2,3",
        "note write-only output_token"},
       "",
       {{0, 1, 3, {"missing-wiring"}}}},
  };
}

}  // namespace graph_coverage::museum
