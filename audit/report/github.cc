// SPDX-License-Identifier: Apache-2.0
//
// The audit as workflow commands, which GitHub shows as annotations.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "audit/artifacts/utf8.h"
#include "audit/model/one_line.h"
#include "audit/report/finding_text.h"
#include "graph_coverage/write.h"

namespace graph_coverage {
namespace {

// GitHub shows no more of one kind for one step.
constexpr std::size_t kMostAnnotations = 10;

// `text` with the characters that end a command, or a property of one.
std::string Escaped(std::string_view text, bool property) {
  std::string escaped;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' ||
        (property && (c == ':' || c == ','))) {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// Each part of `lines` is one line of the annotation.
std::string Command(const char* kind, const Place& place,
                    const std::string& title,
                    const std::vector<std::string>& lines) {
  std::string command = fmt::format("::{} ", kind);
  if (!place.file.empty()) {
    command += "file=" + Escaped(Printable(place.file), true) + ",";
    if (place.line > 0) command += fmt::format("line={},", place.line);
    if (place.column > 0) command += fmt::format("col={},", place.column);
  }
  std::string message;
  for (const std::string& line : lines) {
    message += (message.empty() ? "" : "\n") + Printable(line);
  }
  return command + "title=" + Escaped(title, true) +
         "::" + Escaped(message, false) + "\n";
}

std::string FindingCommand(const Finding& finding) {
  return Command(finding.severity == Severity::kError ? "error" : "warning",
                 finding.places.empty() ? Place{} : finding.places.front(),
                 finding.rule, {finding.message(), WhereText(finding)});
}

std::string SummaryLine(const Report& report) {
  if (report.verdict == Verdict::kInvalid) {
    return fmt::format("{}: FAIL, nothing was audited", report.gendir);
  }
  return fmt::format("{}: {}, {}, {}, {}", report.gendir,
                     report.verdict == Verdict::kPass ? "PASS" : "FAIL",
                     Counted(report.Count(Severity::kError), "error"),
                     Counted(report.Count(Severity::kWarning), "warning"),
                     Counted(report.Count(Severity::kNote), "note"));
}

}  // namespace

std::string WriteGithub(const std::vector<Report>& reports) {
  std::vector<std::string> commands;
  std::vector<std::string> summary;
  for (const Report& report : reports) {
    for (const InputError& error : report.errors) {
      commands.push_back(
          Command("error", error.place(), "artifacts", {error.what()}));
    }
    summary.push_back(SummaryLine(report));
  }
  // The worst of all reports come first.
  for (const Severity severity : {Severity::kError, Severity::kWarning}) {
    for (const Report& report : reports) {
      for (const Finding& finding : report.findings) {
        if (finding.severity == severity) {
          commands.push_back(FindingCommand(finding));
        }
      }
    }
  }
  if (commands.size() > kMostAnnotations) {
    summary.push_back(fmt::format("{} of {} errors and warnings are shown here",
                                  kMostAnnotations, commands.size()));
    commands.resize(kMostAnnotations);
  }
  std::string text;
  for (const std::string& command : commands) text += command;
  return text + Command("notice", {}, "mk-graph-coverage-audit", summary);
}

}  // namespace graph_coverage
