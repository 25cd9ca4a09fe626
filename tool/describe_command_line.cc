// SPDX-License-Identifier: Apache-2.0
//
// Writes what the build makes of the command line's definition.
//
// usage: describe_command_line MAN-PAGE BASH-COMPLETION
#include <cstdio>
#include <exception>

#include "tool/bash_completion.h"
#include "tool/command_line.h"
#include "tool/man_page.h"
#include "tool/output.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: describe_command_line MAN-PAGE BASH-COMPLETION\n",
               stderr);
    return 2;
  }
  try {
    const CommandLine line;
    WriteToFile(argv[1], ManPage(line));
    WriteToFile(argv[2], BashCompletion(line));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "describe_command_line: %s\n", error.what());
    return 1;
  }
  return 0;
}
