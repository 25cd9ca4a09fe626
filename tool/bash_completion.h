// SPDX-License-Identifier: Apache-2.0
//
// The tool's completion in bash, made of the command line's definition.
#pragma once

#include <string>

#include "tool/command_line.h"

// A script for bash to source. It needs nothing but bash 4.
std::string BashCompletion(const CommandLine& line);
