// SPDX-License-Identifier: Apache-2.0
//
// Group C.
#include <utility>

#include "tests/museum/models.h"
#include "tests/museum/program_edit.h"
#include "tests/museum/rule_cases.h"

namespace graph_coverage::museum {
namespace {

using synthetic::Operator;
using synthetic::Program;
using synthetic::Tile;

constexpr std::uint32_t kLayers = 4;

void HalveWhatOneTileReads(Edit& edit, const Site&) {
  edit.Relayout(edit.Inputs(edit.Readers("lm_head").back())[0],
                [](AddedLayout& layout) { layout.dims[0] /= 2; });
}

void AddTheNormToTheProduct(Edit& edit, const Site& site) {
  for (const std::uint32_t task :
       edit.Readers(InLayer(site.layer, "down_proj"))) {
    edit.Inputs(task)[2].tensor = edit.Tensor("rmsnorm_out");
  }
}

void SwapScales(Program& program, const Site&) {
  for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
    const auto q = Find(program, InLayer(layer, "q_a_proj_scale"));
    const auto latent = Find(program, InLayer(layer, "kv_a_latent_scale"));
    std::vector<Operator> operators = program.operators();
    for (Operator& op : operators) {
      for (synthetic::Use& use : op.inputs) {
        if (use.tensor == q) {
          use.tensor = latent;
        } else if (use.tensor == latent) {
          use.tensor = q;
        }
      }
    }
    program.Replace(std::move(operators));
  }
}

void AddAnAttachedResidual(Program& program, const Site&) {
  const auto state = program.Attach("prompt_state", DataType::kBf16, {2, 64});
  for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
    EditUsers(program, InLayer(layer, "o_proj"),
              [state](Operator& op) { op.inputs[2].tensor = state; });
  }
}

void HalveResiduals(Edit& edit, const Site&) {
  for (const std::uint32_t task : edit.OfType("TASK_LINEAR_WITH_RESIDUAL")) {
    edit.Relayout(edit.Inputs(task)[2],
                  [](AddedLayout& layout) { layout.dims[1] /= 2; });
  }
}

constexpr std::size_t kTile = 5;

void MixATile(Edit& edit, const Site&) {
  edit.Inputs(edit.Readers("lm_head").at(kTile))[0].tensor =
      edit.Tensor("embed_out");
}

void ShiftATile(Edit& edit, const Site&) {
  constexpr std::int64_t kRow = 128;  // bytes
  edit.Inputs(edit.Readers("lm_head").at(kTile))[1].offset += kRow;
}

void OtherEpsilon(Edit& edit, const Site&) {
  if (Index(edit.view().rank()) == 0) return;
  edit.ChangeBranches("TASK_RMS_NORM", "1e-6f", "1e-5f");
}

// Who read the sum reads this rank's part; nobody sums.
void LeaveReductionsOut(Program& program, const Site&) {
  const auto sums = {std::pair("attn_allreduce_out", "attn_proj_out"),
                     std::pair("mlp_final", "mlp_out")};
  for (const auto& [sum, part] : sums) {
    const auto of = Find(program, sum);
    const auto from = Find(program, part);
    std::vector<Operator> kept;
    for (Operator op : program.operators()) {
      if (op.outputs.front().tensor == of) continue;
      for (synthetic::Use& use : op.inputs) {
        if (use.tensor == of) use.tensor = from;
      }
      kept.push_back(std::move(op));
    }
    program.Replace(std::move(kept));
  }
}

}  // namespace

std::vector<RuleCase> SiblingCases() {
  return {
      {"operand-shape",
       "TASK_LINEAR",
       {Grouped, nullptr, HalveWhatOneTileReads, {}}},
      {"layer-gap",
       "TASK_LINEAR_WITH_RESIDUAL layers 2",
       {Grouped, nullptr, AddTheNormToTheProduct, {}}},
      {"layer-kind", "TASK_PAGED_ATTENTION_1 layers 0,4",
       OfExhibit("some-layers-without-rope")},
      {"foreign-layer", "mtp_step0_joined",
       OfExhibit("draft-takes-residual-of-step-before")},
      {"attention-slot", "sin_position_embedding", OfExhibit("tables-swapped")},
      {"scale-missing", "q_a_proj", {Latent, SwapScales, nullptr, {}}},
      {"slot-kind",
       "prompt_state",
       {Grouped, AddAnAttachedResidual, nullptr, {}}},
      {"residual-shape",
       "TASK_LINEAR_WITH_RESIDUAL",
       {Grouped, nullptr, HalveResiduals, {}}},
      {"mixed-tile", "embed_out", {Grouped, nullptr, MixATile, {}}},
      {"tile-pattern", "lm_head", {Grouped, nullptr, ShiftATile, {}}},
      {"rank-difference",
       "TASK_RMS_NORM",
       {GroupedWithPuts, nullptr, OtherEpsilon, {}}},
      {"unreduced-output",
       "o_proj",
       {GroupedWithTiles, LeaveReductionsOut, nullptr, {}}},
  };
}

}  // namespace graph_coverage::museum
