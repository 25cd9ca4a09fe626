// SPDX-License-Identifier: Apache-2.0
//
// How CLI11's help and errors of usage are shown.
#pragma once

#include <CLI/CLI.hpp>

// Puts the help of `audit`, which need not be named, into that of the whole,
// and escapes what the user typed in errors. Call it once the commands are
// there: they would take it over.
void ShapeHelp(CLI::App& app);
