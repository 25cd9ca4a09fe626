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

TileFaults::TileFaults(const View& view) {
  const TensorSizes sizes(view);
  std::vector<Form> forms;  // by layout
  const auto look = [&](const Operand& operand, const OperandPlace& place) {
    if (view.IsNull(operand.tensor)) return;
    if (forms.size() <= Index(operand.layout)) {
      forms.resize(Index(operand.layout) + 1);
    }
    Form& form = forms[Index(operand.layout)];
    if (!form.made) form = FormOf(view.layout(operand.layout));
    const bool bounded =
        operand.offset < 0 || sizes.of(operand.tensor) != TensorSizes::kUnknown;
    const bool outside =
        bounded && !sizes.Holds(operand.tensor, operand.offset, form.extent);
    ++operands_;
    if (bounded) ++bounded_;
    if (form.sound && form.Aligns(operand.offset) && !outside) return;
    if (form.empty) empty_.push_back(place);
    if (form.overlapping) overlapping_.push_back(place);
    if (!form.has_offset) {
      ++without_offset_;
      return;
    }
    if (!form.Aligns(operand.offset)) misaligned_.push_back(place);
    if (outside && !form.empty) outside_.push_back(place);
  };
  for (std::size_t i = 0; i < view.task_count(); ++i) {
    const Task task = view.task(TaskId(i));
    for (std::uint32_t slot = 0; slot < task.inputs.size(); ++slot) {
      look(task.inputs[slot], {TaskId(i), slot, false});
    }
    for (std::uint32_t slot = 0; slot < task.outputs.size(); ++slot) {
      look(task.outputs[slot], {TaskId(i), slot, true});
    }
  }
}

}  // namespace graph_coverage
