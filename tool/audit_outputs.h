// SPDX-License-Identifier: Apache-2.0
//
// What `audit` writes, and where: several outputs of one audit.
#pragma once

#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "tool/commands.h"

struct AuditOutput {
  std::string format;  // "text", "sarif", …; "dot" for a finding's drawing
  std::string file;    // empty: standard output
};

// What the arguments ask for: each --format FORMAT=FILE, and what is printed
// or goes to --output. Throws UsageError where they contradict themselves.
std::vector<AuditOutput> AuditOutputs(const AuditArguments& arguments);

// Writes files first, standard output last. Throws UsageError where one cannot
// be written, or where the finding to be drawn is in no report.
void WriteAuditOutputs(const std::vector<AuditOutput>& outputs,
                       const AuditArguments& arguments,
                       const std::vector<graph_coverage::AuditedGendir>& of);
