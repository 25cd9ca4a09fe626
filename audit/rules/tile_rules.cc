// SPDX-License-Identifier: Apache-2.0
//
// Rules about tiles by themselves: out-of-bounds, misaligned-offset,
// empty-tile, self-overlapping-tile.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/analysis/order.h"
#include "audit/analysis/tiles.h"
#include "audit/rules/event_rules.h"
#include "audit/rules/memory_rules.h"

namespace graph_coverage {
namespace {

// Calls `visit(task id, task, operand, slot, output)` for each operand.
template <typename Visit>
void ForEachOperand(const View& view, const Visit& visit) {
  for (std::size_t i = 0; i < view.task_count(); ++i) {
    const Task task = view.task(TaskId(i));
    for (const bool output : {false, true}) {
      const Span<Operand> operands = output ? task.outputs : task.inputs;
      for (std::size_t slot = 0; slot < operands.size(); ++slot) {
        if (view.IsNull(operands[slot].tensor)) continue;
        visit(TaskId(i), task, operands[slot], slot, output);
      }
    }
  }
}

// What the rules ask of a layout.
struct Form {
  bool known = false;  // the rest has been filled in
  bool has_offset = false;
  bool empty = false;
  bool malformed = false;
  bool overlaps_itself = false;
  std::uint64_t element = 0;  // bytes; 0: not known
  std::uint64_t extent = 0;   // bytes
};

// The forms of a view's layouts, each made once.
class Forms {
 public:
  explicit Forms(const View& view) : view_(view) {}

  const Form& of(LayoutId id) {
    if (Index(id) < forms_.size() && forms_[Index(id)].known) {
      return forms_[Index(id)];
    }
    return Make(id);
  }

 private:
  const Form& Make(LayoutId id) {
    if (forms_.size() <= Index(id)) forms_.resize(Index(id) + 1);
    const Layout layout = view_.layout(id);
    const TileShape shape = ShapeOf(layout);
    forms_[Index(id)] = {true,
                         layout.has_offset,
                         shape.empty,
                         shape.malformed,
                         shape.overlaps_itself,
                         shape.element,
                         shape.extent};
    return forms_[Index(id)];
  }

  const View& view_;
  std::vector<Form> forms_;
};

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

std::string SlotText(const RankContext& rank, const Task& task,
                     std::size_t slot, bool output) {
  return fmt::format("{} slot {} of {}", output ? "output" : "input", slot,
                     rank.view.TypeName(task.type));
}

}  // namespace

void JudgeOutOfBounds(const RankContext& rank, Judgement& judgement) {
  const View& view = rank.view;
  Forms forms(view);
  std::vector<std::optional<std::uint64_t>> sizes(view.tensor_count());
  for (std::size_t i = 0; i < view.declaration_count(); ++i) {
    sizes[Index(view.declared_tensor(i))] = view.declaration_at(i).bytes;
  }
  Collector found(rank, judgement);
  const Accesses& accesses = rank.analyses.order().accesses();
  ForEachOperand(view, [&](TaskId id, const Task& task, const Operand& operand,
                           std::size_t slot, bool output) {
    const auto& size = sizes[Index(operand.tensor)];
    const Form& form = forms.of(operand.layout);
    if (operand.offset >= 0 && !size) return;
    judgement.Judged();
    if (form.empty || form.malformed || form.element == 0) return;
    const auto fits = [&](std::uint64_t extent) {
      return operand.offset >= 0 && extent <= *size &&
             static_cast<std::uint64_t>(operand.offset) <= *size - extent;
    };
    if (!form.has_offset || fits(form.extent)) return;
    std::uint64_t extent = form.extent;
    const SlotUse& use = accesses.use(task.type, task.variant);
    if (slot < SlotSet::kMost &&
        (use.remote[output ? 1 : 0] >> slot & 1) != 0) {
      // The leading dim of a put counts ranks; it fills one slot of it.
      extent = ShapeOf(view.layout(operand.layout), 1).extent;
      if (fits(extent)) return;
    }
    Finding& finding = found.At(operand.tensor, id, "");
    if (finding.count > 1) return;
    finding.found =
        fmt::format("has a tile from byte {} to {} in {}", operand.offset,
                    operand.offset + static_cast<std::int64_t>(extent),
                    SlotText(rank, task, slot, output));
    finding.expected =
        size ? fmt::format("that it lies in the {} bytes allocated", *size)
             : "an offset that is not negative";
    finding.advice = "Mend the offset, dims or strides, or allocate more";
  });
}

void JudgeMisalignedOffset(const RankContext& rank, Judgement& judgement) {
  Forms forms(rank.view);
  Collector found(rank, judgement);
  std::uint64_t unknown = 0;
  ForEachOperand(rank.view, [&](TaskId id, const Task& task,
                                const Operand& operand, std::size_t slot,
                                bool output) {
    const Form& form = forms.of(operand.layout);
    if (form.element == 0 || !form.has_offset) {
      ++unknown;
      return;
    }
    judgement.Judged();
    // Elements have 1, 2, 4 or 8 bytes; a division would cost more than the
    // rest.
    const auto offset = static_cast<std::uint64_t>(operand.offset);
    if ((offset & (form.element - 1)) == 0) return;
    Finding& finding = found.At(operand.tensor, id, "");
    if (finding.count > 1) return;
    finding.found = fmt::format("has a tile at byte {} in {}", operand.offset,
                                SlotText(rank, task, slot, output));
    finding.expected = fmt::format(
        "a multiple of its element, which has {} bytes", form.element);
    finding.advice = "Mend the offset: it is given in bytes";
  });
  if (unknown > 0) {
    judgement.CouldNotJudge("offset or element size is not known", unknown);
  }
}

void JudgeEmptyTile(const RankContext& rank, Judgement& judgement) {
  Forms forms(rank.view);
  Collector found(rank, judgement);
  ForEachOperand(
      rank.view, [&](TaskId id, const Task& task, const Operand& operand,
                     std::size_t slot, bool output) {
        judgement.Judged();
        const Form& form = forms.of(operand.layout);
        if (!form.empty && !form.malformed) return;
        const std::string problem =
            form.empty ? "a dim that is 0" : "dims and strides that do not fit";
        Finding& finding = found.At(operand.tensor, id, problem);
        if (finding.count > 1) return;
        finding.found = fmt::format("has a tile with {} in {}", problem,
                                    SlotText(rank, task, slot, output));
        finding.expected = "dims from 1 on, and a stride for each";
        finding.advice = "Mend the division of the tensor into tiles";
      });
}

void JudgeSelfOverlappingTile(const RankContext& rank, Judgement& judgement) {
  Forms forms(rank.view);
  Collector found(rank, judgement);
  ForEachOperand(rank.view, [&](TaskId id, const Task& task,
                                const Operand& operand, std::size_t slot,
                                bool output) {
    judgement.Judged();
    if (!forms.of(operand.layout).overlaps_itself) return;
    Finding& finding = found.At(operand.tensor, id, "");
    if (finding.count > 1) return;
    finding.found =
        fmt::format("has a tile whose strides let it overlap itself in {}",
                    SlotText(rank, task, slot, output));
    finding.expected = "strides of at least what lies within";
    finding.advice =
        "Mend the strides; until then order and initialisation of the tensor "
        "are not judged";
  });
}

}  // namespace graph_coverage
