// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/mentions.h"

namespace graph_coverage {

void Mentions::Add(const Meaning& meaning) {
  if (meaning.IsSlot()) {
    if (now_.slots > 0 && !(meaning == last_)) last_change_ = now_.slots;
    last_ = meaning;
    ++now_.slots;
  } else if (meaning.kind == Argument::Kind::kMetadata) {
    ++now_.metadata;
  } else if (meaning.kind == Argument::Kind::kConfig) {
    ++now_.config;
  }
}

std::optional<Meaning> Mentions::SlotSince(const Mark& mark) const {
  if (now_.slots == mark.slots) return std::nullopt;
  return last_change_ <= mark.slots ? last_ : Meaning{};
}

Meaning Mentions::OtherSince(const Mark& mark) const {
  if (now_.metadata > mark.metadata) return {Argument::Kind::kMetadata};
  if (now_.config > mark.config) return {Argument::Kind::kConfig};
  return {};
}

}  // namespace graph_coverage
