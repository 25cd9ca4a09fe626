// SPDX-License-Identifier: Apache-2.0
//
// Where the field cases are: real megakernels, each unpacked as a gendir in a
// folder of its own under GRAPH_COVERAGE_FIELD_DIR. The project does not ship
// them, so tests on them skip where they are not:
//
//   const auto gendir = FieldCase("qwen3_8b_a100");
//   if (!gendir) GTEST_SKIP() << NoFieldCase("qwen3_8b_a100");
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph_coverage/model/ids.h"

namespace graph_coverage::test_support {

// The folder of the case, or nothing where it is not unpacked, or too
// large for a build with sanitizers.
std::optional<std::string> FieldCase(const std::string& name);

// Why there is none, and how to get it.
std::string NoFieldCase(const std::string& name);

// The ranks whose task graph is there, ascending: of a large case some may
// have been left packed.
std::vector<RankId> FieldRanks(const std::string& folder);

}  // namespace graph_coverage::test_support
