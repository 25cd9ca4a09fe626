// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/model/view.h"

#include <memory>

namespace graph_coverage {

View::View(const Rank& rank, const Overlay& overlay) : rank_(&rank) {
  if (overlay.empty()) return;
  const auto over = std::make_shared<OverlayIndex>(rank, overlay);
  over_ = over;
  // Names from a header hold whatever the graph is.
  if (over->MayRebind() &&
      rank.types().method() != TypeBinding::Method::kHeader) {
    over->Bind(TypeBinding::Bind(*this));
  }
}

std::vector<const Branch*> View::BranchesOf(std::uint32_t type,
                                            std::uint32_t variant) const {
  std::vector<const Branch*> found;
  for (const std::string& name : types().Names(type)) {
    for (std::size_t i = 0; i < branch_count(); ++i) {
      if (branch(i).type == name && branch(i).variant == variant) {
        found.push_back(&branch(i));
      }
    }
  }
  return found;
}

}  // namespace graph_coverage
