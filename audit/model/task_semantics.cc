// SPDX-License-Identifier: Apache-2.0
#include "audit/model/task_semantics.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "audit/artifacts/json_document.h"
#include "audit/model/built_in_semantics.h"

namespace graph_coverage {
namespace {

// A whole number at the end of `text`, after `skip` characters.
std::optional<std::uint32_t> NumberOf(std::string_view text) {
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || last != end) return std::nullopt;
  return number;
}

std::optional<Slot> SlotOf(std::string_view text) {
  const bool output = text.substr(0, 3) == "out";
  if (!output && text.substr(0, 2) != "in") return std::nullopt;
  const auto number = NumberOf(text.substr(output ? 3 : 2));
  if (!number || *number >= SlotSet::kMost) return std::nullopt;
  return Slot{output, *number};
}

std::optional<DataType> DataTypeOf(std::string_view text) {
  for (const DataType type :
       {DataType::kFp8, DataType::kFp16, DataType::kBf16, DataType::kF32,
        DataType::kI32, DataType::kU32, DataType::kI64}) {
    if (text == ToString(type)) return type;
  }
  return std::nullopt;
}

// Reads the entry of one type.
class EntryReader {
 public:
  explicit EntryReader(const JsonDocument& in) : in_(in) {}

  TaskSemantics Read(const JsonValue& entry) const {
    TaskSemantics semantics;
    for (const JsonMember& member : in_.Object(entry, "a task type, \"{\"")) {
      ReadMember(member, &semantics);
    }
    return semantics;
  }

 private:
  void ReadMember(const JsonMember& member, TaskSemantics* semantics) const {
    const auto& [key, byte, value] = member;
    const std::map<std::string_view, SlotSet*> sets = {
        {"reads", &semantics->reads},
        {"writes", &semantics->writes},
        {"state", &semantics->state},
        {"partial", &semantics->partial},
        {"accumulates", &semantics->accumulates},
        {"remote", &semantics->remote},
        {"ignored", &semantics->ignored},
        {"ignored_with_tokens", &semantics->ignored_with_tokens},
        {"addends", &semantics->addends},
    };
    if (const auto set = sets.find(key); set != sets.end()) {
      for (const JsonValue& slot : in_.Array(value, "a list of slots")) {
        set->second->Add(ReadSlot(slot));
      }
    } else if (key == "residual") {
      semantics->residual.Add(ReadSlot(value));
    } else if (key == "operands") {
      for (const JsonValue& item : in_.Array(value, kOperandCounts)) {
        semantics->operands.push_back(ReadOperands(item));
      }
    } else if (key == "collective") {
      semantics->collective = in_.Boolean(value, kTrueOrFalse);
    } else if (key == "norm") {
      semantics->norm = in_.Boolean(value, kTrueOrFalse);
    } else if (key == "switched") {
      for (const JsonMember& slot : in_.Object(value, "features by slot")) {
        semantics->switched[ReadSlot(slot).index] = ReadFeature(slot.value);
      }
    } else if (key == "slots") {
      for (const JsonMember& slot : in_.Object(value,
                                               "slots, each with its "
                                               "kind")) {
        semantics->slots[ReadSlot(slot)] = ReadKind(slot.value);
      }
    } else {
      std::vector<std::string> keys = {"residual", "operands", "collective",
                                       "norm",     "switched", "slots"};
      for (const auto& [name, set] : sets) keys.emplace_back(name);
      in_.FailUnknownKey(member, "a task type", keys);
    }
  }

  SlotKind ReadKind(const JsonValue& value) const {
    SlotKind kind;
    for (const JsonMember& member : in_.Object(value, "what a slot holds")) {
      const auto& [key, byte, list] = member;
      if (key == "kind") {
        const std::string expected = "\"attached\", \"scratch\" or \"nullptr\"";
        for (const JsonValue& item : in_.Array(list, expected)) {
          const std::string& text = in_.Text(item, expected);
          kind.attached |= text == "attached";
          kind.scratch |= text == "scratch";
          kind.null |= text == "nullptr";
          if (text != "attached" && text != "scratch" && text != "nullptr") {
            in_.Fail(item, expected);
          }
        }
      } else if (key == "data_type") {
        for (const JsonValue& item : in_.Array(list, "data types")) {
          const auto type = DataTypeOf(in_.Text(item, "a data type"));
          if (!type) in_.Fail(item, "a data type such as \"bf16\"");
          kind.data_types.push_back(*type);
        }
      } else if (key == "dims") {
        const std::string expected = "a number of dimensions";
        for (const JsonValue& item : in_.Array(list, expected)) {
          kind.dims.push_back(static_cast<std::uint32_t>(
              in_.Number(item, expected, UINT32_MAX)));
        }
      } else {
        in_.FailUnknownKey(member, "a slot", {"kind", "data_type", "dims"});
      }
    }
    return kind;
  }

  Slot ReadSlot(const JsonValue& value) const {
    const std::optional<Slot> slot = SlotOf(in_.Text(value, kSlot));
    if (!slot) in_.Fail(value, kSlot);
    return *slot;
  }
  Slot ReadSlot(const JsonMember& member) const {
    const std::optional<Slot> slot = SlotOf(member.key);
    if (!slot) in_.FailAt(member.byte, '"' + member.key + '"', kSlot);
    return *slot;
  }

  TaskSemantics::Operands ReadOperands(const JsonValue& value) const {
    const std::string& text = in_.Text(value, kOperandCounts);
    const std::size_t slash = text.find('/');
    const auto inputs = NumberOf(std::string_view(text).substr(0, slash));
    const auto outputs =
        slash == std::string::npos
            ? std::nullopt
            : NumberOf(std::string_view(text).substr(slash + 1));
    if (!inputs || !outputs) in_.Fail(value, kOperandCounts);
    return {*inputs, *outputs};
  }

  Feature ReadFeature(const JsonValue& value) const {
    const std::string expected = "a feature: \"qk_norm\" or \"rope\"";
    const std::string& text = in_.Text(value, expected);
    if (text == "qk_norm") return Feature::kQkNorm;
    if (text != "rope") in_.Fail(value, expected);
    return Feature::kRope;
  }

  static constexpr const char* kSlot = "a slot such as \"in0\" or \"out1\"";
  static constexpr const char* kOperandCounts =
      "operand counts such as \"2/1\"";
  static constexpr const char* kTrueOrFalse = "true or false";

  const JsonDocument& in_;
};

}  // namespace

std::string ToString(Slot slot) {
  return fmt::format("{}{}", slot.output ? "out" : "in", slot.index);
}

SlotSet SlotSet::First(std::size_t inputs, std::size_t outputs) {
  const auto lowest = [](std::size_t count) {
    return count >= kMost ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  };
  SlotSet set;
  set.inputs_ = lowest(inputs);
  set.outputs_ = lowest(outputs);
  return set;
}

const SemanticsTable& SemanticsTable::BuiltIn() {
  static const SemanticsTable table =
      Parse(kBuiltInSemantics, "task_semantics.json");
  return table;
}

SemanticsTable SemanticsTable::Parse(std::string_view text,
                                     const std::string& file) {
  const JsonDocument document(file, text, JsonDocument::Form::kWithComments);
  return Read(document, document.root());
}

SemanticsTable SemanticsTable::Read(const JsonDocument& in,
                                    const JsonValue& table) {
  SemanticsTable read;
  for (const JsonMember& type : in.Object(table, "a table of task types")) {
    if (type.key == "$comment") continue;
    read.types_[type.key] = EntryReader(in).Read(type.value);
  }
  return read;
}

SemanticsTable SemanticsTable::With(const SemanticsTable& other) const {
  SemanticsTable table = other;
  table.types_.insert(types_.begin(), types_.end());
  return table;
}

const TaskSemantics* SemanticsTable::Find(std::string_view type) const {
  const auto at = types_.find(type);
  return at == types_.end() ? nullptr : &at->second;
}

}  // namespace graph_coverage
