// SPDX-License-Identifier: Apache-2.0
//
// What a task graph (.json) says: tasks, their operands, and events. A
// TaskGraph is immutable and compact: names and tile layouts are interned and
// all operands lie in one array.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/internal/large_pages.h"
#include "graph_coverage/model/ids.h"
#include "graph_coverage/model/span.h"

namespace graph_coverage {

// Data types as the task graph numbers them.
enum class DataType : std::uint16_t {
  kFp8 = 930,
  kFp16 = 940,
  kBf16 = 941,
  kF32 = 950,
  kI32 = 955,
  kU32 = 956,
  kI64 = 965,
  kUnknown = 999,
};
// Bytes of one element; 0 where the type is not known.
std::uint32_t ElementBytes(DataType type);
// "bf16", or the number.
std::string ToString(DataType type);

// The shape of a tile. Dims and strides in elements.
struct Layout {
  DataType data_type = DataType::kUnknown;
  // False in the fork whose operands carry block indices and no offset: then
  // Operand::offset holds bx | by << 21 | bz << 42.
  bool has_offset = true;
  Span<std::int64_t> dims;
  Span<std::int64_t> strides;

  friend bool operator==(const Layout& a, const Layout& b) {
    return a.data_type == b.data_type && a.has_offset == b.has_offset &&
           a.dims == b.dims && a.strides == b.strides;
  }
  friend bool operator!=(const Layout& a, const Layout& b) { return !(a == b); }
};

// One entry of a task's inputs or outputs: a tile of a tensor.
struct Operand {
  TensorId tensor{};
  LayoutId layout{};
  std::int64_t offset = 0;  // bytes from the start of the tensor

  friend bool operator==(const Operand& a, const Operand& b) {
    return a.tensor == b.tensor && a.layout == b.layout && a.offset == b.offset;
  }
  friend bool operator!=(const Operand& a, const Operand& b) {
    return !(a == b);
  }
};

// What tells the tasks of one operator apart. From F9 on the fields are views
// of one 8-byte word: compare Bits(), not fields. Absent fields are -1.
struct TaskMetadata {
  enum Key : std::uint8_t {
    kRequestId = 1,
    kKvIdx = 2,
    kMergeTaskOffset = 4,
    kExpertOffset = 8,
    kTaskOffset = 16,
  };
  std::int32_t request_id = -1;
  std::int32_t kv_idx = -1;
  std::int32_t merge_task_offset = -1;
  std::int32_t expert_offset = -1;
  std::int32_t task_offset = -1;
  std::uint8_t keys = 0;  // which keys the file has for this task

  // The word the kernel sees: request_id | kv_idx << 16 | merge << 32.
  std::uint64_t Bits() const;
};

// A task, as seen through a graph or a view; its operands live there.
struct Task {
  std::uint32_t type = 0;  // as numbered by this version; names: TypeBinding
  std::uint32_t variant = 0;
  EventId trigger;
  EventId dependent;
  TaskMetadata metadata;
  Span<Operand> inputs;
  Span<Operand> outputs;
};

inline constexpr std::uint32_t kTerminateType = 0;
inline constexpr std::uint32_t kBeginType = 10;

enum class EventType : std::uint16_t {
  kEmpty = 900,
  kLaunchTasks = 901,
  kLaunchMassiveTasks = 902,
  kLaunchDependentTasks = 903,
  kEndOfTaskGraph = 910,
  kTermination = 911,
  kInvalid = 999,
};

// A counter that tasks trigger and wait for. `last_task` is exclusive.
struct Event {
  EventType type = EventType::kInvalid;
  std::uint64_t num_triggers = 0;
  std::uint64_t first_task = 0;
  std::uint64_t last_task = 0;
};

// Which of the format's versions a file is written in, as far as it shows.
struct GraphFormat {
  bool event_objects = false;    // F0 to F2: {"gpu_offset":…,"event_pos":…}
  bool dependent_event = false;  // F1 on
  bool variant_id = false;       // F2 on
  // Keys that no known version has, as "task.colour", sorted.
  std::vector<std::string> unknown_keys;
};

class TaskGraph {
 public:
  TaskGraph() = default;
  TaskGraph(TaskGraph&&) = default;
  TaskGraph& operator=(TaskGraph&&) = default;
  TaskGraph(const TaskGraph&) = delete;
  TaskGraph& operator=(const TaskGraph&) = delete;

  const std::string& file() const { return file_; }
  const GraphFormat& format() const { return format_; }

  std::size_t task_count() const { return tasks_.size(); }
  // Precondition: Index(id) < task_count().
  Task task(TaskId id) const;

  std::size_t event_count() const { return events_.size(); }
  const Event& event(std::size_t index) const { return events_[index]; }

  Span<TaskId> first_tasks() const { return first_tasks_; }

  // Names that operands use, "nullptr" included, in order of appearance.
  std::size_t tensor_count() const { return names_.size(); }
  std::string_view tensor_name(TensorId id) const { return names_[Index(id)]; }

  std::size_t layout_count() const { return layouts_.size(); }
  Layout layout(LayoutId id) const;

  std::size_t operand_count() const { return operands_.size(); }

 private:
  friend class TaskGraphBuilder;

  struct TaskRecord {
    std::uint64_t first_operand;
    EventId trigger, dependent;
    std::uint32_t type, variant;
    std::uint32_t inputs, outputs;
    TaskMetadata metadata;
  };
  struct LayoutRecord {
    std::uint64_t first_extent;
    std::uint32_t dims, strides;
    DataType data_type;
    bool has_offset;
  };

  std::string file_;
  GraphFormat format_;
  std::vector<TaskRecord, LargePages<TaskRecord>> tasks_;
  std::vector<Operand, LargePages<Operand>> operands_;
  std::vector<LayoutRecord> layouts_;
  std::vector<std::int64_t> extents_;
  std::vector<Event> events_;
  std::vector<TaskId> first_tasks_;
  std::vector<std::string> names_;
};

// Called for each task by each rule: inline.
inline Task TaskGraph::task(TaskId id) const {
  const TaskRecord& record = tasks_[Index(id)];
  const Operand* first = operands_.data() + record.first_operand;
  return Task{record.type,
              record.variant,
              record.trigger,
              record.dependent,
              record.metadata,
              Span<Operand>(first, record.inputs),
              Span<Operand>(first + record.inputs, record.outputs)};
}

inline Layout TaskGraph::layout(LayoutId id) const {
  const LayoutRecord& record = layouts_[Index(id)];
  const std::int64_t* first = extents_.data() + record.first_extent;
  return Layout{record.data_type, record.has_offset,
                Span<std::int64_t>(first, record.dims),
                Span<std::int64_t>(first + record.dims, record.strides)};
}

// GoogleTest prints these types with one line each.
void PrintTo(DataType type, std::ostream* out);
void PrintTo(const Layout& layout, std::ostream* out);
void PrintTo(const Operand& operand, std::ostream* out);
void PrintTo(const TaskMetadata& metadata, std::ostream* out);
void PrintTo(const Task& task, std::ostream* out);
void PrintTo(EventType type, std::ostream* out);
void PrintTo(const Event& event, std::ostream* out);
void PrintTo(const GraphFormat& format, std::ostream* out);
void PrintTo(const TaskGraph& graph, std::ostream* out);

}  // namespace graph_coverage
