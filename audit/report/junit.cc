// SPDX-License-Identifier: Apache-2.0
//
// The audit as JUnit XML: one testsuite a gendir, one testcase a rule.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "audit/report/finding_text.h"
#include "audit/report/xml.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/write.h"

namespace graph_coverage {
namespace {

struct CaseCounts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
};

std::string Attributes(const CaseCounts& counts) {
  return fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", counts.tests,
      counts.failures, counts.errors, counts.skipped);
}

// The finding and what follows from it, a line each and one for its place.
std::string FindingLines(const Finding& finding, const std::string& indent) {
  std::string lines = fmt::format("{0}{1}[{2}]: {3}\n{0}  {4}\n", indent,
                                  ToString(finding.severity), finding.rule,
                                  XmlEscaped(finding.message()),
                                  XmlEscaped(WhereText(finding)));
  for (const Finding& consequence : finding.consequences) {
    lines += FindingLines(consequence, indent + "    ");
  }
  return lines;
}

// What a rule's testcase holds; empty where it passes without a word.
std::string CaseContent(const Report& report, const RuleOutcome& outcome,
                        CaseCounts* counts) {
  std::string failures;
  std::string others;
  std::string first;
  for (const Finding& finding : report.findings) {
    if (finding.rule != outcome.rule) continue;
    if (finding.severity < report.fail_on) {
      others += FindingLines(finding, "");
      continue;
    }
    if (failures.empty()) first = finding.message();
    failures += FindingLines(finding, "");
  }
  std::string content;
  if (!failures.empty()) {
    ++counts->failures;
    content += fmt::format(
        "      <failure message=\"{}\" type=\"{}\">{}"
        "</failure>\n",
        XmlEscaped(first), outcome.rule, failures);
  } else if (outcome.judged == 0 && !outcome.could_not_judge.empty()) {
    ++counts->skipped;
    std::string reasons;
    for (const auto& [reason, subjects] : outcome.could_not_judge) {
      reasons += fmt::format("{}{} ({})", reasons.empty() ? "" : ", ", reason,
                             subjects);
    }
    content += fmt::format("      <skipped message=\"could not judge: {}\"/>\n",
                           XmlEscaped(reasons));
  }
  if (!others.empty()) {
    content += fmt::format("      <system-out>{}</system-out>\n", others);
  }
  return content;
}

std::string CaseText(const std::string& name, const std::string& class_name,
                     const std::string& content) {
  const std::string head = fmt::format(
      "    <testcase name=\"{}\" classname=\"{}\"", name, class_name);
  return content.empty()
             ? head + "/>\n"
             : fmt::format("{}>\n{}    </testcase>\n", head, content);
}

std::string SuiteText(const Report& report, CaseCounts* all) {
  CaseCounts counts;
  std::string cases;
  for (const InputError& error : report.errors) {
    ++counts.tests;
    ++counts.errors;
    cases += CaseText("artifacts", "mk-graph-coverage-audit",
                      fmt::format("      <error message=\"{}\"/>\n",
                                  XmlEscaped(error.what())));
  }
  for (const RuleOutcome& outcome : report.rules) {
    ++counts.tests;
    const std::string content = CaseContent(report, outcome, &counts);
    cases += CaseText(outcome.rule, "mk-graph-coverage-audit", content);
  }
  all->tests += counts.tests;
  all->failures += counts.failures;
  all->errors += counts.errors;
  all->skipped += counts.skipped;
  return fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n",
                     XmlEscaped(report.gendir), Attributes(counts), cases);
}

}  // namespace

std::string WriteJunit(const std::vector<Report>& reports) {
  CaseCounts counts;
  std::string suites;
  for (const Report& report : reports) suites += SuiteText(report, &counts);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"mk-graph-coverage-audit\" {}>\n{}</testsuites>\n",
      Attributes(counts), suites);
}

}  // namespace graph_coverage
