// SPDX-License-Identifier: Apache-2.0
//
// The definition of the command line: its commands, their options, and what
// each takes. The tool parses by it; its man page and its completion in shells
// are made of it.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "tool/commands.h"

// What an option or a positional takes, for shells to complete.
struct Values {
  enum class Kind { kOther, kFile, kDirectory, kWord, kWordList };
  Kind kind = Kind::kOther;
  std::vector<std::string> words;  // of kWord, and of kWordList's items
};

struct CommandLine {
  CommandLine();
  // The options of the app refer to the arguments.
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // Parses the words after the program's name, where `audit` may be left out.
  // Throws CLI::ParseError, for --help too.
  void Parse(int argc, char** argv);

  CLI::App app;
  std::map<const CLI::Option*, Values> values;  // kOther where there is none
  std::string examples;                         // a command a line
  std::string exit_codes;                       // "0 …, 1 …"

  // What Parse fills in.
  AuditArguments audit;
  MutateArguments mutate;
  WaiversArguments waivers;
  RecordArguments record;
  DiffArguments diff;
  std::string rule;       // of `explain`
  std::string directory;  // of `demo`
};
