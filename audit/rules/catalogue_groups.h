// SPDX-License-Identifier: Apache-2.0
//
// The groups of the catalogue that have files of their own.
#pragma once

#include <vector>

#include "graph_coverage/catalogue.h"

namespace graph_coverage {

std::vector<RuleInfo> GroupB();
std::vector<RuleInfo> GroupC();
std::vector<RuleInfo> GroupD();
std::vector<RuleInfo> GroupE();

}  // namespace graph_coverage
