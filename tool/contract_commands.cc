// SPDX-License-Identifier: Apache-2.0
//
// record and diff: the coverage of a good build, and what has changed since.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <system_error>

#include "graph_coverage/contract.h"
#include "tool/commands.h"
#include "tool/output.h"

namespace {

using graph_coverage::Contract;

// Of a gendir, or as a contract has it.
Contract CoverageOf(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error)
             ? graph_coverage::RecordContract(path)
             : graph_coverage::ReadContract(path);
}

}  // namespace

void DefineRecord(CLI::App& app, RecordArguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "record", "Record the coverage of a good build as a contract");
  command
      ->add_option("GENDIR", arguments.gendir,
                   "Directory of generated artifacts")
      ->required();
  command->add_option("-o,--output", arguments.output,
                      "Write the contract to this file, whole or not at all");
}

int RunRecord(const RecordArguments& arguments) {
  Print(graph_coverage::WriteContract(
            graph_coverage::RecordContract(arguments.gendir)),
        arguments.output);
  return kExitPass;
}

void DefineDiff(CLI::App& app, DiffArguments& arguments) {
  CLI::App* command =
      app.add_subcommand("diff", "Say how the coverage of two builds differs");
  command->add_option("OLD", arguments.was, "A gendir or a contract")
      ->required();
  command->add_option("NEW", arguments.is, "A gendir or a contract")
      ->required();
  command->add_flag("--ignore-type-names", arguments.ignore_type_names,
                    "Compare tensors by slots alone, whatever the types of "
                    "the tasks are called: for builds for two targets");
}

int RunDiff(const DiffArguments& arguments) {
  const std::string differences = graph_coverage::WriteDiff(
      CoverageOf(arguments.was), CoverageOf(arguments.is),
      {arguments.ignore_type_names});
  WriteToStandardOutput(differences.empty() ? "alike\n" : differences);
  return differences.empty() ? kExitPass : kExitFail;
}
