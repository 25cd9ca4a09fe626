// SPDX-License-Identifier: Apache-2.0
#include "generators/synthetic/task_graph_writer.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>

#include "generators/synthetic/task_types.h"
#include "generators/synthetic/tiling.h"
#include "graph_coverage/model/ids.h"

namespace graph_coverage::synthetic {
namespace {

using BlockIndex = std::array<std::int64_t, kGridAxes>;

void AppendNumbers(std::string& text, const char* key,
                   const std::vector<std::int64_t>& numbers) {
  fmt::format_to(std::back_inserter(text), "          \"{}\": [", key);
  const char* separator = "\n            ";
  for (const std::int64_t number : numbers) {
    fmt::format_to(std::back_inserter(text), "{}{}", separator, number);
    separator = ",\n            ";
  }
  text += numbers.empty() ? "]" : "\n          ]";
}

// The text of one operand, but for the place of each task's tile.
class OperandText {
 public:
  OperandText(const Program& program, const Operator& op, const Use& use,
              std::uint32_t rank, const FormatFacts& facts)
      : use_(use),
        blocks_(facts.block_offsets),
        placer_(use.tensor == kNoTensor ? std::optional<TilePlacer>()
                                        : TilePlacer(program, op, use, rank)) {
    if (!placer_) {
      Add("nullptr", DataType::kUnknown, {}, {});
      return;
    }
    const Tensor& tensor = program.tensor(use.tensor);
    const std::vector<std::int64_t> dims = TileDims(program, op, use);
    if (!tensor.fused())
      Add(tensor.name, tensor.data_type, dims, tensor.strides);
    for (const Piece& piece : tensor.pieces) {
      if (tensor.fused()) {
        Add(piece.name, tensor.data_type, dims, tensor.strides);
      }
    }
  }

  void Append(std::string& text, const BlockIndex& block) const {
    const TilePlace place = placer_ ? placer_->At(block) : TilePlace{};
    const Text& parts = texts_[place.piece];
    if (!blocks_) {
      text += parts.head;
      text += parts.shape;
      const fmt::format_int offset(place.offset);
      text.append(offset.data(), offset.size());
    } else {
      text += parts.head;
      AppendBlock(text, block);
      text += parts.shape;
    }
    text += parts.tail;
  }

 private:
  struct Text {
    std::string head, shape, tail;
  };

  void Add(const std::string& name, DataType type,
           const std::vector<std::int64_t>& dims,
           const std::vector<std::int64_t>& strides) {
    Text parts;
    parts.head =
        fmt::format("        {{\n          \"base_ptr\": \"{}\",\n", name);
    parts.shape = fmt::format("          \"data_type\": {},\n",
                              static_cast<unsigned>(type));
    AppendNumbers(parts.shape, "dims", dims);
    parts.shape += ",\n";
    std::string& rest = blocks_ ? parts.shape : parts.tail;
    if (!blocks_) {
      parts.shape += "          \"offset\": ";
      rest += ",\n";
    }
    AppendNumbers(rest, "strides", strides);
    rest += "\n        }";
    texts_.push_back(std::move(parts));
  }

  void AppendBlock(std::string& text, const BlockIndex& block) const {
    static constexpr const char* kKeys[] = {"bx", "by", "bz"};
    for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
      const bool cut = use_.split[axis] != Use::kWhole;
      fmt::format_to(std::back_inserter(text), "          \"{}\": {},\n",
                     kKeys[axis], cut ? block[axis] : 0);
    }
  }

  Use use_;
  bool blocks_;
  std::optional<TilePlacer> placer_;
  std::vector<Text> texts_;  // by piece
};

// The metadata keys as one task has them; absent parts of the word are -1.
struct Metadata {
  std::int64_t request_id = -1;
  std::int64_t kv_idx = -1;
  std::int64_t merge_task_offset = -1;
  std::int64_t expert_offset = -1;
  std::int64_t task_offset = -1;
};

Metadata MetadataOf(Indexing indexing, const BlockIndex& block,
                    const FormatFacts& facts) {
  Metadata metadata;
  const std::int64_t request =
      indexing == Indexing::kRequest ? block[1] : block[0];
  metadata.request_id = request;
  if (!facts.kv_idx) {
    if (indexing == Indexing::kExpert) metadata.expert_offset = request;
    return metadata;
  }
  // Two halves of a word, of which an unset second one is all ones.
  constexpr std::uint32_t kUnset = 0xffff;
  std::uint32_t second = kUnset;
  if (indexing == Indexing::kExpert) second = 0;
  if (indexing == Indexing::kSplit || indexing == Indexing::kMerge) {
    second = static_cast<std::uint32_t>(block[1]);
  }
  metadata.kv_idx = second;
  if (indexing == Indexing::kMerge) metadata.merge_task_offset = block[2];
  const auto word = static_cast<std::int32_t>(
      static_cast<std::uint32_t>(request) | second << 16);
  metadata.expert_offset = word;
  metadata.task_offset = word;
  return metadata;
}

class Writer {
 public:
  Writer(const Program& program, const Schedule& schedule,
         const Variants& variants, std::uint32_t rank, FormatVersion version,
         Sink& sink)
      : program_(program),
        schedule_(schedule),
        variants_(variants),
        rank_(rank),
        facts_(FactsOf(version)),
        sink_(sink),
        text_(sink.text()) {}

  void Run() {
    WriteEvents();
    WriteTasks();
    WriteFirstTasks();
    sink_.Flush();
  }

 private:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format,
                   std::forward<Args>(args)...);
  }

  // The oldest version has no dependent events: an event says which tasks it
  // launches, few or many.
  EventType TypeOf(const Event& event) const {
    if (facts_.dependent_event || event.first_task == event.last_task) {
      return event.type;
    }
    constexpr std::uint64_t kMany = 8;
    return event.last_task - event.first_task < kMany
               ? EventType::kLaunchTasks
               : EventType::kLaunchMassiveTasks;
  }

  void WriteEvents() {
    text_ += "{\n  \"all_events\": [\n";
    std::vector<Event> events = schedule_.events;
    if (!facts_.dependent_event) {
      events[1].first_task = schedule_.first_tasks.front();
      events[1].last_task = schedule_.first_tasks.back() + 1;
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
      const Event& event = events[i];
      Add("    {{\n      \"event_type\": {},\n      \"first_task_id\": {},\n"
          "      \"last_task_id\": {},\n      \"num_triggers\": {}\n    }}{}\n",
          static_cast<unsigned>(TypeOf(event)), event.first_task,
          event.last_task, event.num_triggers,
          i + 1 < events.size() ? "," : "");
      sink_.Relieve();
    }
    text_ += "  ],\n";
  }

  void WriteTasks() {
    text_ += "  \"all_tasks\": [\n";
    WriteTask(kTerminateType, 0, EventId(), EventId(), {}, {}, {}, {});
    text_ += ",\n";
    WriteTask(kBeginType, 0, EventId(), Local(1), {}, {}, {}, {});
    for (std::size_t i = 0; i < program_.operators().size(); ++i) {
      WriteOperator(i);
    }
    text_ += "\n  ],\n";
  }

  void WriteOperator(std::size_t index) {
    const Operator& op = program_.operators()[index];
    const ScheduledOperator& planned = schedule_.operators[index];
    const std::uint32_t type = NumberOf(program_, op.type);
    std::vector<OperandText> inputs;
    std::vector<OperandText> outputs;
    for (const Use& use : op.inputs) {
      inputs.emplace_back(program_, op, use, rank_, facts_);
    }
    for (const Use& use : op.outputs) {
      outputs.emplace_back(program_, op, use, rank_, facts_);
    }
    for (std::int64_t task = 0; task < planned.tasks; ++task) {
      const BlockIndex block = Block(op, task);
      const EventId trigger = Trigger(op, planned.trigger.Of(task));
      const EventId dependent =
          planned.dependent.none
              ? EventId()
              : EventId::Of(planned.dependent.Of(task),
                            static_cast<std::uint16_t>(rank_),
                            planned.waits_remote);
      text_ += ",\n";
      WriteTask(type, variants_.of[index], dependent, trigger,
                MetadataOf(op.indexing, block, facts_), inputs, outputs, block);
      sink_.Relieve();
    }
  }

  EventId Local(std::uint32_t index) const {
    return EventId::Of(index, static_cast<std::uint16_t>(rank_));
  }

  EventId Trigger(const Operator& op, std::uint32_t event) const {
    if (!IsRemote(op.type)) return Local(event);
    const std::uint32_t other = (rank_ + 1) % program_.ranks;
    return EventId::Of(event, static_cast<std::uint16_t>(other), true);
  }

  void WriteTask(std::uint32_t type, std::uint32_t variant, EventId dependent,
                 EventId trigger, const Metadata& metadata,
                 const std::vector<OperandText>& inputs,
                 const std::vector<OperandText>& outputs,
                 const BlockIndex& block) {
    text_ += "    {\n";
    if (facts_.dependent_event) WriteEventId("dependent_event", dependent);
    if (facts_.expert_offset) {
      WriteNumber("expert_offset", metadata.expert_offset);
    }
    WriteOperands("inputs", inputs, block);
    if (facts_.tail_tasks) text_ += "      \"is_tail_task\": false,\n";
    if (facts_.kv_idx) {
      WriteNumber("kv_idx", metadata.kv_idx);
      WriteNumber("merge_task_offset", metadata.merge_task_offset);
    }
    WriteOperands("outputs", outputs, block);
    if (facts_.request_id) WriteNumber("request_id", metadata.request_id);
    if (facts_.shared_memory) {
      text_ += "      \"smem_alignment\": 1024,\n";
      text_ += "      \"smem_regions\": [],\n";
    }
    if (facts_.task_offset) WriteNumber("task_offset", metadata.task_offset);
    WriteNumber("task_type", type);
    WriteEventId("trigger_event", trigger);
    if (facts_.variant_id) WriteNumber("variant_id", variant);
    text_.resize(text_.size() - 2);  // the last comma
    text_ += "\n    }";
  }

  template <typename Number>
  void WriteNumber(const char* key, Number number) {
    text_ += "      \"";
    text_ += key;
    text_ += "\": ";
    const fmt::format_int digits(number);
    text_.append(digits.data(), digits.size());
    text_ += ",\n";
  }

  void WriteEventId(const char* key, EventId id) {
    if (facts_.plain_events || id.none()) {
      WriteNumber(key, id.raw());
      return;
    }
    Add("      \"{}\": {{\n        \"event_pos\": {},\n"
        "        \"gpu_offset\": {},\n        \"is_nvshmem\": {}\n"
        "      }},\n",
        key, id.index(), id.gpu(), id.nvshmem());
  }

  void WriteOperands(const char* key, const std::vector<OperandText>& operands,
                     const BlockIndex& block) {
    text_ += "      \"";
    text_ += key;
    if (operands.empty()) {
      text_ += "\": null,\n";
      return;
    }
    text_ += "\": [\n";
    for (const OperandText& operand : operands) {
      operand.Append(text_, block);
      text_ += ",\n";
    }
    text_.resize(text_.size() - 2);
    text_ += "\n      ],\n";
  }

  void WriteFirstTasks() {
    text_ += "  \"first_tasks\": [\n";
    for (const std::uint64_t task : schedule_.first_tasks) {
      Add("    {},\n", task);
    }
    text_.resize(text_.size() - 2);
    text_ += "\n  ]\n}";
  }

  const Program& program_;
  const Schedule& schedule_;
  const Variants& variants_;
  const std::uint32_t rank_;
  const FormatFacts facts_;
  Sink& sink_;
  std::string& text_;
};

}  // namespace

void WriteTaskGraph(const Program& program, const Schedule& schedule,
                    const Variants& variants, std::uint32_t rank,
                    FormatVersion version, Sink& sink) {
  Writer(program, schedule, variants, rank, version, sink).Run();
}

}  // namespace graph_coverage::synthetic
