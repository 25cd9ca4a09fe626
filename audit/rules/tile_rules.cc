// SPDX-License-Identifier: Apache-2.0
//
// Rules about tiles by themselves: out-of-bounds, misaligned-offset,
// empty-tile, self-overlapping-tile.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "audit/analysis/order.h"
#include "audit/analysis/tiles.h"
#include "audit/rules/event_rules.h"
#include "audit/rules/memory_rules.h"

namespace graph_coverage {
namespace {

const Operand& OperandAt(const View& view, const OperandPlace& place) {
  const Task task = view.task(place.task);
  return (place.output ? task.outputs : task.inputs)[place.slot];
}

// Findings fold over tasks: one for each tensor and text.
class Collector {
 public:
  Collector(const RankContext& rank, Judgement& judgement)
      : rank_(rank), judgement_(judgement) {}

  Finding& At(TensorId tensor, TaskId task, const std::string& kind) {
    const auto [at, added] = position_.emplace(std::pair(tensor, kind),
                                               judgement_.findings().size());
    if (added) {
      Finding& finding = judgement_.Add();
      finding.tensor = rank_.view.tensor_name(tensor);
      finding.count = 0;
      finding.places.push_back({rank_.view.graph_file(), 0, 0, 0});
    }
    Finding& finding = judgement_.findings()[at->second];
    ++finding.count;
    finding.tasks.push_back({task, task});
    return finding;
  }

 private:
  const RankContext& rank_;
  Judgement& judgement_;
  std::map<std::pair<TensorId, std::string>, std::size_t> position_;
};

// The byte behind a tile, as text: a signed number may not hold it.
std::string End(std::int64_t offset, std::uint64_t extent) {
  return offset < 0
             ? fmt::format("{}", offset + static_cast<std::int64_t>(extent))
             : fmt::format("{}", static_cast<std::uint64_t>(offset) + extent);
}

bool HasNegative(const Layout& layout) {
  return std::any_of(layout.strides.begin(), layout.strides.end(),
                     [](std::int64_t stride) { return stride < 0; });
}

std::string SlotText(const RankContext& rank, const OperandPlace& place) {
  return fmt::format("{} slot {} of {}", place.output ? "output" : "input",
                     place.slot,
                     rank.view.TypeName(rank.view.task(place.task).type));
}

}  // namespace

void JudgeOutOfBounds(const RankContext& rank, Judgement& judgement) {
  const View& view = rank.view;
  const TileFaults& faults = rank.analyses.order().tile_faults();
  const Accesses& accesses = rank.analyses.order().accesses();
  const TensorSizes sizes(view);
  judgement.Judged(faults.bounded());
  Collector found(rank, judgement);
  std::map<std::pair<LayoutId, bool>, std::uint64_t> extents;  // bytes
  for (const OperandPlace& place : faults.outside()) {
    const Operand& operand = OperandAt(view, place);
    const Task task = view.task(place.task);
    const SlotUse& use = accesses.use(task.type, task.variant);
    const bool remote =
        use.known
            ? place.slot < SlotSet::kMost &&
                  (use.remote[place.output ? 1 : 0] >> place.slot & 1) != 0
            : IsSymmetric(view, operand.tensor);
    // The leading dim of a put counts ranks; it fills one slot of it.
    const auto [at, added] =
        extents.emplace(std::pair(operand.layout, remote), 0);
    if (added) {
      at->second = ShapeOf(view.layout(operand.layout), remote ? 1 : 0).extent;
    }
    const std::uint64_t extent = at->second;
    if (remote && sizes.Holds(operand.tensor, operand.offset, extent)) continue;
    Finding& finding = found.At(operand.tensor, place.task, "");
    if (finding.count > 1) continue;
    finding.found =
        fmt::format("has a tile from byte {} to {} in {}", operand.offset,
                    End(operand.offset, extent), SlotText(rank, place));
    const std::uint64_t size = sizes.of(operand.tensor);
    finding.expected =
        size != TensorSizes::kUnknown
            ? fmt::format("that it lies in the {} bytes allocated", size)
            : "an offset that is not negative";
    finding.advice = "Mend the offset, dims or strides, or allocate more";
  }
}

void JudgeMisalignedOffset(const RankContext& rank, Judgement& judgement) {
  const TileFaults& faults = rank.analyses.order().tile_faults();
  judgement.Judged(faults.operands() - faults.without_offset());
  if (faults.without_offset() > 0) {
    judgement.CouldNotJudge("offset or element size is not known",
                            faults.without_offset());
  }
  Collector found(rank, judgement);
  for (const OperandPlace& place : faults.misaligned()) {
    const Operand& operand = OperandAt(rank.view, place);
    Finding& finding = found.At(operand.tensor, place.task, "");
    if (finding.count > 1) continue;
    finding.found = fmt::format("has a tile at byte {} in {}", operand.offset,
                                SlotText(rank, place));
    finding.expected =
        fmt::format("a multiple of its element, which has {} bytes",
                    ElementBytes(rank.view.layout(operand.layout).data_type));
    finding.advice = "Mend the offset: it is given in bytes";
  }
}

void JudgeEmptyTile(const RankContext& rank, Judgement& judgement) {
  const TileFaults& faults = rank.analyses.order().tile_faults();
  judgement.Judged(faults.operands());
  Collector found(rank, judgement);
  for (const OperandPlace& place : faults.empty()) {
    const Operand& operand = OperandAt(rank.view, place);
    const Layout layout = rank.view.layout(operand.layout);
    const std::string problem =
        ShapeOf(layout).empty ? "a dim that is 0"
        : layout.dims.size() == layout.strides.size() && !HasNegative(layout)
            ? "dims and strides that span more than 2^63 - 1 bytes"
            : "dims and strides that do not fit";
    Finding& finding = found.At(operand.tensor, place.task, problem);
    if (finding.count > 1) continue;
    finding.found =
        fmt::format("has a tile with {} in {}", problem, SlotText(rank, place));
    finding.expected = "dims from 1 on, and a stride for each";
    finding.advice = "Mend the division of the tensor into tiles";
  }
}

void JudgeSelfOverlappingTile(const RankContext& rank, Judgement& judgement) {
  const TileFaults& faults = rank.analyses.order().tile_faults();
  judgement.Judged(faults.operands());
  Collector found(rank, judgement);
  for (const OperandPlace& place : faults.overlapping()) {
    const Operand& operand = OperandAt(rank.view, place);
    Finding& finding = found.At(operand.tensor, place.task, "");
    if (finding.count > 1) continue;
    finding.found =
        fmt::format("has a tile whose strides let it overlap itself in {}",
                    SlotText(rank, place));
    finding.expected = "strides of at least what lies within";
    finding.advice =
        "Mend the strides; until then order and initialisation of the tensor "
        "are not judged";
  }
}

}  // namespace graph_coverage
