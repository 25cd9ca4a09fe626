// SPDX-License-Identifier: Apache-2.0
#include "audit/rules/branch_of.h"

#include <algorithm>

namespace graph_coverage {
namespace {

bool Names(const std::vector<std::uint32_t>& slots, std::uint32_t slot) {
  return std::find(slots.begin(), slots.end(), slot) != slots.end();
}

}  // namespace

bool BranchSet::MayDereference(Slot slot) const {
  return std::any_of(
      branches_.begin(), branches_.end(), [slot](const Branch* branch) {
        return slot.output ? branch->DereferencesOutput(slot.index)
                           : branch->DereferencesInput(slot.index);
      });
}

std::vector<Slot> BranchSet::Dereferenced() const {
  std::vector<Slot> slots;
  const auto add_common = [&](bool output) {
    const auto of = [output](const Branch* branch) -> const auto& {
      return output ? branch->outputs : branch->inputs;
    };
    if (branches_.empty()) return;
    for (const std::uint32_t slot : of(branches_.front())) {
      if (std::all_of(
              branches_.begin(), branches_.end(),
              [&](const Branch* branch) { return Names(of(branch), slot); })) {
        slots.push_back({output, slot});
      }
    }
  };
  add_common(false);
  add_common(true);
  return slots;
}

bool BranchSet::MayReadTokens() const {
  return std::any_of(
      branches_.begin(), branches_.end(),
      [](const Branch* branch) { return branch->reads_runtime_tokens; });
}

std::string WhyBranchUnknown(const View& view, const Kind& kind) {
  if (!view.has_dispatch()) return "the source has no dispatch chain";
  const TypeBinding::Method method = view.types().method();
  if (method == TypeBinding::Method::kNone) {
    return "task types could not be matched to the names of the chain";
  }
  if (method == TypeBinding::Method::kHeader &&
      view.types().Names(kind.type).empty()) {
    return "the header has no such task type";
  }
  return "";
}

}  // namespace graph_coverage
