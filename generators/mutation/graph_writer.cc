// SPDX-License-Identifier: Apache-2.0
#include "generators/mutation/graph_writer.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace graph_coverage {
namespace {

class GraphWriter {
 public:
  GraphWriter(const View& view, bool compact) : view_(view), compact_(compact) {
    for (const std::string& key : view.format().unknown_keys) {
      unknown_.push_back(key);
    }
    names_.reserve(view.tensor_count());
    for (std::size_t i = 0; i < view.tensor_count(); ++i) {
      names_.push_back(
          nlohmann::json(view.tensor_name(TensorId(i)))
              .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
  }

  std::string Run() {
    Open('{');
    Array("all_events", view_.event_count(),
          [this](std::size_t i) { WriteEvent(view_.event(i)); });
    Array("all_tasks", view_.task_count(),
          [this](std::size_t i) { WriteTask(view_.task(TaskId(i))); });
    const Span<TaskId> first = view_.first_tasks();
    Array("first_tasks", first.size(),
          [this, first](std::size_t i) { Number(Index(first[i])); });
    WriteUnknown("graph");
    Close('}');
    return std::move(text_);
  }

 private:
  void NewLine() {
    if (compact_) return;
    text_ += '\n';
    text_.append(2 * depth_, ' ');
  }

  // Before a member or an element.
  void Next() {
    if (!first_) text_ += ',';
    first_ = false;
    NewLine();
  }

  void Open(char bracket) {
    text_ += bracket;
    ++depth_;
    first_ = true;
  }

  void Close(char bracket) {
    --depth_;
    if (!first_) NewLine();
    text_ += bracket;
    first_ = false;
  }

  void Key(std::string_view key) {
    Next();
    text_ += nlohmann::json(key).dump();
    text_ += compact_ ? ":" : ": ";
  }

  template <typename T>
  void Number(T number) {
    const fmt::format_int digits(number);
    text_.append(digits.data(), digits.size());
  }

  template <typename T>
  void Member(std::string_view key, T number) {
    Key(key);
    Number(number);
  }

  template <typename Element>
  void Array(std::string_view key, std::size_t count, const Element& element) {
    Key(key);
    Open('[');
    for (std::size_t i = 0; i < count; ++i) {
      Next();
      element(i);
    }
    Close(']');
  }

  // The keys of that kind that are not written yet.
  void WriteUnknown(std::string_view kind) {
    for (auto key = unknown_.begin(); key != unknown_.end();) {
      const std::size_t dot = key->find('.');
      if (key->substr(0, dot) != kind) {
        ++key;
        continue;
      }
      Key(key->substr(dot + 1));
      text_ += "null";
      key = unknown_.erase(key);
    }
  }

  void WriteEvent(const Event& event) {
    Open('{');
    Member("event_type", static_cast<unsigned>(event.type));
    Member("first_task_id", event.first_task);
    Member("last_task_id", event.last_task);
    Member("num_triggers", event.num_triggers);
    WriteUnknown("event");
    Close('}');
  }

  void WriteEventId(std::string_view key, EventId id) {
    Key(key);
    if (!view_.format().event_objects || id.none()) {
      Number(id.raw());
      return;
    }
    Open('{');
    Member("event_pos", id.index());
    Member("gpu_offset", static_cast<unsigned>(id.gpu()));
    Key("is_nvshmem");
    text_ += id.nvshmem() ? "true" : "false";
    WriteUnknown("event id");
    Close('}');
  }

  void WriteMetadata(const TaskMetadata& metadata) {
    const auto member = [&](TaskMetadata::Key bit, std::string_view key,
                            std::int32_t value) {
      if ((metadata.keys & bit) != 0) Member(key, value);
    };
    member(TaskMetadata::kExpertOffset, "expert_offset",
           metadata.expert_offset);
    member(TaskMetadata::kKvIdx, "kv_idx", metadata.kv_idx);
    member(TaskMetadata::kMergeTaskOffset, "merge_task_offset",
           metadata.merge_task_offset);
    member(TaskMetadata::kRequestId, "request_id", metadata.request_id);
    member(TaskMetadata::kTaskOffset, "task_offset", metadata.task_offset);
  }

  void WriteTask(const Task& task) {
    Open('{');
    if (view_.format().dependent_event) {
      WriteEventId("dependent_event", task.dependent);
    }
    WriteOperands("inputs", task.inputs);
    WriteMetadata(task.metadata);
    WriteOperands("outputs", task.outputs);
    Member("task_type", task.type);
    WriteEventId("trigger_event", task.trigger);
    if (view_.format().variant_id) Member("variant_id", task.variant);
    WriteUnknown("task");
    Close('}');
  }

  void WriteOperands(std::string_view key, Span<Operand> operands) {
    if (operands.empty()) {
      Key(key);
      text_ += "null";
      return;
    }
    Array(key, operands.size(),
          [this, operands](std::size_t i) { WriteOperand(operands[i]); });
  }

  void WriteOperand(const Operand& operand) {
    const Layout layout = view_.layout(operand.layout);
    Open('{');
    Key("base_ptr");
    text_ += names_[Index(operand.tensor)];
    if (!layout.has_offset) {
      constexpr std::int64_t kMask = (std::int64_t{1} << 21) - 1;
      Member("bx", operand.offset & kMask);
      Member("by", operand.offset >> 21 & kMask);
      Member("bz", operand.offset >> 42 & kMask);
    }
    Member("data_type", static_cast<unsigned>(layout.data_type));
    WriteExtents("dims", layout.dims);
    if (layout.has_offset) Member("offset", operand.offset);
    WriteExtents("strides", layout.strides);
    WriteUnknown("operand");
    Close('}');
  }

  void WriteExtents(std::string_view key, Span<std::int64_t> extents) {
    Array(key, extents.size(),
          [this, extents](std::size_t i) { Number(extents[i]); });
  }

  const View& view_;
  const bool compact_;
  std::vector<std::string> unknown_;
  std::vector<std::string> names_;  // as JSON strings
  std::string text_;
  std::size_t depth_ = 0;
  bool first_ = true;
};

}  // namespace

std::string GraphText(const View& view, bool compact) {
  return GraphWriter(view, compact).Run();
}

}  // namespace graph_coverage
