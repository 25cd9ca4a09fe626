// SPDX-License-Identifier: Apache-2.0
#include "tool/audit_outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "graph_coverage/dot.h"
#include "graph_coverage/html.h"
#include "graph_coverage/write.h"
#include "tool/graphviz.h"
#include "tool/output.h"

namespace {

using graph_coverage::AuditedGendir;
using graph_coverage::Finding;
using graph_coverage::Report;

constexpr std::size_t kMostNearIds = 5;

AuditOutput OutputOf(const std::string& word) {
  const std::size_t equals = word.find('=');
  AuditOutput output;
  output.format = word.substr(0, equals);
  if (std::find(std::begin(kAuditFormats), std::end(kAuditFormats),
                output.format) == std::end(kAuditFormats)) {
    throw UsageError(
        fmt::format("--format {}: there is no such format, only {}", word,
                    fmt::join(kAuditFormats, ", ")));
  }
  if (equals == std::string::npos) return output;
  output.file = word.substr(equals + 1);
  if (output.file.empty()) {
    throw UsageError(fmt::format("--format {}: the file has no name", word));
  }
  return output;
}

bool UseColour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 &&
         (no_colour == nullptr || *no_colour == '\0');
}

std::string Text(const std::vector<Report>& reports, bool colour) {
  std::string text;
  for (const Report& report : reports) {
    if (!text.empty()) text += "\n";
    text += graph_coverage::WriteText(report, {colour});
  }
  return text;
}

void AddIds(const Finding& finding,
            std::vector<std::pair<std::string, std::string>>* ids) {
  ids->emplace_back(finding.id, fmt::format("{} ({} {})", finding.id,
                                            finding.rule, finding.tensor));
  for (const Finding& consequence : finding.consequences) {
    AddIds(consequence, ids);
  }
}

// How many characters two ids have in common, place by place.
std::size_t Likeness(const std::string& a, const std::string& b) {
  std::size_t same = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    same += a[i] == b[i] ? 1 : 0;
  }
  return same;
}

[[noreturn]] void RefuseId(const std::string& id,
                           const std::vector<Report>& reports) {
  std::vector<std::pair<std::string, std::string>> ids;
  for (const Report& report : reports) {
    for (const Finding& finding : report.findings) AddIds(finding, &ids);
    for (const auto& waived : report.waived) AddIds(waived.finding, &ids);
  }
  std::stable_sort(ids.begin(), ids.end(), [&id](const auto& a, const auto& b) {
    return Likeness(id, a.first) > Likeness(id, b.first);
  });
  if (ids.size() > kMostNearIds) ids.resize(kMostNearIds);
  std::vector<std::string> near;
  for (const auto& [other, words] : ids) near.push_back(words);
  throw UsageError(fmt::format(
      "--dot {}: there is no such finding; {}", id,
      near.empty() ? "there is none at all"
                   : fmt::format("near it are {}", fmt::join(near, ", "))));
}

std::string Dot(const std::string& id, const std::vector<AuditedGendir>& of,
                const std::vector<Report>& reports) {
  for (const AuditedGendir& audited : of) {
    if (const Finding* finding = audited.report.Find(id)) {
      return graph_coverage::WriteDot(audited.ranks, *finding);
    }
  }
  RefuseId(id, reports);
}

std::string Render(const AuditOutput& output, const AuditArguments& arguments,
                   const std::vector<AuditedGendir>& of,
                   const std::vector<Report>& reports) {
  if (output.format == "json") return graph_coverage::WriteJson(reports);
  if (output.format == "junit") return graph_coverage::WriteJunit(reports);
  if (output.format == "github") return graph_coverage::WriteGithub(reports);
  if (output.format == "html") {
    return graph_coverage::WriteHtml(of, {DrawWithGraphviz});
  }
  if (output.format == "dot") return Dot(arguments.dot, of, reports);
  if (output.format == "sarif") {
    return graph_coverage::WriteSarif(
        reports, {std::filesystem::current_path(), arguments.sarif_waived});
  }
  return Text(reports, output.file.empty() && UseColour());
}

}  // namespace

std::vector<AuditOutput> AuditOutputs(const AuditArguments& arguments) {
  std::vector<AuditOutput> outputs;
  std::vector<std::string> printed;
  if (!arguments.dot.empty()) printed.emplace_back("dot");
  for (const std::string& word : arguments.formats) {
    AuditOutput output = OutputOf(word);
    if (output.file.empty()) {
      printed.push_back(output.format);
    } else {
      outputs.push_back(std::move(output));
    }
  }
  if (printed.size() > 1) {
    throw UsageError(
        fmt::format("{} and {} cannot both be printed: give one a file, as in "
                    "--format {}=FILE",
                    printed[0], printed[1], printed[1]));
  }
  // Last, so that a file that cannot be written leaves nothing printed.
  outputs.push_back({printed.empty() ? "text" : printed[0], arguments.output});
  std::set<std::filesystem::path> files;
  for (const AuditOutput& output : outputs) {
    if (!output.file.empty() &&
        !files.insert(std::filesystem::path(output.file).lexically_normal())
             .second) {
      throw UsageError(fmt::format("{} is to hold two outputs", output.file));
    }
  }
  return outputs;
}

void WriteAuditOutputs(const std::vector<AuditOutput>& outputs,
                       const AuditArguments& arguments,
                       const std::vector<AuditedGendir>& of) {
  std::vector<Report> reports;
  for (const AuditedGendir& audited : of) reports.push_back(audited.report);
  for (const AuditOutput& output : outputs) {
    const std::string text = Render(output, arguments, of, reports);
    if (output.file.empty()) {
      WriteToStandardOutput(text);
    } else {
      WriteToFile(output.file, text);
    }
  }
}
