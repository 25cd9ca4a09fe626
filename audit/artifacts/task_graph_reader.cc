// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/task_graph_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "audit/artifacts/json_scanner.h"
#include "audit/artifacts/task_graph_builder.h"
#include "audit/artifacts/utf8.h"

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
// Unknown keys that are listed, and the most bytes of one that are shown.
constexpr std::size_t kMaxUnknownKeys = 100;
constexpr std::size_t kMaxUnknownKey = 64;

// The keys of one kind of object.
struct KeyList {
  const char* kind;     // "task"
  const char* article;  // "a task"
  int depth;  // nesting of such an object, as JsonScanner::Skip counts it
  std::uint32_t required;  // a bit a key
  std::size_t count;
  std::array<QuotedKey, 14> keys;
};

enum TopKey { kAllEvents, kAllTasks, kFirstTasks };
constexpr KeyList kTopKeys = {
    "graph", "a graph", 1,
    0b111,   3,         {"\"all_events\"", "\"all_tasks\"", "\"first_tasks\""}};

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

// The keys of one kind of object and the order in which they came last time:
// objects of a kind follow one order, so the next key is nearly always known.
class KeyOrder {
 public:
  explicit KeyOrder(const KeyList& list) : list_(list) {
    for (std::size_t i = 0; i < list.count; ++i) {
      after_[i] = static_cast<std::uint8_t>((i + 1) % list.count);
    }
  }
  const KeyList& list() const { return list_; }
  // The key that followed `key` last time; `list().count` asks for the first.
  std::size_t After(std::size_t key) const { return after_[key]; }
  void Learn(std::size_t key, std::size_t next) {
    after_[key] = static_cast<std::uint8_t>(next);
  }

 private:
  const KeyList& list_;
  std::array<std::uint8_t, 15> after_{};
};

// Walks the members of one object: known keys by number, unknown ones noted,
// checked and skipped; duplicates and absent required keys are errors.
class Members {
 public:
  static constexpr std::size_t kEnd = 99;

  Members(JsonScanner& in, KeyOrder& order, std::set<std::string>& unknown)
      : in_(in),
        order_(order),
        unknown_(unknown),
        previous_(order.list().count) {
    start_ = in_.Mark();
    in_.Expect('{', "an object, \"{\"");
    open_ = !in_.Consume('}');
  }

  // The next known key, or kEnd. The scanner stands at its value.
  std::size_t Next() {
    while (open_ && (first_ || in_.Next('}'))) {
      first_ = false;
      const std::size_t key = Key();
      in_.Expect(':', "\":\"");
      if (key != kEnd) return key;
      in_.Skip(order_.list().depth);
    }
    CheckRequired();
    return kEnd;
  }

  bool Seen(std::size_t key) const { return (seen_ >> key & 1u) != 0; }

  // Fails at the start of the object.
  [[noreturn]] void FailAtStart(const std::string& found,
                                const std::string& expected) {
    in_.FailAt(start_, found, expected);
  }

 private:
  std::size_t Key() {
    const KeyList& list = order_.list();
    const std::size_t guess = order_.After(previous_);
    if (in_.ConsumeKey(list.keys[guess])) {
      if (Seen(guess))
        FailTwice(in_.Mark() - list.keys[guess].quoted().size(),
                  list.keys[guess].name());
      seen_ |= 1u << guess;
      previous_ = guess;
      return guess;
    }
    const std::uint64_t at = in_.Mark();
    const std::string_view text = in_.String("a key");
    for (std::size_t i = 0; i < list.count; ++i) {
      if (list.keys[i].name() != text) continue;
      if (Seen(i)) FailTwice(at, text);
      order_.Learn(previous_, i);
      seen_ |= 1u << i;
      previous_ = i;
      return i;
    }
    if (std::find(others_.begin(), others_.end(), text) != others_.end()) {
      FailTwice(at, text);
    }
    if (others_.size() >= kMaxUnknownKeys) {
      in_.FailAt(
          at, fmt::format("the key \"{}\"", Printable(text)),
          fmt::format("at most {} unknown keys in an object", kMaxUnknownKeys));
    }
    others_.emplace_back(text);
    if (unknown_.size() < kMaxUnknownKeys) {
      unknown_.insert(fmt::format("{}.{}", list.kind,
                                  Printable(text.substr(0, kMaxUnknownKey))));
    }
    return kEnd;
  }

  [[noreturn]] void FailTwice(std::uint64_t at, std::string_view key) {
    in_.FailAt(at, fmt::format("the key \"{}\" a second time", Printable(key)),
               "each key once in an object");
  }

  void CheckRequired() {
    const KeyList& list = order_.list();
    const std::uint32_t absent = list.required & ~seen_;
    if (absent == 0) return;
    std::size_t key = 0;
    while ((absent >> key & 1u) == 0) ++key;
    FailAtStart(
        fmt::format("{} without the key {}", list.article,
                    list.keys[key].quoted()),
        fmt::format("{} in every {}", list.keys[key].quoted(), list.kind));
  }

  JsonScanner& in_;
  KeyOrder& order_;
  std::set<std::string>& unknown_;
  std::size_t previous_;
  std::uint64_t start_ = 0;
  std::uint32_t seen_ = 0;
  bool open_ = false;
  bool first_ = true;
  std::vector<std::string> others_;
};

class Reader {
 public:
  explicit Reader(ByteSource& source)
      : file_(source.name()), in_(source), out_(source.name(), source.size()) {}

  TaskGraph Read() {
    Members members(in_, top_, unknown_);
    for (std::size_t key; (key = members.Next()) != Members::kEnd;) {
      switch (key) {
        case kAllEvents:
          ReadArray([this] { ReadEvent(); });
          break;
        case kAllTasks:
          ReadArray([this] { ReadTask(); });
          break;
        case kFirstTasks:
          ReadArray([this] {
            out_.AddFirstTask(TaskId(in_.Unsigned("a task id", kMaxU32)));
          });
          break;
      }
    }
    in_.ExpectEnd();
    if (!has_work_) {
      throw InputError::Of(file_, "has no tasks: there is nothing to audit");
    }
    if (out_.operand_count() == 0) {
      throw InputError::Of(file_, "has no operands: there is nothing to audit");
    }
    out_.format().unknown_keys.assign(unknown_.begin(), unknown_.end());
    return out_.Build();
  }

 private:
  template <typename Element>
  void ReadArray(const Element& element) {
    in_.Expect('[', "an array, \"[\"");
    if (in_.Consume(']')) return;
    do {
      element();
    } while (in_.Next(']'));
  }

  void ReadEvent() {
    Event event;
    Members members(in_, event_keys_, unknown_);
    for (std::size_t key; (key = members.Next()) != Members::kEnd;) {
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

  void ReadTask() {
    Task task;
    Members members(in_, task_keys_, unknown_);
    for (std::size_t key; (key = members.Next()) != Members::kEnd;) {
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
    if (out_.task_count() >= kMaxU32 || out_.operand_count() >= kMaxU32) {
      throw InputError::Of(file_, "has more than 4294967295 tasks or operands");
    }
    has_work_ |= task.type != kTerminateType && task.type != kBeginType;
    out_.AddTask(task);
  }

  // The four-byte words of the metadata are written signed or unsigned.
  std::int32_t ReadMetadata() {
    return static_cast<std::int32_t>(in_.Integer(
        "an integer of 32 bits", std::numeric_limits<std::int32_t>::min(),
        static_cast<std::int64_t>(kMaxU32)));
  }

  EventId ReadEventId() {
    if (in_.Peek() != '{') {
      return EventId(in_.Unsigned("an event id", kMaxU64));
    }
    out_.format().event_objects = true;
    std::uint32_t index = 0;
    std::uint16_t gpu = 0;
    bool nvshmem = false;
    Members members(in_, event_id_keys_, unknown_);
    for (std::size_t key; (key = members.Next()) != Members::kEnd;) {
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

  void ReadOperands(bool output) {
    if (in_.ConsumeNull()) return;
    std::size_t slots = 0;
    ReadArray([this, output, &slots] {
      if (++slots > kMaxSlots) {
        in_.Fail(fmt::format("at most {} operands a task", kMaxSlots));
      }
      const Operand operand = ReadOperand();
      output ? out_.AddOutput(operand) : out_.AddInput(operand);
    });
  }

  Operand ReadOperand() {
    Operand operand;
    DataType data_type = DataType::kUnknown;
    std::int64_t block = 0;
    Members members(in_, operand_keys_, unknown_);
    for (std::size_t key; (key = members.Next()) != Members::kEnd;) {
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

  void ReadExtents(const char* expected, std::int64_t least,
                   std::vector<std::int64_t>* extents) {
    extents->clear();
    ReadArray([this, expected, least, extents] {
      if (extents->size() >= kMaxDims) {
        in_.Fail(fmt::format("at most {} dims or strides", kMaxDims));
      }
      extents->push_back(in_.Integer(expected, least, kMaxI64));
    });
  }

  std::string file_;
  JsonScanner in_;
  TaskGraphBuilder out_;
  std::set<std::string> unknown_;
  KeyOrder top_{kTopKeys};
  KeyOrder event_keys_{kEventKeys};
  KeyOrder task_keys_{kTaskKeys};
  KeyOrder operand_keys_{kOperandKeys};
  KeyOrder event_id_keys_{kEventIdKeys};
  bool has_work_ = false;
  std::vector<std::int64_t> dims_;
  std::vector<std::int64_t> strides_;
};

}  // namespace

TaskGraph ReadTaskGraph(ByteSource& source) { return Reader(source).Read(); }

}  // namespace graph_coverage
