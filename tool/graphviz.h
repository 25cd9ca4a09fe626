// SPDX-License-Identifier: Apache-2.0
//
// Drawings by Graphviz, where it is installed.
#pragma once

#include <string>
#include <vector>

// An SVG of each drawing in DOT, by one run of the program `dot`. All are empty
// where there is no such program or it fails.
std::vector<std::string> DrawWithGraphviz(
    const std::vector<std::string>& drawings);
