// SPDX-License-Identifier: Apache-2.0
//
// mk-graph-coverage-audit: the audit for shells and CI.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>

#include "graph_coverage/error.h"
#include "tool/command_line.h"
#include "tool/commands.h"
#include "tool/heap.h"
#include "tool/output.h"

namespace {

int Run(int argc, char** argv) {
  CommandLine line;
  try {
    line.Parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream help;
    const int code = line.app.exit(error, help, std::cerr);
    WriteToStandardOutput(help.str());
    return code == 0 ? kExitPass : kExitBadInput;
  }
  const CLI::App& app = line.app;
  if (app.got_subcommand("rules")) return RunRules();
  if (app.got_subcommand("explain")) return RunExplain(line.rule);
  if (app.got_subcommand("demo")) return RunDemo(line.directory);
  if (app.got_subcommand("mutate")) return RunMutate(line.mutate);
  if (app.got_subcommand("waivers")) return RunWaivers(line.waivers);
  if (app.got_subcommand("record")) return RunRecord(line.record);
  if (app.got_subcommand("diff")) return RunDiff(line.diff);
  return RunAudit(line.audit);
}

}  // namespace

int main(int argc, char** argv) {
  graph_coverage::PrepareHeap();
  try {
    return Run(argc, argv);
  } catch (const UsageError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kExitBadInput;
  } catch (const graph_coverage::InputError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kExitBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "internal error: %s\n", error.what());
    return kExitFault;
  }
}
