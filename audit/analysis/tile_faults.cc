// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/tile_faults.h"

#include "audit/analysis/tiles.h"

namespace graph_coverage {
namespace {

// What is asked of a layout.
struct Form {
  bool made = false;
  bool sound = false;  // nothing below is wrong with it
  bool empty = false;  // or malformed
  bool overlapping = false;
  bool has_offset = false;    // and elements of known size
  std::uint64_t element = 0;  // bytes: 1, 2, 4 or 8
  std::uint64_t extent = 0;   // bytes

  bool Aligns(std::int64_t offset) const {
    return (static_cast<std::uint64_t>(offset) & (element - 1)) == 0;
  }
};

Form FormOf(const Layout& layout) {
  const TileShape shape = ShapeOf(layout);
  Form form;
  form.made = true;
  form.empty = shape.empty || shape.malformed;
  form.overlapping = shape.overlaps_itself;
  form.has_offset = layout.has_offset && shape.element != 0;
  form.sound = form.has_offset && !form.empty && !form.overlapping;
  form.element = shape.element;
  form.extent = shape.extent;
  return form;
}

}  // namespace

TensorSizes::TensorSizes(const View& view)
    : bytes_(view.tensor_count(), kUnknown) {
  for (std::size_t i = 0; i < view.declaration_count(); ++i) {
    bytes_[Index(view.declared_tensor(i))] =
        view.declaration_at(i).bytes.value_or(kUnknown);
  }
}

TileFaults::TileFaults(const View& view, const Runs& runs) {
  const TensorSizes sizes(view);
  std::vector<Form> forms;  // by layout
  const auto form_of = [&](LayoutId layout) -> const Form& {
    if (forms.size() <= Index(layout)) forms.resize(Index(layout) + 1);
    Form& form = forms[Index(layout)];
    if (!form.made) form = FormOf(view.layout(layout));
    return form;
  };
  const auto note = [&](const Form& form, std::int64_t offset,
                        std::uint64_t size, const OperandPlace& place) {
    const bool known = size != TensorSizes::kUnknown;
    if (!known && offset < 0) ++bounded_;
    if (form.empty) empty_.push_back(place);
    if (form.overlapping) overlapping_.push_back(place);
    if (!form.has_offset) {
      ++without_offset_;
      return;
    }
    if (!form.Aligns(offset)) misaligned_.push_back(place);
    if ((known || offset < 0) && !form.empty &&
        !TensorSizes::Holds(size, offset, form.extent)) {
      outside_.push_back(place);
    }
  };
  // All tasks of a stretch name the same tensors.
  struct SlotOfStretch {
    std::uint32_t slot;
    bool output;
    std::uint64_t size;
  };
  std::vector<SlotOfStretch> slots;
  runs.EachStretch([&](TaskId first, std::uint32_t tasks) {
    slots.clear();
    const Task front = view.task(first);
    for (const bool output : {false, true}) {
      const Span<Operand> operands = output ? front.outputs : front.inputs;
      for (std::uint32_t slot = 0; slot < operands.size(); ++slot) {
        if (view.IsNull(operands[slot].tensor)) continue;
        const std::uint64_t size = sizes.of(operands[slot].tensor);
        slots.push_back({slot, output, size});
        operands_ += tasks;
        if (size != TensorSizes::kUnknown) bounded_ += tasks;
      }
    }
    for (std::uint32_t i = 0; i < tasks; ++i) {
      const auto id = TaskId(static_cast<std::uint32_t>(first) + i);
      const Task task = view.task(id);
      for (const SlotOfStretch& of : slots) {
        const Operand& operand =
            (of.output ? task.outputs : task.inputs)[of.slot];
        const Form& form = form_of(operand.layout);
        if (form.sound && form.Aligns(operand.offset) &&
            TensorSizes::Holds(of.size, operand.offset, form.extent)) {
          continue;
        }
        note(form, operand.offset, of.size, {id, of.slot, of.output});
      }
    }
  });
}

}  // namespace graph_coverage
