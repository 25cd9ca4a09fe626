// SPDX-License-Identifier: Apache-2.0
//
// The audit: from the artifacts of a megakernel to a report.
//
//   graph_coverage::Report report = graph_coverage::Audit("build/gendir");
//   if (report.verdict != graph_coverage::Verdict::kPass) …
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "graph_coverage/gendir.h"
#include "graph_coverage/model/ids.h"
#include "graph_coverage/model/rank.h"
#include "graph_coverage/model/view.h"
#include "graph_coverage/policy.h"
#include "graph_coverage/report.h"

namespace graph_coverage {

struct Progress;  // graph_coverage/progress.h

struct AuditOptions {
  // A policy of which nothing is set stands for the policy file beside the
  // gendir, where there is one (policy_file.h): Audit reads it.
  Policy policy;
  // The ranks to audit; not given: all that the gendir has. A rank that is
  // asked for and absent is an error.
  std::optional<std::vector<RankId>> ranks;
  // Path of a runtime_header.h that numbers the task types; empty: none.
  std::string runtime_header;
  // Path of a table of task semantics, in the form of the built-in one
  // (audit/model/task_semantics.json), whose types add to it or replace its
  // own; empty: none.
  std::string semantics;
  // Path of a contract, the recorded coverage of a good build (contract.h):
  // what differs from it is found by the rule contract-drift; empty: none.
  std::string contract;
  // Ranks read at a time; 0: one a core. The report is the same for any.
  unsigned jobs = 0;
  // Filled in as ranks are read; null: nobody looks.
  Progress* progress = nullptr;
};

// Reads and audits a gendir. Never throws for bad input: the report's verdict
// is then kInvalid and `errors` says why.
Report Audit(const Gendir& gendir, const AuditOptions& options = {});

// A report, and the ranks that it is of where nothing kept it from being made.
struct AuditedGendir {
  Report report;
  std::vector<Rank> ranks;
};

// Audit(), for those who look into the ranks afterwards.
AuditedGendir AuditAndKeep(const Gendir& gendir,
                           const AuditOptions& options = {});

// Reads the ranks of a gendir without judging them, in ascending order.
// Throws InputError where one cannot be read.
std::vector<Rank> ReadRanks(const Gendir& gendir,
                            const AuditOptions& options = {});

// Audits ranks that have been read; `name` is the gendir's name in the report.
Report AuditRanks(const std::string& name, const std::vector<Rank>& ranks,
                  const AuditOptions& options = {});

// Audits ranks as they are seen: each as it is, or under a mutation.
Report AuditViews(const std::string& name, const std::vector<View>& views,
                  const AuditOptions& options = {});

// GoogleTest prints the type with one line.
void PrintTo(const AuditOptions& options, std::ostream* out);

}  // namespace graph_coverage
