// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/model/view.h"

namespace graph_coverage {

const Declaration* View::declaration(TensorId id) const {
  const std::optional<std::size_t> at = rank_->declaration_index(id);
  return at ? &rank_->source().declarations[*at] : nullptr;
}

std::vector<const Branch*> View::BranchesOf(std::uint32_t type,
                                            std::uint32_t variant) const {
  std::vector<const Branch*> found;
  for (const std::string& name : types().Names(type)) {
    for (const Branch& branch : rank_->source().branches) {
      if (branch.type == name && branch.variant == variant) {
        found.push_back(&branch);
      }
    }
  }
  return found;
}

}  // namespace graph_coverage
