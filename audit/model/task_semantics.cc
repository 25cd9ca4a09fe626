// SPDX-License-Identifier: Apache-2.0
#include "audit/model/task_semantics.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "audit/model/built_in_semantics.h"
#include "graph_coverage/error.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::json;

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
  EntryReader(std::string file, std::string type)
      : file_(std::move(file)), type_(std::move(type)) {}

  TaskSemantics Read(const Json& entry) {
    TaskSemantics semantics;
    for (const auto& [key, value] : entry.items()) {
      key_ = key;
      ReadKey(key, value, &semantics);
    }
    return semantics;
  }

 private:
  [[noreturn]] void Fail(const std::string& expected) const {
    throw InputError::Of(file_, fmt::format("the entry of {} has a key \"{}\" "
                                            "that is no {}",
                                            type_, key_, expected));
  }

  void ReadKey(const std::string& key, const Json& value,
               TaskSemantics* semantics) {
    const std::map<std::string_view, SlotSet*> sets = {
        {"reads", &semantics->reads},
        {"writes", &semantics->writes},
        {"state", &semantics->state},
        {"partial", &semantics->partial},
        {"accumulates", &semantics->accumulates},
        {"remote", &semantics->remote},
        {"ignored", &semantics->ignored},
        {"ignored_with_tokens", &semantics->ignored_with_tokens},
    };
    if (const auto set = sets.find(key); set != sets.end()) {
      for (const std::string& text : Texts(value)) {
        set->second->Add(ReadSlot(text));
      }
    } else if (key == "residual") {
      semantics->residual.Add(ReadSlot(Text(value)));
    } else if (key == "operands") {
      for (const std::string& text : Texts(value)) {
        semantics->operands.push_back(ReadOperands(text));
      }
    } else if (key == "collective") {
      semantics->collective = Boolean(value);
    } else if (key == "norm") {
      semantics->norm = Boolean(value);
    } else if (key == "switched") {
      for (const auto& [slot, feature] : Object(value).items()) {
        semantics->switched[ReadSlot(slot).index] = ReadFeature(Text(feature));
      }
    } else if (key == "slots") {
      for (const auto& [slot, kind] : Object(value).items()) {
        semantics->slots[ReadSlot(slot)] = ReadKind(Object(kind));
      }
    } else {
      Fail("key of a task type");
    }
  }

  SlotKind ReadKind(const Json& value) {
    SlotKind kind;
    for (const auto& [key, list] : value.items()) {
      if (key == "kind") {
        for (const std::string& text : Texts(list)) {
          kind.attached |= text == "attached";
          kind.scratch |= text == "scratch";
          kind.null |= text == "nullptr";
          if (text != "attached" && text != "scratch" && text != "nullptr") {
            Fail("\"attached\", \"scratch\" or \"nullptr\"");
          }
        }
      } else if (key == "data_type") {
        for (const std::string& text : Texts(list)) {
          const auto type = DataTypeOf(text);
          if (!type) Fail("data type");
          kind.data_types.push_back(*type);
        }
      } else if (key == "dims") {
        if (!list.is_array()) Fail("list of numbers of dimensions");
        for (const Json& dims : list) {
          if (!dims.is_number_unsigned()) Fail("number of dimensions");
          kind.dims.push_back(dims.get<std::uint32_t>());
        }
      } else {
        Fail("description of a slot");
      }
    }
    return kind;
  }

  Slot ReadSlot(const std::string& text) const {
    const std::optional<Slot> slot = SlotOf(text);
    if (!slot) Fail("slot such as \"in0\" or \"out1\"");
    return *slot;
  }

  TaskSemantics::Operands ReadOperands(const std::string& text) const {
    const std::size_t slash = text.find('/');
    const auto inputs = NumberOf(std::string_view(text).substr(0, slash));
    const auto outputs =
        slash == std::string::npos
            ? std::nullopt
            : NumberOf(std::string_view(text).substr(slash + 1));
    if (!inputs || !outputs) Fail("operand count such as \"2/1\"");
    return {*inputs, *outputs};
  }

  Feature ReadFeature(const std::string& text) const {
    if (text == "qk_norm") return Feature::kQkNorm;
    if (text == "rope") return Feature::kRope;
    Fail("feature: \"qk_norm\" or \"rope\"");
  }

  std::string Text(const Json& value) const {
    if (!value.is_string()) Fail("text");
    return value.get<std::string>();
  }
  std::vector<std::string> Texts(const Json& value) const {
    if (!value.is_array()) Fail("list of texts");
    std::vector<std::string> texts;
    for (const Json& item : value) texts.push_back(Text(item));
    return texts;
  }
  bool Boolean(const Json& value) const {
    if (!value.is_boolean()) Fail("true or false");
    return value.get<bool>();
  }
  const Json& Object(const Json& value) const {
    if (!value.is_object()) Fail("object");
    return value;
  }

  std::string file_;
  std::string type_;
  std::string key_;
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
  const Json table = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!table.is_object()) {
    throw InputError::Of(file, "is no JSON object of task types");
  }
  SemanticsTable read;
  for (const auto& [type, entry] : table.items()) {
    if (type == "$comment") continue;
    if (!entry.is_object()) {
      throw InputError::Of(
          file, fmt::format("the entry of {} is no JSON object", type));
    }
    read.types_[type] = EntryReader(file, type).Read(entry);
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
