// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/json_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "audit/artifacts/byte_source.h"
#include "audit/artifacts/json_scanner.h"
#include "audit/artifacts/utf8.h"
#include "graph_coverage/error.h"

namespace graph_coverage {
namespace {

[[noreturn]] void FailIn(const std::string& file, std::string_view text,
                         std::uint64_t byte, const std::string& found,
                         const std::string& expected) {
  throw InputError::At(OpenMemory(file, text)->Locate(byte), found, expected);
}

// The text with its comments, and commas before a closing bracket, as blanks:
// every byte that is left stands where it stood.
class Comments {
 public:
  Comments(const std::string& file, std::string_view text)
      : file_(file), text_(text), blanked_(text) {}

  std::string BlankOut() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        last_comma_.reset();
        SkipString();
      } else if (c == '/') {
        BlankComment();
      } else {
        if (c == ',') {
          last_comma_ = at_;
        } else if (c == ']' || c == '}') {
          if (last_comma_ && follows_item_) blanked_[*last_comma_] = ' ';
          last_comma_.reset();
        } else if (!IsBlank(c)) {
          last_comma_.reset();
        }
        // A comma alone between brackets is no comma after an item.
        if (c != ',' && !IsBlank(c)) follows_item_ = c != '[' && c != '{';
        ++at_;
      }
    }
    return std::move(blanked_);
  }

 private:
  static bool IsBlank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
  }

  void SkipString() {
    follows_item_ = true;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }

  void BlankComment() {
    const std::size_t start = at_;
    const std::string_view rest = text_.substr(start);
    std::size_t end = std::string_view::npos;
    if (rest.substr(0, 2) == "//") {
      end = std::min(text_.find('\n', start), text_.size());
    } else if (rest.substr(0, 2) == "/*") {
      end = text_.find("*/", start + 2);
      if (end == std::string_view::npos) {
        FailIn(file_, text_, start, "a comment without an end", "\"*/\"");
      }
      end += 2;
    } else {
      FailIn(file_, text_, start, "\"/\"", "a value or a comment");
    }
    for (; at_ < end; ++at_) {
      if (text_[at_] != '\n') blanked_[at_] = ' ';
    }
  }

  const std::string& file_;
  std::string_view text_;
  std::string blanked_;
  std::size_t at_ = 0;
  bool follows_item_ = false;
  std::optional<std::size_t> last_comma_;  // with nothing but blanks since
};

class TreeReader {
 public:
  explicit TreeReader(JsonScanner& in) : in_(in) {}

  JsonValue Read(int depth) {
    JsonValue value;
    const char c = in_.Peek();
    value.byte = in_.Mark();
    if (c == '{' || c == '[') {
      if (depth >= JsonScanner::kMaxDepth) {
        in_.Fail(fmt::format("at most {} levels of nesting",
                             JsonScanner::kMaxDepth));
      }
      c == '{' ? ReadObject(depth, &value) : ReadArray(depth, &value);
    } else if (c == '"') {
      value.kind = JsonValue::Kind::kString;
      value.text = in_.String("a value");
    } else if (c == 't' || c == 'f') {
      value.kind = JsonValue::Kind::kBoolean;
      value.boolean = in_.Boolean("a value");
    } else if (!in_.ConsumeNull()) {
      if (c != '-' && (c < '0' || c > '9')) in_.Fail("a value");
      value.kind = JsonValue::Kind::kInteger;
      value.integer = in_.Integer("an integer", INT64_MIN, INT64_MAX);
    }
    value.end = in_.Position();
    return value;
  }

 private:
  void ReadObject(int depth, JsonValue* value) {
    value->kind = JsonValue::Kind::kObject;
    in_.Expect('{', "\"{\"");
    if (in_.Consume('}')) return;
    std::set<std::string> keys;
    do {
      JsonMember member;
      member.byte = in_.Mark();
      member.key = in_.String("a key");
      if (!keys.insert(member.key).second) {
        in_.FailAt(member.byte,
                   fmt::format("the key {} a second time", Quoted(member.key)),
                   "each key once in an object");
      }
      in_.Expect(':', "\":\"");
      member.value = Read(depth + 1);
      value->members.push_back(std::move(member));
    } while (in_.Next('}'));
  }

  void ReadArray(int depth, JsonValue* value) {
    value->kind = JsonValue::Kind::kArray;
    in_.Expect('[', "\"[\"");
    if (in_.Consume(']')) return;
    do {
      value->elements.push_back(Read(depth + 1));
    } while (in_.Next(']'));
  }

  JsonScanner& in_;
};

std::string Shown(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      return "null";
    case JsonValue::Kind::kBoolean:
      return value.boolean ? "true" : "false";
    case JsonValue::Kind::kInteger:
      return std::to_string(value.integer);
    case JsonValue::Kind::kString:
      return Quoted(value.text);
    case JsonValue::Kind::kArray:
      return "an array";
    case JsonValue::Kind::kObject:
      return "an object";
  }
  return "a value";
}

// How many letters must be put in, taken out or changed.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

JsonDocument::JsonDocument(std::string file, std::string_view text, Form form)
    : file_(std::move(file)),
      text_(form == Form::kWithComments ? Comments(file_, text).BlankOut()
                                        : std::string(text)) {
  const auto source = OpenMemory(file_, text_);
  JsonScanner in(*source);
  root_ = TreeReader(in).Read(0);
  in.ExpectEnd();
}

std::string_view JsonDocument::Source(const JsonValue& value) const {
  return std::string_view(text_).substr(
      static_cast<std::size_t>(value.byte),
      static_cast<std::size_t>(value.end - value.byte));
}

bool JsonDocument::Boolean(const JsonValue& value,
                           const std::string& expected) const {
  if (value.kind != JsonValue::Kind::kBoolean) Fail(value, expected);
  return value.boolean;
}

std::uint64_t JsonDocument::Number(const JsonValue& value,
                                   const std::string& expected,
                                   std::uint64_t most) const {
  if (value.kind != JsonValue::Kind::kInteger || value.integer < 0 ||
      static_cast<std::uint64_t>(value.integer) > most) {
    Fail(value, expected);
  }
  return static_cast<std::uint64_t>(value.integer);
}

const std::string& JsonDocument::Text(const JsonValue& value,
                                      const std::string& expected) const {
  if (value.kind != JsonValue::Kind::kString) Fail(value, expected);
  return value.text;
}

const std::vector<JsonValue>& JsonDocument::Array(
    const JsonValue& value, const std::string& expected) const {
  if (value.kind != JsonValue::Kind::kArray) Fail(value, expected);
  return value.elements;
}

const std::vector<JsonMember>& JsonDocument::Object(
    const JsonValue& value, const std::string& expected) const {
  if (value.kind != JsonValue::Kind::kObject) Fail(value, expected);
  return value.members;
}

std::vector<std::string> JsonDocument::Texts(
    const JsonValue& value, const std::string& expected) const {
  std::vector<std::string> texts;
  for (const JsonValue& item : Array(value, expected)) {
    texts.push_back(Text(item, expected));
  }
  return texts;
}

const JsonValue* JsonDocument::Find(const JsonValue& object,
                                    std::string_view key) {
  for (const JsonMember& member : object.members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

void JsonDocument::Fail(const JsonValue& value,
                        const std::string& expected) const {
  FailAt(value.byte, Shown(value), expected);
}

void JsonDocument::FailUnknownKey(const JsonMember& member,
                                  const std::string& what,
                                  const std::vector<std::string>& keys) const {
  FailAt(member.byte, "the key " + Quoted(member.key),
         fmt::format("a key of {}{}", what, DidYouMean(member.key, keys)));
}

void JsonDocument::FailAt(std::uint64_t byte, const std::string& found,
                          const std::string& expected) const {
  FailIn(file_, text_, byte, found, expected);
}

std::string DidYouMean(std::string_view name,
                       const std::vector<std::string>& names) {
  constexpr std::size_t kLongestName = 64;  // longer ones are no slip
  constexpr std::size_t kMostListed = 16;
  const std::string* nearest = nullptr;
  std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& known : names) {
    if (name.size() > kLongestName) break;
    const std::size_t distance = Distance(name, known);
    if (distance < least) {
      least = distance;
      nearest = &known;
    }
  }
  if (nearest != nullptr) {
    return fmt::format("; did you mean \"{}\"?", *nearest);
  }
  if (names.size() > kMostListed) return "";
  return fmt::format(": {}", fmt::join(names, ", "));
}

}  // namespace graph_coverage
