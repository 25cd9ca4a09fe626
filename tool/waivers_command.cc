// SPDX-License-Identifier: Apache-2.0
//
// waivers: what a gendir has found as waivers to decide on.
#include <filesystem>
#include <string>
#include <system_error>

#include "graph_coverage/audit.h"
#include "graph_coverage/policy_file.h"
#include "tool/commands.h"
#include "tool/output.h"

int RunWaivers(const WaiversArguments& arguments) {
  std::error_code error;
  if (std::filesystem::is_regular_file(arguments.output, error)) {
    throw UsageError(arguments.output +
                     ": is there already, and may hold decisions; write to "
                     "another file");
  }
  graph_coverage::AuditOptions options;
  options.policy = PolicyOf(arguments.gendir, arguments.policy);
  const graph_coverage::Report report =
      graph_coverage::Audit(arguments.gendir, options);
  if (!report.errors.empty()) throw report.errors.front();
  Print(graph_coverage::WriteWaivers(report), arguments.output);
  return kExitPass;
}

graph_coverage::Policy PolicyOf(const graph_coverage::Gendir& gendir,
                                const std::string& file) {
  return file.empty() ? graph_coverage::PolicyFor(gendir)
                      : graph_coverage::ReadPolicy(file);
}
