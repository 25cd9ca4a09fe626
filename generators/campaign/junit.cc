// SPDX-License-Identifier: Apache-2.0
//
// The campaign as JUnit XML: one testsuite an operator, one testcase a mutant.
#include <fmt/format.h>

#include <string>

#include "audit/report/xml.h"
#include "graph_coverage/campaign/campaign_result.h"

namespace graph_coverage {
namespace {

std::string Detail(const CampaignResult& result, const Mutant& mutant) {
  return XmlEscaped(mutant.before) + "\n" + XmlEscaped(mutant.after) + "\n" +
         XmlEscaped(ReplayCommand(result, mutant));
}

std::string CaseText(const CampaignResult& result, const OperatorResult& op,
                     const Mutant& mutant) {
  std::string inside;
  switch (mutant.outcome) {
    case Outcome::kCaught:
      break;
    case Outcome::kSurvived:
      inside = fmt::format("<failure message=\"survived\">{}</failure>",
                           Detail(result, mutant));
      break;
    case Outcome::kOracleGap:
      inside = fmt::format(
          "<failure message=\"fires where nothing changed: {}\">{}</failure>",
          XmlEscaped(fmt::format("{}", fmt::join(mutant.rules, ", "))),
          Detail(result, mutant));
      break;
    case Outcome::kEquivalent:
      inside =
          fmt::format("<skipped message=\"{}\"/>", XmlEscaped(mutant.reason));
      break;
    case Outcome::kError:
      inside = fmt::format("<error message=\"{}\">{}</error>",
                           XmlEscaped(mutant.reason), Detail(result, mutant));
      break;
  }
  const std::string head =
      fmt::format("    <testcase name=\"{}\" classname=\"{}\"",
                  XmlEscaped(mutant.id), XmlEscaped(op.op));
  return inside.empty() ? head + "/>\n"
                        : fmt::format("{}>{}</testcase>\n", head, inside);
}

}  // namespace

std::string WriteCampaignJunit(const CampaignResult& result) {
  const auto attributes = [](const OutcomeCounts& counts) {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"",
                       counts.total(), counts.survived + counts.oracle_gap,
                       counts.error);
  };
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml += fmt::format("<testsuites name=\"{}\" {}>\n", XmlEscaped(result.gendir),
                     attributes(result.counts()));
  for (const OperatorResult& op : result.operators) {
    if (op.counts.total() == 0) continue;
    xml += fmt::format("  <testsuite name=\"{}\" {} skipped=\"{}\">\n",
                       XmlEscaped(op.op), attributes(op.counts),
                       op.counts.equivalent);
    for (const Mutant& mutant : op.mutants) {
      xml += CaseText(result, op, mutant);
    }
    xml += "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

}  // namespace graph_coverage
