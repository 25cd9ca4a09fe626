// SPDX-License-Identifier: Apache-2.0
//
// audit: the audit of one or several gendirs.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/progress.h"
#include "graph_coverage/write.h"
#include "tool/commands.h"
#include "tool/output.h"
#include "tool/progress_line.h"

namespace {

using graph_coverage::AuditOptions;
using graph_coverage::Progress;
using graph_coverage::Report;
using graph_coverage::Verdict;

AuditOptions OptionsOf(const AuditArguments& arguments) {
  AuditOptions options;
  if (!arguments.critical.empty()) {
    options.policy.critical = arguments.critical;
  }
  options.policy.require = arguments.require;
  options.policy.fail_on = *graph_coverage::ParseSeverity(arguments.fail_on);
  if (!arguments.ranks.empty()) {
    options.ranks.emplace();
    for (const std::uint32_t rank : arguments.ranks) {
      options.ranks->push_back(graph_coverage::RankId(rank));
    }
  }
  options.runtime_header = arguments.runtime_header;
  options.semantics = arguments.semantics;
  options.jobs = arguments.jobs;
  return options;
}

bool UseColour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 &&
         (no_colour == nullptr || *no_colour == '\0');
}

std::string Render(const std::vector<Report>& reports,
                   const std::string& format, bool colour) {
  if (format == "json") return graph_coverage::WriteJson(reports);
  std::string text;
  for (const Report& report : reports) {
    if (!text.empty()) text += "\n";
    text += graph_coverage::WriteText(report, {colour});
  }
  return text;
}

int ExitCodeOf(const std::vector<Report>& reports) {
  int code = kExitPass;
  for (const Report& report : reports) {
    code = std::max(code, report.verdict == Verdict::kInvalid ? kExitBadInput
                          : report.verdict == Verdict::kFail  ? kExitFail
                                                              : kExitPass);
  }
  return code;
}

}  // namespace

int RunAudit(const AuditArguments& arguments) {
  std::vector<std::string> gendirs = arguments.gendirs;
  if (gendirs.empty()) gendirs.push_back(".");

  AuditOptions options = OptionsOf(arguments);
  Progress progress;
  options.progress = &progress;
  std::vector<Report> reports;
  {
    const ProgressLine line([&progress] {
      return fmt::format("read {} of {} ranks …", progress.ranks_read.load(),
                         progress.ranks.load());
    });
    for (const std::string& gendir : gendirs) {
      reports.push_back(graph_coverage::Audit(gendir, options));
    }
  }
  for (const Report& report : reports) {
    for (const graph_coverage::InputError& error : report.errors) {
      fmt::print(stderr, "error: {}\n", error.what());
    }
  }
  if (arguments.output.empty()) {
    WriteToStandardOutput(Render(reports, arguments.format, UseColour()));
  } else {
    WriteToFile(arguments.output, Render(reports, arguments.format, false));
  }
  return ExitCodeOf(reports);
}
