// SPDX-License-Identifier: Apache-2.0
//
// How far an audit is, for those who wait for it.
#pragma once

#include <atomic>
#include <cstddef>

namespace graph_coverage {

// May be looked at from another thread while the audit runs.
struct Progress {
  std::atomic<std::size_t> ranks{0};       // to be read
  std::atomic<std::size_t> ranks_read{0};  // done
};

}  // namespace graph_coverage
