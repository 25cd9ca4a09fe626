// SPDX-License-Identifier: Apache-2.0
//
// What is so on purpose: kinds of layers, and what a waiver accepts.
#include "graph_coverage/policy_file.h"
#include "tests/museum/exhibit.h"
#include "tests/museum/models.h"
#include "tests/museum/program_edit.h"

namespace graph_coverage::museum {
namespace {

using synthetic::NoTensor;
using synthetic::Operator;
using synthetic::Program;
using synthetic::Tile;

// The policy file of that name.
Policy FileOf(const std::string& name) {
  return ReadPolicy(std::string(MUSEUM_POLICIES) + "/" + name + ".json");
}

constexpr std::uint32_t kLayers = 4;
constexpr std::uint32_t kManyLayers = 8;

// 31. No rope in every fourth layer of eight.
void LeaveRopeOutOfEveryFourth(Program& program, const Site& site) {
  for (std::uint32_t layer = site.member; layer < kManyLayers; layer += 4) {
    EditUsers(program, InLayer(layer, "k_cache"), [](Operator& op) {
      op.inputs[5] = NoTensor();
      op.inputs[6] = NoTensor();
    });
  }
}

// 31, too. In every second layer but the one given.
void LeaveRopeOutOfEverySecondBut(Program& program, std::uint32_t wired) {
  program = GroupedOfEightLayers();
  for (std::uint32_t layer = 0; layer < kManyLayers; layer += 2) {
    if (layer == wired) continue;
    EditUsers(program, InLayer(layer, "k_cache"), [](Operator& op) {
      op.inputs[5] = NoTensor();
      op.inputs[6] = NoTensor();
    });
  }
}

Program EverySecondWithoutRope() {
  Program program = GroupedOfEightLayers();
  LeaveRopeOutOfEverySecondBut(program, kManyLayers);
  return program;
}

void WireTheRopeOfLayerFour(Program& program, const Site&) {
  LeaveRopeOutOfEverySecondBut(program, 4);
}

void WireTheRopeOfAll(Program& program, const Site&) {
  program = GroupedOfEightLayers();
}

// 32. Layers from `first` on share their keys with those before: their
// attention is generated without norms, which a checkpoint has all the same.
void LeaveNormsOutFrom(Program& program, std::uint32_t first) {
  for (std::uint32_t layer = first; layer < kManyLayers; ++layer) {
    EditUsers(program, InLayer(layer, "k_cache"), [](Operator& op) {
      op.inputs[3] = NoTensor();
      op.inputs[4] = NoTensor();
    });
  }
}

Program SharingKeys() {
  Program program = GroupedOfEightLayers();
  LeaveNormsOutFrom(program, 5);
  return program;
}

void ShareKeys(Program& program, const Site&) { LeaveNormsOutFrom(program, 5); }

void ShareKeysOfOneMore(Program& program, const Site&) {
  LeaveNormsOutFrom(program, 4);
}

void WireTheNorms(Program& program, const Site&) {
  program = GroupedOfEightLayers();
}

// 33. A bias of o_proj, whose product is summed over ranks: the branches of
// ranks above 0 do not dereference it.
void AddBias(Program& program, const Site&) {
  for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
    const auto bias =
        program.Attach(InLayer(layer, "o_bias"), DataType::kBf16, {64});
    EditUsers(program, InLayer(layer, "o_proj"),
              [bias](Operator& op) { op.inputs.push_back(Tile(bias, {0})); });
  }
}

Program WithBiasOnRankZero() {
  Program program = GroupedWithPuts();
  AddBias(program, {});
  return program;
}

// 29. The bias is added on each rank.
void AddBiasOnAllRanks(Edit& edit, const Site&) {
  if (Index(edit.view().rank()) == 0) return;
  edit.ChangeBranches("TASK_LINEAR_WITH_RESIDUAL", "== 0 , nullptr",
                      "== 0 , task_desc -> input_ptrs [ 3 ]");
}

// Accepted for now.
Policy WaivedForNow() {
  Policy policy = FileOf("shared_keys");
  policy.today = "2026-11-30";
  policy.waivers.front().expires = "2027-03-31";
  return policy;
}

}  // namespace

std::vector<Exhibit> PolicyExhibits() {
  return {
      {"bias-on-all-ranks",
       29,
       "TGI#1036",
       "A bias is added on every rank before the sum over ranks.",
       "the branch of rank 1 dereferences the bias, too",
       {WithBiasOnRankZero, nullptr, AddBiasOnAllRanks,
        FileOf("bias_on_rank_zero")},
       {"error stale-waiver layer_*_o_bias",
        "error stale-waiver TASK_LINEAR_WITH_RESIDUAL",
        "note write-only output_token"},
       "",
       {}},
      {"some-layers-without-rope",
       31,
       "vllm#30413, vllm-metal#644",
       "No fault: every fourth layer has no rope, on purpose.",
       "slots 5 and 6 of the attention of layers 0 and 4 are \"nullptr\", the "
       "switch is off",
       {GroupedOfEightLayers, LeaveRopeOutOfEveryFourth, nullptr, {}},
       {"note write-only output_token",
        "note layer-kind TASK_PAGED_ATTENTION_1 layers 0,4"},
       "",
       {{0, 1, 4, {"layer-kind"}}}},
      {"some-layers-without-rope-confirmed",
       31,
       "vllm#30413, vllm-metal#644",
       "The policy says that every second layer has no rope: they are held "
       "against each other, and one that has it stands out.",
       "the attention of layer 4 has rope, under the policy",
       {EverySecondWithoutRope, WireTheRopeOfLayerFour, nullptr,
        FileOf("every_second_without_rope")},
       {"error layer-gap TASK_PAGED_ATTENTION_1 layers 4",
        "note write-only output_token"},
       "",
       {}},
      {"some-layers-without-rope-no-more",
       31,
       "vllm#30413, vllm-metal#644",
       "The kind of layers is an error as soon as it differs from no other.",
       "all layers have rope, under the policy",
       {EverySecondWithoutRope, WireTheRopeOfAll, nullptr,
        FileOf("every_second_without_rope")},
       {"error stale-waiver layers 0,2,4,6", "note write-only output_token"},
       "",
       {}},
      {"shared-keys",
       32,
       "vllm#44797",
       "No fault: layers 5 to 7 share the keys of layer 4, their norms are "
       "unread on purpose. Without a waiver they are missing.",
       "slots 3 and 4 of the attention of layers 5 to 7 are \"nullptr\", the "
       "switch is off",
       {GroupedOfEightLayers, ShareKeys, nullptr, {}},
       {"error missing-wiring layer_{5..7}_q_norm layers 5,6,7",
        "error missing-wiring layer_{5..7}_k_norm layers 5,6,7",
        "note write-only output_token",
        "note layer-kind TASK_PAGED_ATTENTION_1 layers 5,6,7"},
       "",
       {}},
      {"shared-keys-waived-too-few",
       32,
       "vllm#44797",
       "One waiver with the set of layers 5 to 7 silences them, and hides no "
       "other layer.",
       "the same in layer 4, under the waiver",
       {SharingKeys, ShareKeysOfOneMore, nullptr, FileOf("shared_keys")},
       {"error missing-wiring layer_4_q_norm layers 4",
        "error missing-wiring layer_4_k_norm layers 4",
        "note write-only output_token",
        "note layer-kind TASK_PAGED_ATTENTION_1 layers 4,5,6,7"},
       "",
       {}},
      {"shared-keys-waiver-is-stale",
       32,
       "vllm#44797",
       "The waiver is an error as soon as it matches nothing.",
       "all norms are wired, under the waiver",
       {SharingKeys, WireTheNorms, nullptr, FileOf("shared_keys")},
       {"error stale-waiver layer_*_norm", "note write-only output_token"},
       "",
       {}},
      {"shared-keys-waived-too-long",
       32,
       "vllm#44797",
       "A waiver until a day accepts nothing after it.",
       "the same model is audited a month after the waiver's last day",
       {SharingKeys, nullptr, nullptr, WaivedForNow(), "2027-04-30"},
       {"error missing-wiring layer_{5..7}_q_norm layers 5,6,7",
        "error missing-wiring layer_{5..7}_k_norm layers 5,6,7",
        "error expired-waiver layer_*_norm", "note write-only output_token",
        "note layer-kind TASK_PAGED_ATTENTION_1 layers 5,6,7"},
       "",
       {}},
      {"bias-on-rank-zero",
       33,
       "nano-vllm#99",
       "No fault: a bias is used on rank 0 alone, as the product is summed "
       "over ranks.",
       "o_proj takes a bias, the branch of rank 1 passes nullptr",
       {GroupedWithPuts, AddBias, nullptr, {}},
       {"error rank-difference TASK_LINEAR_WITH_RESIDUAL ranks 1",
        "warning ignored-operand layer_{0..3}_o_bias TASK_LINEAR_WITH_RESIDUAL "
        "layers 0,1,2,3 ranks 1",
        "note write-only output_token"},
       "",
       {}},
  };
}

}  // namespace graph_coverage::museum
