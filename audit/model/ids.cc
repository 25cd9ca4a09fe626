// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/model/ids.h"

#include <ostream>

namespace graph_coverage {

std::ostream& operator<<(std::ostream& out, TaskId id) {
  return out << "task " << Index(id);
}

std::ostream& operator<<(std::ostream& out, TensorId id) {
  return out << "tensor " << Index(id);
}

std::ostream& operator<<(std::ostream& out, LayoutId id) {
  return out << "layout " << Index(id);
}

std::ostream& operator<<(std::ostream& out, RankId id) {
  return out << "rank " << Index(id);
}

std::ostream& operator<<(std::ostream& out, EventId id) {
  if (id.none()) return out << "no event";
  out << "event " << id.index() << " of rank " << id.gpu();
  return id.nvshmem() ? out << " (nvshmem)" : out;
}

}  // namespace graph_coverage
