// SPDX-License-Identifier: Apache-2.0
//
// audit: the audit of one or several gendirs.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/progress.h"
#include "tool/audit_outputs.h"
#include "tool/commands.h"
#include "tool/progress_line.h"

namespace {

using graph_coverage::AuditedGendir;
using graph_coverage::AuditOptions;
using graph_coverage::Progress;
using graph_coverage::Verdict;

AuditOptions OptionsOf(const AuditArguments& arguments,
                       const std::string& gendir) {
  AuditOptions options;
  options.policy = PolicyOf(gendir, arguments.policy);
  if (!arguments.critical.empty()) {
    options.policy.critical = arguments.critical;
  }
  options.policy.require.insert(options.policy.require.end(),
                                arguments.require.begin(),
                                arguments.require.end());
  if (!arguments.fail_on.empty()) {
    options.policy.fail_on = *graph_coverage::ParseSeverity(arguments.fail_on);
  }
  if (!arguments.ranks.empty()) {
    options.ranks.emplace();
    for (const std::uint32_t rank : arguments.ranks) {
      options.ranks->push_back(graph_coverage::RankId(rank));
    }
  }
  options.runtime_header = arguments.runtime_header;
  options.semantics = arguments.semantics;
  options.contract = arguments.contract;
  options.jobs = arguments.jobs;
  return options;
}

AuditedGendir AuditOf(const std::string& gendir,
                      const AuditArguments& arguments, Progress* progress) {
  try {
    AuditOptions options = OptionsOf(arguments, gendir);
    options.progress = progress;
    return graph_coverage::AuditAndKeep(gendir, options);
  } catch (const graph_coverage::InputError& error) {  // of the policy
    AuditedGendir audited;
    audited.report.gendir = gendir;
    audited.report.errors = {error};
    return audited;
  }
}

int ExitCodeOf(const std::vector<AuditedGendir>& audits) {
  int code = kExitPass;
  for (const AuditedGendir& audited : audits) {
    const Verdict verdict = audited.report.verdict;
    code = std::max(code, verdict == Verdict::kInvalid ? kExitBadInput
                          : verdict == Verdict::kFail  ? kExitFail
                                                       : kExitPass);
  }
  return code;
}

}  // namespace

int RunAudit(const AuditArguments& arguments) {
  std::vector<std::string> gendirs = arguments.gendirs;
  if (gendirs.empty()) gendirs.push_back(".");

  const std::vector<AuditOutput> outputs = AuditOutputs(arguments);
  const bool looks_into_ranks =
      std::any_of(outputs.begin(), outputs.end(), [](const AuditOutput& o) {
        return o.format == "dot" || o.format == "html";
      });
  Progress progress;
  std::vector<AuditedGendir> audits;
  {
    const ProgressLine line([&progress] {
      return fmt::format("read {} of {} ranks …", progress.ranks_read.load(),
                         progress.ranks.load());
    });
    for (const std::string& gendir : gendirs) {
      audits.push_back(AuditOf(gendir, arguments, &progress));
      // Ranks are large, and only drawings and the page look into them.
      if (!looks_into_ranks) audits.back().ranks.clear();
    }
  }
  for (const AuditedGendir& audited : audits) {
    for (const graph_coverage::InputError& error : audited.report.errors) {
      fmt::print(stderr, "error: {}\n", error.what());
    }
  }
  WriteAuditOutputs(outputs, arguments, audits);
  return ExitCodeOf(audits);
}
