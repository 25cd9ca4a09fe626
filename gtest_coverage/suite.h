// SPDX-License-Identifier: Apache-2.0
//
// The tests that this library itself registers.
#pragma once

#include <functional>
#include <string>

#include "graph_coverage/gtest_coverage.h"

namespace graph_coverage {
namespace internal {

// Registers a test whose body is `check`.
void RegisterOwnTest(const std::string& suite, const std::string& name,
                     std::function<void()> check);

// The body of a test that RegisterOwnTest registered, else null.
const std::function<void()>* OwnTest(const testing::TestInfo& test);

// "Name", "Name2", "Name3" for the 1st, 2nd and 3rd time.
std::string NumberedName(const std::string& name, int number);

}  // namespace internal
}  // namespace graph_coverage
