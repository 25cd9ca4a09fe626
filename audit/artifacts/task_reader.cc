// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/task_reader.h"

#include <fmt/format.h>

#include <limits>

namespace graph_coverage {
namespace {

constexpr std::uint64_t kMaxU16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t kMaxU32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMaxU64 = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t kMinI64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMaxI64 = std::numeric_limits<std::int64_t>::max();

constexpr std::size_t kMaxSlots = 65535;
constexpr std::size_t kMaxDims = 32;
constexpr std::uint64_t kMaxBlock = (1u << 21) - 1;  // three fit in an offset

enum EventKey { kEventType, kFirstTaskId, kLastTaskId, kNumTriggers };
constexpr KeyList kEventKeys = {"event",
                                "an event",
                                3,
                                0b1111,
                                4,
                                {"\"event_type\"", "\"first_task_id\"",
                                 "\"last_task_id\"", "\"num_triggers\""}};

enum TaskKey {
  kDependentEvent,
  kExpertOffset,
  kInputs,
  kIsTailTask,
  kKvIdx,
  kMergeTaskOffset,
  kOutputs,
  kRequestId,
  kSmemAlignment,
  kSmemRegions,
  kTaskOffset,
  kTaskType,
  kTriggerEvent,
  kVariantId,
};
constexpr KeyList kTaskKeys = {
    "task",
    "a task",
    3,
    1u << kTaskType,
    14,
    {"\"dependent_event\"", "\"expert_offset\"", "\"inputs\"",
     "\"is_tail_task\"", "\"kv_idx\"", "\"merge_task_offset\"", "\"outputs\"",
     "\"request_id\"", "\"smem_alignment\"", "\"smem_regions\"",
     "\"task_offset\"", "\"task_type\"", "\"trigger_event\"",
     "\"variant_id\""}};

enum OperandKey {
  kBasePtr,
  kBx,
  kBy,
  kBz,
  kDataType,
  kDims,
  kOffset,
  kStrides
};
constexpr KeyList kOperandKeys = {
    "operand",
    "an operand",
    5,
    1u << kBasePtr | 1u << kDataType | 1u << kDims | 1u << kStrides,
    8,
    {"\"base_ptr\"", "\"bx\"", "\"by\"", "\"bz\"", "\"data_type\"", "\"dims\"",
     "\"offset\"", "\"strides\""}};

enum EventIdKey { kEventPos, kGpuOffset, kIsNvshmem };
constexpr KeyList kEventIdKeys = {
    "event id", "an event id",
    4,          1u << kEventPos,
    3,          {"\"event_pos\"", "\"gpu_offset\"", "\"is_nvshmem\""}};

}  // namespace

TaskReader::TaskReader(JsonScanner& in, TaskGraphBuilder& out,
                       std::set<std::string>& unknown)
    : in_(in),
      out_(out),
      unknown_(unknown),
      event_keys_(kEventKeys),
      task_keys_(kTaskKeys),
      operand_keys_(kOperandKeys),
      event_id_keys_(kEventIdKeys) {}

void TaskReader::ReadEvent() {
  Event event;
  JsonMembers members(in_, event_keys_, unknown_);
  for (std::size_t key; (key = members.Next()) != JsonMembers::kEnd;) {
    switch (key) {
      case kEventType:
        event.type = static_cast<EventType>(
            in_.Unsigned("an event type, 0 to 65535", kMaxU16));
        break;
      case kFirstTaskId:
        event.first_task = in_.Unsigned("a task id", kMaxU64);
        break;
      case kLastTaskId:
        event.last_task = in_.Unsigned("a task id", kMaxU64);
        break;
      case kNumTriggers:
        event.num_triggers = in_.Unsigned("a number of triggers", kMaxU64);
        break;
    }
  }
  out_.AddEvent(event);
}

void TaskReader::ReadTask() {
  Task task;
  JsonMembers members(in_, task_keys_, unknown_);
  for (std::size_t key; (key = members.Next()) != JsonMembers::kEnd;) {
    switch (key) {
      case kDependentEvent:
        task.dependent = ReadEventId();
        out_.format().dependent_event = true;
        break;
      case kTriggerEvent:
        task.trigger = ReadEventId();
        break;
      case kInputs:
        ReadOperands(false);
        break;
      case kOutputs:
        ReadOperands(true);
        break;
      case kTaskType:
        task.type = static_cast<std::uint32_t>(
            in_.Unsigned("a task type, 0 to 4294967295", kMaxU32));
        break;
      case kVariantId:
        task.variant = static_cast<std::uint32_t>(
            in_.Unsigned("a variant, 0 to 4294967295", kMaxU32));
        out_.format().variant_id = true;
        break;
      case kRequestId:
        task.metadata.request_id = ReadMetadata();
        task.metadata.keys |= TaskMetadata::kRequestId;
        break;
      case kKvIdx:
        task.metadata.kv_idx = ReadMetadata();
        task.metadata.keys |= TaskMetadata::kKvIdx;
        break;
      case kMergeTaskOffset:
        task.metadata.merge_task_offset = ReadMetadata();
        task.metadata.keys |= TaskMetadata::kMergeTaskOffset;
        break;
      case kExpertOffset:
        task.metadata.expert_offset = ReadMetadata();
        task.metadata.keys |= TaskMetadata::kExpertOffset;
        break;
      case kTaskOffset:
        task.metadata.task_offset = ReadMetadata();
        task.metadata.keys |= TaskMetadata::kTaskOffset;
        break;
      default:  // known to some fork, of no meaning for wiring
        in_.Skip(kTaskKeys.depth);
    }
  }
  has_work_ |= task.type != kTerminateType && task.type != kBeginType;
  out_.AddTask(task);
}

// The four-byte words of the metadata are written signed or unsigned.
std::int32_t TaskReader::ReadMetadata() {
  return static_cast<std::int32_t>(in_.Integer(
      "an integer of 32 bits", std::numeric_limits<std::int32_t>::min(),
      static_cast<std::int64_t>(kMaxU32)));
}

EventId TaskReader::ReadEventId() {
  if (in_.Peek() != '{') {
    return EventId(in_.Unsigned("an event id", kMaxU64));
  }
  out_.format().event_objects = true;
  std::uint32_t index = 0;
  std::uint16_t gpu = 0;
  bool nvshmem = false;
  JsonMembers members(in_, event_id_keys_, unknown_);
  for (std::size_t key; (key = members.Next()) != JsonMembers::kEnd;) {
    switch (key) {
      case kEventPos:
        index = static_cast<std::uint32_t>(
            in_.Unsigned("an event index, 0 to 4294967295", kMaxU32));
        break;
      case kGpuOffset:
        gpu = static_cast<std::uint16_t>(
            in_.Unsigned("a rank, 0 to 65535", kMaxU16));
        break;
      case kIsNvshmem:
        nvshmem = in_.Boolean("true or false");
        break;
    }
  }
  return EventId::Of(index, gpu, nvshmem);
}

void TaskReader::ReadOperands(bool output) {
  if (in_.ConsumeNull()) return;
  std::size_t slots = 0;
  ReadArray(in_, [this, output, &slots] {
    if (++slots > kMaxSlots) {
      in_.Fail(fmt::format("at most {} operands a task", kMaxSlots));
    }
    const Operand operand = ReadOperand();
    output ? out_.AddOutput(operand) : out_.AddInput(operand);
  });
}

Operand TaskReader::ReadOperand() {
  Operand operand;
  DataType data_type = DataType::kUnknown;
  std::int64_t block = 0;
  JsonMembers members(in_, operand_keys_, unknown_);
  for (std::size_t key; (key = members.Next()) != JsonMembers::kEnd;) {
    switch (key) {
      case kBasePtr:
        operand.tensor = out_.Name(in_.String("a tensor name"));
        break;
      case kBx:
      case kBy:
      case kBz:
        block |= static_cast<std::int64_t>(
                     in_.Unsigned("a block index, 0 to 2097151", kMaxBlock))
                 << 21 * (key - kBx);
        break;
      case kDataType:
        data_type = static_cast<DataType>(
            in_.Unsigned("a data type, 0 to 65535", kMaxU16));
        break;
      case kDims:
        ReadExtents("a dim of 0 or more elements", 0, &dims_);
        break;
      case kOffset:
        operand.offset =
            in_.Integer("an offset in bytes, 64 bits", kMinI64, kMaxI64);
        break;
      case kStrides:
        ReadExtents("a stride in elements, 64 bits", kMinI64, &strides_);
        break;
    }
  }
  const bool has_offset = members.Seen(kOffset);
  if (!has_offset) {
    if (!members.Seen(kBx)) {
      members.FailAtStart("an operand with neither \"offset\" nor \"bx\"",
                          "the place of the tile in its tensor");
    }
    operand.offset = block;
  }
  operand.layout = out_.Shape(Layout{data_type, has_offset, dims_, strides_});
  return operand;
}

void TaskReader::ReadExtents(const char* expected, std::int64_t least,
                             std::vector<std::int64_t>* extents) {
  extents->clear();
  ReadArray(in_, [this, expected, least, extents] {
    if (extents->size() >= kMaxDims) {
      in_.Fail(fmt::format("at most {} dims or strides", kMaxDims));
    }
    extents->push_back(in_.Integer(expected, least, kMaxI64));
  });
}

}  // namespace graph_coverage
