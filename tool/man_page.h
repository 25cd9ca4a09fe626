// SPDX-License-Identifier: Apache-2.0
//
// The manual page of the tool, made of the command line's definition.
#pragma once

#include <string>

#include "tool/command_line.h"

// In roff, with the macros of man(7).
std::string ManPage(const CommandLine& line);
