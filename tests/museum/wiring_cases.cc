// SPDX-License-Identifier: Apache-2.0
//
// Groups A, B and F.
#include "tests/museum/models.h"
#include "tests/museum/program_edit.h"
#include "tests/museum/rule_cases.h"

namespace graph_coverage::museum {
namespace {

using synthetic::Program;
using synthetic::Tile;

constexpr DataType kBf16 = DataType::kBf16;

void AttachATable(Program& program, const Site&) {
  program.Attach("position_ids", DataType::kI32, {64});
}

Policy OnlyLayersAreCritical() {
  Policy policy;
  policy.critical = {"layer_*"};
  return policy;
}

void Undeclare(Edit& edit, const std::string& tensor) {
  Mutation mutation;
  mutation.op = "remove-declaration";
  mutation.rank = edit.view().rank();
  mutation.subject = tensor;
  edit.Mutate(mutation);
}

void UndeclareANorm(Edit& edit, const Site&) {
  Undeclare(edit, "model_norm_weight");
}

Program WithSpareScratch() {
  Program program = Grouped();
  program.Scratch("spare", kBf16, {8});
  return program;
}

void UndeclareSpare(Edit& edit, const Site&) { Undeclare(edit, "spare"); }

Policy SpareIsRequired() {
  Policy policy;
  policy.required = {"spare"};
  return policy;
}

void AddSpareScratch(Program& program, const Site&) {
  program.Scratch("spare", kBf16, {8});
}

void NormForNobody(Program& program, const Site&) {
  const auto x = Find(program, "mlp_out");
  const auto out = program.Scratch("spare", kBf16, program.tensor(x).dims);
  InsertBehind(program, "model_norm_weight",
               {"TASK_RMS_NORM",
                {2},
                {Tile(x, {0}), Tile(Find(program, "model_norm_weight"))},
                {Tile(out, {0})},
                synthetic::Indexing::kBlock,
                {}});
}

void ShiftACopy(Edit& edit, const Site&) {
  Copy& copy = edit.DeclarationOf("layer_2_qkv_proj").copies.at(1);
  copy.target_offset += copy.width;
}

void LeaveRankOneOut(Edit& edit, const Site&) {
  if (Index(edit.view().rank()) == 1) edit.LeaveRankOut();
}

void NormReadsAnAbsentSlot(Edit& edit, const Site&) {
  edit.ChangeBranches("TASK_RMS_NORM", "input_ptrs [ 1 ]", "input_ptrs [ 2 ]");
}

void NormIgnoresItsWeight(Edit& edit, const Site&) {
  edit.ChangeBranches("TASK_RMS_NORM", "task_desc -> input_ptrs [ 1 ]",
                      "nullptr");
}

void DropABranch(Edit& edit, const Site&) {
  Mutation mutation;
  mutation.op = "drop-branch";
  mutation.rank = edit.view().rank();
  for (std::uint32_t i = 0; i < edit.view().branch_count(); ++i) {
    if (edit.view().branch(i).type == "TASK_SILU_MUL") mutation.branch = i;
  }
  mutation.subject = "TASK_SILU_MUL";
  edit.Mutate(mutation);
}

void SwitchNormsOff(Edit& edit, const Site&) {
  edit.ChangeBranches("TASK_PAGED_ATTENTION_1", "true , true", "false , true");
}

void NullWeightsOfExperts(Edit& edit, const Site&) {
  for (const std::uint32_t task : edit.OfType("TASK_MOE_MUL_SUM_ADD_SM100")) {
    edit.Null(task, 1);
  }
}

void RenameAType(Program& program, const Site&) {
  program.type_numbers["TASK_SILU_MUL_OF_A_FORK"] = 118;
  EditUsers(program, "silu_mul_out", [](synthetic::Operator& op) {
    if (op.type == "TASK_SILU_MUL") op.type = "TASK_SILU_MUL_OF_A_FORK";
  });
}

// With the healthy model's coverage as the contract.
Specimen Recorded(Specimen specimen) {
  specimen.contract = true;
  return specimen;
}

}  // namespace

std::vector<RuleCase> WiringCases() {
  return {
      {"missing-wiring", "position_ids", OfExhibit("positions-unread")},
      {"unread-attached",
       "position_ids",
       {Grouped, AttachATable, nullptr, OnlyLayersAreCritical()}},
      {"undeclared-tensor",
       "model_norm_weight",
       {Grouped, nullptr, UndeclareANorm, {}}},
      {"required-tensor-absent",
       "spare",
       {WithSpareScratch, nullptr, UndeclareSpare, SpareIsRequired()}},
      {"write-only", "spare", {Grouped, NormForNobody, nullptr, {}}},
      {"dead-scratch", "spare", {Grouped, AddSpareScratch, nullptr, {}}},
      {"shuffle-cover",
       "layer_2_qkv_proj",
       {GroupedWithCopies, nullptr, ShiftACopy, {}}},
      {"missing-rank",
       "have no files: 1",
       {GroupedWithTiles, nullptr, LeaveRankOneOut, {}}},
      {"missing-operand",
       "TASK_RMS_NORM",
       {Grouped, nullptr, NormReadsAnAbsentSlot, {}}},
      {"ignored-operand",
       "layernorm",
       {Grouped, nullptr, NormIgnoresItsWeight, {}}},
      {"no-dispatch", "TASK_SILU_MUL", {Grouped, nullptr, DropABranch, {}}},
      {"dead-dispatch", "TASK_MTP_TOKEN_SCATTER",
       OfExhibit("draft-buffer-unfilled"),
       "the operator was dropped: what it wrote is missing"},
      {"disabled-feature",
       "TASK_PAGED_ATTENTION_1",
       {Grouped, nullptr, SwitchNormsOff, {}}},
      {"null-dereferenced",
       "TASK_MOE_MUL_SUM_ADD_SM100",
       {Latent, nullptr, NullWeightsOfExperts, {}}},
      {"unknown-type",
       "TASK_SILU_MUL_OF_A_FORK",
       {Grouped, RenameAType, nullptr, {}}},
      {"contract-drift", "mtp_block_o_proj",
       Recorded(OfExhibit("draft-takes-main-residual"))},
      {"stale-waiver", "layer_*_norm",
       OfExhibit("shared-keys-waiver-is-stale")},
      {"expired-waiver", "layer_*_norm",
       OfExhibit("shared-keys-waived-too-long"),
       "what the waiver accepted is found again"},
  };
}

}  // namespace graph_coverage::museum
