// SPDX-License-Identifier: Apache-2.0
//
// Writing a report to where the user wants it.
#pragma once

#include <string>

// Writes `text` to the standard output. Throws UsageError where that fails.
void WriteToStandardOutput(const std::string& text);

// Writes `text` to a file, whole or not at all: a file of that name keeps its
// old content until the new one is complete. Throws UsageError where it fails.
void WriteToFile(const std::string& path, const std::string& text);
// To a file, or to standard output where none is named.
void Print(const std::string& text, const std::string& output);
