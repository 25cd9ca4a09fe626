// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/model/kernel_source.h"

#include <algorithm>

namespace graph_coverage {

const char* ToString(TensorKind kind) {
  switch (kind) {
    case TensorKind::kAttached:
      return "attached";
    case TensorKind::kScratch:
      return "scratch";
    case TensorKind::kNvshmem:
      return "nvshmem";
    case TensorKind::kShuffled:
      return "shuffled";
    case TensorKind::kAlias:
      return "alias";
  }
  return "unknown";
}

bool Branch::DereferencesInput(std::uint32_t slot) const {
  return any_input || std::binary_search(inputs.begin(), inputs.end(), slot);
}

bool Branch::DereferencesOutput(std::uint32_t slot) const {
  return any_output ||
         std::binary_search(outputs.begin(), outputs.end(), slot);
}

}  // namespace graph_coverage
