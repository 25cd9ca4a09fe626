// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/json_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "audit/artifacts/utf8.h"

namespace graph_coverage {
namespace {

// The most bytes of an unknown key that are shown.
constexpr std::size_t kMaxShown = 64;

}  // namespace

std::size_t JsonMembers::ReadKey() {
  const KeyList& list = order_.list();
  const std::uint64_t at = in_.Mark();
  const std::string_view text = in_.String("a key");
  for (std::size_t i = 0; i < list.count; ++i) {
    if (list.keys[i].name() != text) continue;
    if (Seen(i)) FailTwiceAt(at, text);
    order_.Learn(previous_, i);
    return Take(i);
  }
  if (std::find(others_.begin(), others_.end(), text) != others_.end()) {
    FailTwiceAt(at, text);
  }
  if (others_.size() >= kMaxUnknownKeys) {
    in_.FailAt(
        at, "the key " + Quoted(text),
        fmt::format("at most {} unknown keys in an object", kMaxUnknownKeys));
  }
  others_.emplace_back(text);
  if (unknown_.size() < kMaxUnknownKeys) {
    unknown_.insert(
        fmt::format("{}.{}", list.kind, Printable(text.substr(0, kMaxShown))));
  }
  return kEnd;
}

void JsonMembers::FailTwice(std::size_t key) {
  const QuotedKey& known = order_.list().keys[key];
  FailTwiceAt(in_.Position() - known.quoted().size(), known.name());
}

void JsonMembers::FailTwiceAt(std::uint64_t at, std::string_view key) {
  in_.FailAt(at, fmt::format("the key {} a second time", Quoted(key)),
             "each key once in an object");
}

void JsonMembers::FailAbsent() {
  const KeyList& list = order_.list();
  const int key = std::countr_zero(list.required & ~seen_);
  const std::string_view quoted =
      list.keys[static_cast<std::size_t>(key)].quoted();
  FailAtStart(fmt::format("{} without the key {}", list.article, quoted),
              fmt::format("{} in every {}", quoted, list.kind));
}

}  // namespace graph_coverage
