// SPDX-License-Identifier: Apache-2.0
//
// Small JSON files that people write: read whole into a tree that knows where
// each value stands, so that every complaint has a line and a column. As strict
// as JsonScanner, whose rules are these; numbers are integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace graph_coverage {

struct JsonMember;

struct JsonValue {
  enum class Kind { kNull, kBoolean, kInteger, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::uint64_t byte = 0;  // where it starts
  std::uint64_t end = 0;   // behind its last byte
  bool boolean = false;
  std::int64_t integer = 0;
  std::string text;
  std::vector<JsonValue> elements;
  std::vector<JsonMember> members;
};

struct JsonMember {
  std::string key;
  std::uint64_t byte = 0;  // where the key starts
  JsonValue value;
};

class JsonDocument {
 public:
  // Plain JSON, or with `//` and `/* */` comments and commas after the last
  // item. Throws InputError where the text is not that.
  enum class Form { kPlain, kWithComments };
  JsonDocument(std::string file, std::string_view text, Form form);

  const std::string& file() const { return file_; }
  const JsonValue& root() const { return root_; }
  // The value as it stands in the text, comments blanked out.
  std::string_view Source(const JsonValue& value) const;

  // The value, if it is of that kind. Else throws InputError at its place:
  // "found 7, expected …".
  bool Boolean(const JsonValue& value, const std::string& expected) const;
  std::uint64_t Number(const JsonValue& value, const std::string& expected,
                       std::uint64_t most) const;
  const std::string& Text(const JsonValue& value,
                          const std::string& expected) const;
  const std::vector<JsonValue>& Array(const JsonValue& value,
                                      const std::string& expected) const;
  const std::vector<JsonMember>& Object(const JsonValue& value,
                                        const std::string& expected) const;
  std::vector<std::string> Texts(const JsonValue& value,
                                 const std::string& expected) const;

  // The object's member of that key, or null.
  static const JsonValue* Find(const JsonValue& object, std::string_view key);

  // Throws InputError at a place of the text.
  [[noreturn]] void Fail(const JsonValue& value,
                         const std::string& expected) const;
  // At a key that is none of `keys`; `what` has them ("a policy").
  [[noreturn]] void FailUnknownKey(const JsonMember& member,
                                   const std::string& what,
                                   const std::vector<std::string>& keys) const;
  [[noreturn]] void FailAt(std::uint64_t byte, const std::string& found,
                           const std::string& expected) const;

 private:
  std::string file_;
  std::string text_;
  JsonValue root_;
};

// The end of "expected …" where a name is none of several: "; did you mean
// "waivers"?" where one is near, else a list of them.
std::string DidYouMean(std::string_view name,
                       const std::vector<std::string>& names);

}  // namespace graph_coverage
