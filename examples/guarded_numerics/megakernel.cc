// SPDX-License-Identifier: Apache-2.0
#include "megakernel.h"

#include <graph_coverage/audit.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace guarded_numerics {
namespace {

using graph_coverage::Declaration;
using graph_coverage::Layout;
using graph_coverage::Operand;
using graph_coverage::Reference;
using graph_coverage::Task;
using graph_coverage::TaskId;
using graph_coverage::View;

// Tasks 0 and 1 are the runtime's own.
bool IsWork(const Task& task) {
  return task.type != graph_coverage::kTerminateType &&
         task.type != graph_coverage::kBeginType;
}

// A tile with any number of dims, as a matrix of its last one.
Tile MatrixOf(const Layout& layout) {
  const std::size_t dims = layout.dims.size();
  if (dims == 0 || layout.strides.size() != dims || !layout.has_offset) {
    throw std::runtime_error("no dims, strides or offset");
  }
  Tile tile;
  tile.type = layout.data_type;
  tile.columns = layout.dims[dims - 1];
  tile.column_stride = layout.strides[dims - 1];
  tile.rows = 1;
  tile.row_stride = dims > 1 ? layout.strides[dims - 2] : tile.columns;
  for (std::size_t i = dims - 1; i-- > 0;) {
    if (layout.strides[i] != tile.row_stride * tile.rows) {
      throw std::runtime_error("its rows do not lie evenly");
    }
    tile.rows *= layout.dims[i];
  }
  if (tile.rows < 1 || tile.columns < 1 || tile.row_stride < 0 ||
      tile.column_stride < 0 || ElementBytes(tile.type) == 0) {
    throw std::runtime_error("a dim, a stride or a type that cannot be");
  }
  return tile;
}

// Bytes from the start of the tensor to the end of the tile.
std::size_t EndOf(const Tile& tile, std::int64_t offset) {
  const std::int64_t last = (tile.rows - 1) * tile.row_stride +
                            (tile.columns - 1) * tile.column_stride;
  return static_cast<std::size_t>(offset +
                                  (last + 1) * ElementBytes(tile.type));
}

std::size_t SizeOf(const Tile& tile) {
  return static_cast<std::size_t>(tile.rows * tile.columns *
                                  ElementBytes(tile.type));
}

// All bytes of a tensor, as rows as long as those of one of its tiles.
Tile WholeOf(std::vector<std::byte>& bytes, const Tile& part) {
  Tile whole = part;
  whole.data = bytes.data();
  whole.column_stride = 1;
  whole.row_stride = part.columns;
  whole.rows = static_cast<std::int64_t>(bytes.size()) /
               (part.columns * ElementBytes(part.type));
  return whole;
}

// Which events have fired, as tasks run one after the other.
class Events {
 public:
  explicit Events(const View& view) : view_(view), seen_(view.event_count()) {}

  // Throws where the task waits for an event that has not fired.
  void Await(const Task& task) const {
    const std::size_t event = task.dependent.index();
    if (task.dependent.none()) return;
    if (seen_.at(event) < view_.event(event).num_triggers) {
      throw std::runtime_error("waits for event " + std::to_string(event) +
                               ", which only later tasks trigger");
    }
  }
  void Trigger(const Task& task) {
    if (!task.trigger.none()) ++seen_.at(task.trigger.index());
  }

 private:
  const View& view_;
  std::vector<std::uint64_t> seen_;  // triggers, by event
};

}  // namespace

Megakernel::Megakernel(const std::string& gendir) {
  const auto ranks = graph_coverage::ReadRanks(gendir);
  const View view(ranks.at(0));
  Allocate(view);
  Plan(view);
}

// A scratch tensor's size stands in its declaration, an attached one's does
// not: it is what its tiles make up.
void Megakernel::Allocate(const View& view) {
  for (std::size_t i = 0; i < view.declaration_count(); ++i) {
    const Declaration& declaration = view.declaration_at(i);
    Tensor& tensor = tensors_[declaration.name];
    tensor.attached = declaration.kind == graph_coverage::TensorKind::kAttached;
    Tile part;
    std::size_t end = 0;
    std::map<std::int64_t, std::size_t> tiles;  // sizes, by offset
    for (const Reference& use : view.references(view.declared_tensor(i))) {
      if (!use.output) ++tensor.readers;
      const Task task = view.task(use.task);
      const Operand& operand =
          use.output ? task.outputs[use.slot] : task.inputs[use.slot];
      part = MatrixOf(view.layout(operand.layout));
      end = std::max(end, EndOf(part, operand.offset));
      tiles[operand.offset] = SizeOf(part);
    }
    if (tiles.empty()) continue;  // no task names it
    std::size_t size = 0;
    for (const auto& [offset, bytes] : tiles) size += bytes;
    if (!declaration.bytes && end > size) {
      throw std::runtime_error(view.graph_file() + ": the tiles of " +
                               declaration.name + " leave a hole in it");
    }
    tensor.bytes.resize(declaration.bytes.value_or(end));
    tensor.whole = WholeOf(tensor.bytes, part);
  }
}

Tile Megakernel::TileOf(const View& view, const Operand& operand) const {
  if (view.IsNull(operand.tensor)) return {};
  const std::string name(view.tensor_name(operand.tensor));
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) {
    throw std::runtime_error("names " + name + ", which is not declared");
  }
  Tile tile = MatrixOf(view.layout(operand.layout));
  const std::int64_t element = ElementBytes(tile.type);
  if (operand.offset < 0 || operand.offset % element != 0 ||
      EndOf(tile, operand.offset) > found->second.bytes.size()) {
    throw std::runtime_error("its tile does not lie within " + name);
  }
  tile.data = found->second.whole.data + operand.offset;
  if (tile.row_stride > 0) {
    tile.first_column = operand.offset / element % tile.row_stride;
  }
  return tile;
}

void Megakernel::Plan(const View& view) {
  Events events(view);
  for (std::size_t i = 0; i < view.task_count(); ++i) {
    const Task task = view.task(static_cast<TaskId>(i));
    const std::string type = view.TypeName(task.type);
    try {
      if (IsWork(task)) {
        events.Await(task);
        Planned planned;
        planned.kernel = KernelOf(type);
        planned.work.split = task.metadata.kv_idx;
        for (const Operand& operand : task.inputs) {
          planned.work.inputs.push_back(TileOf(view, operand));
        }
        for (const Operand& operand : task.outputs) {
          planned.work.outputs.push_back(TileOf(view, operand));
        }
        plan_.push_back(std::move(planned));
      }
      events.Trigger(task);
    } catch (const std::exception& error) {
      throw std::runtime_error(view.graph_file() + ": task " +
                               std::to_string(i) + ", " + type + ": " +
                               error.what());
    }
  }
}

void Megakernel::Launch(const Step& step) {
  for (const Planned& planned : plan_) planned.kernel(planned.work, step);
}

}  // namespace guarded_numerics
