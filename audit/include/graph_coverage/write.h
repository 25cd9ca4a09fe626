// SPDX-License-Identifier: Apache-2.0
//
// Reports as text. Each output is a function from reports to a string, the
// same bytes for the same reports.
#pragma once

#include <string>
#include <vector>

#include "graph_coverage/report.h"

namespace graph_coverage {

struct TextOptions {
  bool colour = false;  // terminal escapes around verdicts and severities
};

// For people: a line a critical tensor (or family of tensors), the findings,
// what was judged, and PASS or FAIL. Names are shown with control characters
// escaped.
std::string WriteText(const Report& report, const TextOptions& options = {});

// A finding as the report above has it: what is wrong, then where it is and its
// id, then its consequences.
std::string WriteText(const Finding& finding, const TextOptions& options = {});

// For machines: JSON as docs/report.schema.json describes it. One report gives
// an object; several give an object that holds them.
std::string WriteJson(const std::vector<Report>& reports);

struct SarifOptions {
  // Absolute path of the folder that paths in the report start from and that
  // files are named from: the repository's. Empty: the paths are relative.
  std::string root;
  bool waived = false;  // give waived findings too, as suppressed results
};

// For code scanning sites: SARIF 2.1.0, a run a report. Results are cut to
// what GitHub takes; the log says so where they are.
std::string WriteSarif(const std::vector<Report>& reports,
                       const SarifOptions& options = {});

// For CI servers: JUnit XML, a testsuite a report, a testcase a rule. Findings
// of the severity that fails are failures, others output of their case.
std::string WriteJunit(const std::vector<Report>& reports);

// For GitHub's logs: a workflow command for each of the worst ten errors and
// warnings of all reports, and one with the counts.
std::string WriteGithub(const std::vector<Report>& reports);

}  // namespace graph_coverage
