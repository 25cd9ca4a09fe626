// SPDX-License-Identifier: Apache-2.0
//
// The campaign as JUnit XML: one testsuite an operator, one testcase a mutant.
#include <fmt/format.h>

#include <string>

#include "generators/campaign/text.h"
#include "graph_coverage/campaign/campaign_result.h"

namespace graph_coverage {
namespace {

std::string Escape(const std::string& text) {
  std::string escaped;
  for (const char c : OneLineText(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string Detail(const CampaignResult& result, const Mutant& mutant) {
  return Escape(mutant.before) + "\n" + Escape(mutant.after) + "\n" +
         Escape(ReplayCommand(result, mutant));
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
          Escape(fmt::format("{}", fmt::join(mutant.rules, ", "))),
          Detail(result, mutant));
      break;
    case Outcome::kEquivalent:
      inside = fmt::format("<skipped message=\"{}\"/>", Escape(mutant.reason));
      break;
    case Outcome::kError:
      inside = fmt::format("<error message=\"{}\">{}</error>",
                           Escape(mutant.reason), Detail(result, mutant));
      break;
  }
  const std::string head =
      fmt::format("    <testcase name=\"{}\" classname=\"{}\"",
                  Escape(mutant.id), Escape(op.op));
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
  xml += fmt::format("<testsuites name=\"{}\" {}>\n", Escape(result.gendir),
                     attributes(result.counts()));
  for (const OperatorResult& op : result.operators) {
    if (op.counts.total() == 0) continue;
    xml +=
        fmt::format("  <testsuite name=\"{}\" {} skipped=\"{}\">\n",
                    Escape(op.op), attributes(op.counts), op.counts.equivalent);
    for (const Mutant& mutant : op.mutants) {
      xml += CaseText(result, op, mutant);
    }
    xml += "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

}  // namespace graph_coverage
