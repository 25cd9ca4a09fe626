// SPDX-License-Identifier: Apache-2.0
//
// record and diff: the coverage of a good build, and what has changed since.
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

int RunRecord(const RecordArguments& arguments) {
  Print(graph_coverage::WriteContract(
            graph_coverage::RecordContract(arguments.gendir)),
        arguments.output);
  return kExitPass;
}

int RunDiff(const DiffArguments& arguments) {
  const std::string differences = graph_coverage::WriteDiff(
      CoverageOf(arguments.was), CoverageOf(arguments.is),
      {arguments.ignore_type_names});
  WriteToStandardOutput(differences.empty() ? "alike\n" : differences);
  return differences.empty() ? kExitPass : kExitFail;
}
