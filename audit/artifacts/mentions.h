// SPDX-License-Identifier: Apache-2.0
//
// What a part of a branch is about, from what it mentions: operand slots,
// metadata, the configuration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph_coverage/model/kernel_source.h"

namespace graph_coverage {

// What an expression is about.
struct Meaning {
  Argument::Kind kind = Argument::Kind::kOther;
  std::int64_t value = 0;

  bool IsSlot() const {
    return kind == Argument::Kind::kInput || kind == Argument::Kind::kOutput;
  }
  bool IsLiteral() const {
    return kind == Argument::Kind::kBoolean ||
           kind == Argument::Kind::kNumber || kind == Argument::Kind::kNull;
  }
  friend bool operator==(const Meaning& a, const Meaning& b) {
    return a.kind == b.kind && a.value == b.value;
  }
};

// The mentions of a text that is read from left to right.
class Mentions {
 public:
  // A point of the text: how many mentions there were.
  struct Mark {
    std::size_t slots = 0;
    std::size_t metadata = 0;
    std::size_t config = 0;
  };

  void Add(const Meaning& meaning);
  Mark Now() const { return now_; }

  // The slot that was mentioned since `mark`; kOther where it was more than
  // one; nothing where it was none.
  std::optional<Meaning> SlotSince(const Mark& mark) const;
  // kMetadata or kConfig, where one was mentioned since `mark`, else kOther.
  Meaning OtherSince(const Mark& mark) const;

 private:
  Mark now_;
  Meaning last_;                 // the last slot
  std::size_t last_change_ = 0;  // the last that was not like the one before
};

}  // namespace graph_coverage
