// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace graph_coverage {

// How many threads `jobs` stands for: 0 is one a core.
unsigned Threads(unsigned jobs);

// Calls work(0) … work(count - 1), at most Threads(jobs) at a time.
// After an exception no further call begins; when those that had begun have
// ended it is rethrown, of several the first by position.
void InParallel(std::size_t count, unsigned jobs,
                const std::function<void(std::size_t)>& work);

}  // namespace graph_coverage
