// SPDX-License-Identifier: Apache-2.0
//
// Operators that move and change tiles and data types.
#include "generators/mutation/operators.h"

namespace graph_coverage {
namespace {

// Inputs come first: a place is a task and a slot, from 1 << 16 on an output.
constexpr std::uint32_t kOutput = 1u << 16;

Operand OperandAt(const RankIndex& index, const Site& site) {
  const Task task = index.view().task(TaskId(site.a));
  return site.b >= kOutput ? task.outputs[site.b - kOutput]
                           : task.inputs[site.b];
}

template <typename Keep>
std::vector<Site> Places(const RankIndex& index, const Keep& keep) {
  std::vector<Site> sites;
  for (const bool output : {false, true}) {
    for (Site site : OperandSites(index, output)) {
      if (output) site.b += kOutput;
      if (keep(site, OperandAt(index, site))) sites.push_back(site);
    }
  }
  return sites;
}

void FillPlace(const RankIndex& index, const Site& site, std::uint32_t k,
               Mutation& mutation) {
  if (site.b >= kOutput) {
    FillOutput(index, {site.a, site.b - kOutput}, k, mutation);
  } else {
    FillInput(index, site, k, mutation);
  }
}

Operand& EditOperand(const RankIndex& index, const Mutation& mutation,
                     Overlay& overlay) {
  const bool output = mutation.out.has_value();
  const std::size_t slot = SlotOf(index, mutation, output);
  TaskEdit& edit = EditTask(index, *mutation.task, overlay);
  return output ? edit.outputs[slot] : edit.inputs[slot];
}

std::vector<Site> AllPlaces(const RankIndex& index) {
  return Places(index, [](const Site&, const Operand&) { return true; });
}

// A row of the tile further on; one block further where there is no offset.
void FillShift(const RankIndex& index, const Site& site, std::uint32_t k,
               Mutation& mutation) {
  FillPlace(index, site, k, mutation);
  const Layout layout = index.view().layout(OperandAt(index, site).layout);
  mutation.by = 1;
  if (!layout.has_offset || layout.dims.empty()) return;
  const std::int64_t row = layout.dims[layout.dims.size() - 1] *
                           std::int64_t{ElementBytes(layout.data_type)};
  if (row > 0) mutation.by = row;
}

void Shift(const RankIndex& index, const Mutation& mutation, Overlay& overlay) {
  if (!mutation.by) Refuse(mutation, "expected by=BYTES");
  EditOperand(index, mutation, overlay).offset += *mutation.by;
}

std::vector<Site> Shrinkable(const RankIndex& index) {
  return Places(index, [&index](const Site&, const Operand& operand) {
    const Layout layout = index.view().layout(operand.layout);
    return !layout.dims.empty() && layout.dims[0] > 1;
  });
}

AddedLayout CopyOf(const Layout& layout) {
  AddedLayout copy;
  copy.data_type = layout.data_type;
  copy.has_offset = layout.has_offset;
  copy.dims.assign(layout.dims.begin(), layout.dims.end());
  copy.strides.assign(layout.strides.begin(), layout.strides.end());
  return copy;
}

void Shrink(const RankIndex& index, const Mutation& mutation,
            Overlay& overlay) {
  Operand& operand = EditOperand(index, mutation, overlay);
  AddedLayout layout = CopyOf(index.view().layout(operand.layout));
  if (layout.dims.empty() || layout.dims[0] < 2) {
    Refuse(mutation, "the tile has no more than one row");
  }
  layout.dims[0] /= 2;
  operand.layout = AddLayout(index, layout, overlay);
}

// Whether the next task of the operator reads another tile there.
std::vector<Site> UnlikeSiblings(const RankIndex& index) {
  return Places(index, [&index](const Site& site, const Operand& operand) {
    if (site.a + 1 >= index.run_of(site.a).end) return false;
    const Task next = index.view().task(TaskId(site.a + 1));
    const std::uint32_t slot = site.b % kOutput;
    const Span<Operand> operands =
        site.b >= kOutput ? next.outputs : next.inputs;
    return slot < operands.size() && operands[slot] != operand;
  });
}

void CopySibling(const RankIndex& index, const Mutation& mutation,
                 Overlay& overlay) {
  Operand& operand = EditOperand(index, mutation, overlay);
  if (*mutation.task + 1 >= index.run_of(*mutation.task).end) {
    Refuse(mutation, "the task has no sibling behind it");
  }
  const Task next = index.view().task(TaskId(*mutation.task + 1));
  const Span<Operand> operands = mutation.out ? next.outputs : next.inputs;
  const std::uint32_t slot = mutation.out ? *mutation.out : *mutation.in;
  if (slot >= operands.size()) Refuse(mutation, "its sibling lacks the slot");
  operand = operands[slot];
}

DataType Another(DataType type) {
  switch (type) {
    case DataType::kBf16:
    case DataType::kFp16:
      return DataType::kF32;
    case DataType::kI32:
    case DataType::kU32:
      return DataType::kI64;
    case DataType::kI64:
      return DataType::kI32;
    case DataType::kFp8:
    case DataType::kF32:
    case DataType::kUnknown:
      break;
  }
  return DataType::kBf16;
}

void ChangeType(const RankIndex& index, const Mutation& mutation,
                Overlay& overlay) {
  Operand& operand = EditOperand(index, mutation, overlay);
  AddedLayout layout = CopyOf(index.view().layout(operand.layout));
  layout.data_type = Another(layout.data_type);
  operand.layout = AddLayout(index, layout, overlay);
}

}  // namespace

std::vector<OperatorRow> TileOperators() {
  constexpr Edits kEdits = Edits::kTiles;
  return {
      {{"shift-tile", "move a tile", kEdits, "wrong tiles"},
       AllPlaces,
       FillShift,
       Shift},
      {{"shrink-tile", "halve a tile", kEdits, "wrong tiles"},
       Shrinkable,
       FillPlace,
       Shrink},
      {{"copy-tile", "use the tile of the next task of the operator", kEdits,
        "wrong tiles"},
       UnlikeSiblings,
       FillPlace,
       CopySibling},
      {{"data-type", "change the data type of a tile", kEdits,
        "wrong data types"},
       AllPlaces,
       FillPlace,
       ChangeType},
  };
}

}  // namespace graph_coverage
