// SPDX-License-Identifier: Apache-2.0
//
// Words in the colours of a terminal.
#pragma once

#include <string>

#include "graph_coverage/policy.h"

namespace graph_coverage {

enum class Colour { kRed = 31, kGreen = 32, kYellow = 33, kBlue = 34 };

Colour ColourOf(Severity severity);

// The word with the escapes that colour it; as it is where `colours` is false.
std::string Painted(const std::string& word, Colour colour, bool colours);

}  // namespace graph_coverage
