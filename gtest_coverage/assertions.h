// SPDX-License-Identifier: Apache-2.0
//
// Matchers as assertion results, for reports that may be invalid.
#pragma once

#include "graph_coverage/gtest_coverage.h"

namespace graph_coverage {
namespace internal {

// Whether the report matches; a failure, too, where nothing was audited.
// Records the report's counts as properties of the current test.
testing::AssertionResult Check(const Report& report,
                               const testing::Matcher<const Report&>& matcher);

}  // namespace internal
}  // namespace graph_coverage
