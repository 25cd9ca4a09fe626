// SPDX-License-Identifier: Apache-2.0
//
// docs/museum.md, from the table of exhibits.
#pragma once

#include <string>

namespace graph_coverage::museum {

std::string WritePage();

}  // namespace graph_coverage::museum
