// SPDX-License-Identifier: Apache-2.0
//
// Walks the members of JSON objects whose keys are known beforehand, and the
// elements of arrays.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "audit/artifacts/json_scanner.h"

namespace graph_coverage {

// The keys of one kind of object.
struct KeyList {
  const char* kind;        // "task"
  const char* article;     // "a task"
  int depth;               // nesting, as JsonScanner::Skip counts it
  std::uint32_t required;  // a bit a key
  std::size_t count;
  std::array<QuotedKey, 14> keys;
};

// The keys of one kind of object and the order in which they came last time:
// objects of a kind follow one order, so the next key is nearly always known.
class KeyOrder {
 public:
  explicit KeyOrder(const KeyList& list) : list_(list) {
    for (std::size_t i = 0; i < list.count; ++i) Learn(i, (i + 1) % list.count);
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

// The members of one object, which the scanner stands at: known keys by
// number; unknown ones are noted in `unknown` as "task.colour", checked and
// skipped. Duplicates and absent required keys are errors.
class JsonMembers {
 public:
  static constexpr std::size_t kEnd = 99;
  // Unknown keys of an object, and of a file that are noted.
  static constexpr std::size_t kMaxUnknownKeys = 100;

  JsonMembers(JsonScanner& in, KeyOrder& order, std::set<std::string>& unknown)
      : in_(in),
        order_(order),
        unknown_(unknown),
        start_(in.Mark()),
        previous_(order.list().count) {
    in_.Expect('{', "an object, \"{\"");
    open_ = !in_.Consume('}');
  }

  // The next known key, or kEnd. The scanner stands at its value.
  std::size_t Next() {
    while (open_ && (first_ || in_.Next('}'))) {
      first_ = false;
      const std::size_t guess = order_.After(previous_);
      const bool guessed = in_.ConsumeKey(order_.list().keys[guess]);
      const std::size_t key = guessed ? Take(guess) : ReadKey();
      in_.Expect(':', "\":\"");
      if (key != kEnd) return key;
      in_.Skip(order_.list().depth);
    }
    if ((order_.list().required & ~seen_) != 0) FailAbsent();
    return kEnd;
  }

  bool Seen(std::size_t key) const { return (seen_ >> key & 1u) != 0; }

  // Fails at the start of the object.
  [[noreturn]] void FailAtStart(const std::string& found,
                                const std::string& expected) {
    in_.FailAt(start_, found, expected);
  }

 private:
  // Takes a key that the scanner has just passed.
  std::size_t Take(std::size_t key) {
    if (Seen(key)) FailTwice(key);
    seen_ |= 1u << key;
    previous_ = key;
    return key;
  }

  // Reads a key that was not guessed; kEnd for an unknown one.
  std::size_t ReadKey();
  [[noreturn]] void FailTwice(std::size_t key);
  [[noreturn]] void FailTwiceAt(std::uint64_t at, std::string_view key);
  [[noreturn]] void FailAbsent();

  JsonScanner& in_;
  KeyOrder& order_;
  std::set<std::string>& unknown_;
  std::uint64_t start_;
  std::size_t previous_;
  std::uint32_t seen_ = 0;
  bool open_ = false;
  bool first_ = true;
  std::vector<std::string> others_;  // unknown keys met
};

// Calls `element` for each element of the array that the scanner stands at.
template <typename Element>
void ReadArray(JsonScanner& in, const Element& element) {
  in.Expect('[', "an array, \"[\"");
  if (in.Consume(']')) return;
  do {
    element();
  } while (in.Next(']'));
}

}  // namespace graph_coverage
