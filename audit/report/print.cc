// SPDX-License-Identifier: Apache-2.0
//
// How GoogleTest prints reports and what they are made of.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "audit/model/one_line.h"
#include "audit/report/finding_text.h"
#include "graph_coverage/audit.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/report.h"

namespace graph_coverage {
namespace {

// A failure's message holds more than the finding: one consequence will do.
std::string PrintedText(const Finding& finding, const std::string& indent) {
  return FindingText(finding, {indent, false, 1});
}

}  // namespace

void PrintTo(const Place& place, std::ostream* out) {
  *out << place.file;
  if (place.line > 0) *out << ':' << place.line;
  if (place.column > 0) *out << ':' << place.column;
}

void PrintTo(const InputError& error, std::ostream* out) {
  *out << error.what();
}

void PrintTo(const MemoryFile& file, std::ostream* out) {
  *out << fmt::format("{} ({})", file.name,
                      Counted(file.content.size(), "byte"));
}

void PrintTo(const Gendir& gendir, std::ostream* out) {
  *out << "gendir " << gendir.name();
  if (gendir.in_memory()) {
    *out << fmt::format(" (in memory, {})",
                        Counted(gendir.files().size(), "file"));
  }
}

void PrintTo(const TaskRange& range, std::ostream* out) {
  if (Index(range.first) == Index(range.last)) {
    *out << fmt::format("task {}", Index(range.first));
  } else {
    *out << fmt::format("tasks {}-{}", Index(range.first), Index(range.last));
  }
}

void PrintTo(const Finding& finding, std::ostream* out) {
  std::string text = PrintedText(finding, "");
  text.pop_back();  // the end of the last line
  *out << text;
}

void PrintTo(const std::vector<Finding>& findings, std::ostream* out) {
  if (findings.empty()) {
    *out << "{}";
    return;
  }
  *out << "{\n";
  for (const Finding& finding : findings) *out << PrintedText(finding, "  ");
  *out << '}';
}

void PrintTo(Severity severity, std::ostream* out) {
  *out << ToString(severity);
}

void PrintTo(const Waiver& waiver, std::ostream* out) {
  *out << fmt::format("waiver of {} on {}", waiver.rule, waiver.tensor);
  if (!waiver.layers.empty()) {
    *out << fmt::format(", layers {}", fmt::join(waiver.layers, ", "));
  }
  if (!waiver.ranks.empty()) *out << ", " << RankList(waiver.ranks);
  if (!waiver.expires.empty()) *out << ", until " << waiver.expires;
  *out << ": "
       << (waiver.reason.empty() ? "no reason" : OneLine(waiver.reason));
}

void PrintTo(const LayerKind& kind, std::ostream* out) {
  *out << fmt::format("kind of layers {}{}: ", kind.prefix,
                      fmt::join(kind.layers, ", "))
       << OneLine(kind.reason);
}

void PrintTo(const Policy& policy, std::ostream* out) {
  *out << "policy: "
       << (policy.critical
               ? fmt::format("critical {}", fmt::join(*policy.critical, ", "))
               : "default critical set");
  if (!policy.required.empty()) {
    *out << fmt::format(", required {}", fmt::join(policy.required, ", "));
  }
  for (const auto& [rule, severity] : policy.severities) {
    *out << fmt::format(", {} is {}", rule, ToString(severity));
  }
  for (const std::string& rule : policy.off) {
    *out << fmt::format(", {} is off", rule);
  }
  if (policy.layer_prefixes) {
    *out << fmt::format(", layers are {}",
                        fmt::join(*policy.layer_prefixes, ", "));
  }
  if (!policy.layer_kinds.empty()) {
    *out << ", "
         << Counted(policy.layer_kinds.size(), "kind of layers",
                    "kinds of layers");
  }
  if (!policy.semantics.empty()) *out << ", semantics of its own";
  if (!policy.waivers.empty()) {
    *out << ", " << Counted(policy.waivers.size(), "waiver");
  }
  if (!policy.require.empty()) {
    *out << fmt::format(", requires groups {}",
                        fmt::join(policy.require, ", "));
  }
  *out << fmt::format(", fails on {}", ToString(policy.fail_on));
  if (!policy.file.empty()) *out << ", of " << policy.file;
  if (!policy.today.empty()) *out << ", on " << policy.today;
}

void PrintTo(const AuditOptions& options, std::ostream* out) {
  *out << (options.ranks ? RankList(*options.ranks) : "all ranks") << ", ";
  PrintTo(options.policy, out);
  if (!options.runtime_header.empty()) {
    *out << ", types of " << options.runtime_header;
  }
  if (!options.semantics.empty()) {
    *out << ", semantics of " << options.semantics;
  }
  if (!options.contract.empty()) *out << ", contract " << options.contract;
}

void PrintTo(Scope scope, std::ostream* out) { *out << ToString(scope); }

void PrintTo(const RuleInfo& rule, std::ostream* out) {
  *out << fmt::format("rule {} (group {}, {}): {}", rule.id, rule.group,
                      ToString(rule.severity), rule.title);
}

void PrintTo(Verdict verdict, std::ostream* out) { *out << ToString(verdict); }

void PrintTo(const TensorCoverage& tensor, std::ostream* out) {
  *out << fmt::format("{} ({}{}): input_refs={} consumer_task_types=[{}], {}",
                      tensor.name, ToString(tensor.kind),
                      tensor.critical ? ", critical" : "", tensor.input_refs,
                      fmt::join(tensor.consumer_task_types, ", "),
                      RankList(tensor.ranks));
}

void PrintTo(const RankSummary& summary, std::ostream* out) {
  *out << fmt::format("rank {}: {} and {}, {}, {}", Index(summary.rank),
                      summary.kernel_file, summary.graph_file,
                      Counted(summary.declarations, "declaration"),
                      Counted(summary.tasks, "task"));
}

void PrintTo(const RuleOutcome& outcome, std::ostream* out) {
  *out << fmt::format("{}: judged {}", outcome.rule, outcome.judged);
  for (const auto& [reason, count] : outcome.could_not_judge) {
    *out << fmt::format(", could not judge {} ({})", count, reason);
  }
}

void PrintTo(const WaivedFinding& waived, std::ostream* out) {
  *out << "waived (" << OneLine(waived.reason) << ") ";
  PrintTo(waived.finding, out);
}

void PrintTo(const PolicySummary& policy, std::ostream* out) {
  *out << fmt::format("policy {}: {}, {}",
                      policy.file.empty() ? "of no file" : policy.file,
                      Counted(policy.waivers, "waiver"),
                      Counted(policy.off.size(), "rule off", "rules off"));
}

void PrintTo(const Report& report, std::ostream* out) {
  *out << fmt::format("report of {}: {}", report.gendir,
                      ToString(report.verdict));
  if (report.verdict == Verdict::kInvalid) {
    *out << ", " << Counted(report.errors.size(), "input error");
    return;
  }
  *out << fmt::format(", {}, {}, {}, {}", Counted(report.ranks.size(), "rank"),
                      Counted(report.Count(Severity::kError), "error"),
                      Counted(report.Count(Severity::kWarning), "warning"),
                      Counted(report.Count(Severity::kNote), "note"));
}

}  // namespace graph_coverage
