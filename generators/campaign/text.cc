// SPDX-License-Identifier: Apache-2.0
//
// The text output of a campaign.
#include "generators/campaign/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "audit/artifacts/utf8.h"
#include "graph_coverage/catalogue.h"

namespace graph_coverage {
namespace {

std::string Plural(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", WithThousands(count), noun,
                     count == 1 ? "" : "s");
}

std::string BaselineText(const Baseline& baseline) {
  std::string text = fmt::format(
      "Baseline: {}, {}, {}, {}.\n", ToString(baseline.verdict),
      Plural(baseline.errors, "error"), Plural(baseline.warnings, "warning"),
      Plural(baseline.notes, "note"));
  if (baseline.verdict == Verdict::kPass) return text;
  text += "The gendir itself fails. Mutants are held against that:\n";
  for (const std::string& finding : baseline.findings) {
    text += "  " + Printable(finding.substr(0, finding.find(". "))) + "\n";
  }
  return text;
}

// A line an operator, of those that judged something.
std::string OperatorsText(const CampaignResult& result) {
  std::string text =
      fmt::format("{:24} {:>9} {:>9} {:>8} {:>10} {:>4} {:>6}\n", "operator",
                  "of", "caught", "survived", "equivalent", "gaps", "errors");
  for (const OperatorResult& op : result.operators) {
    const OutcomeCounts& counts = op.counts;
    text += fmt::format(
        "{:24} {:>9} {:>9} {:>8} {:>10} {:>4} {:>6}\n", op.op,
        WithThousands(op.places), WithThousands(counts.caught),
        WithThousands(counts.survived), WithThousands(counts.equivalent),
        WithThousands(counts.oracle_gap), WithThousands(counts.error));
  }
  return text;
}

std::string MatrixText(const CampaignResult& result) {
  std::string text;
  for (const OperatorResult& op : result.operators) {
    if (op.rules.empty()) continue;
    std::vector<std::string> cells;
    for (const RuleInfo& rule : Catalogue()) {
      const auto at = op.rules.find(std::string(rule.id));
      if (at == op.rules.end()) continue;
      const auto alone = op.alone.find(at->first);
      cells.push_back(fmt::format("{} {}", rule.id, WithThousands(at->second)));
      if (alone != op.alone.end()) {
        cells.back() +=
            fmt::format(" (alone {})", WithThousands(alone->second));
      }
    }
    text += fmt::format("  {}: {}\n", op.op, fmt::join(cells, ", "));
  }
  return text.empty() ? text
                      : "\nRules that caught, by operator (alone: no other "
                        "rule did):\n" +
                            text;
}

// Notes catch nothing by their nature.
std::string IdleText(const CampaignResult& result) {
  std::vector<std::string_view> idle;
  for (const RuleInfo& rule : Catalogue()) {
    const std::string id(rule.id);
    // Notes catch nothing, and the rules on policies look at no gendir.
    if (rule.severity == Severity::kNote || rule.group == 'F' ||
        std::find(result.off.begin(), result.off.end(), id) !=
            result.off.end()) {
      continue;
    }
    const bool caught = std::any_of(
        result.operators.begin(), result.operators.end(),
        [&id](const OperatorResult& op) { return op.rules.count(id) != 0; });
    if (!caught) idle.push_back(rule.id);
  }
  if (idle.empty()) return "";
  return fmt::format("\nRules that caught nothing of this: {}.\n",
                     fmt::join(idle, ", "));
}

std::string MutantText(const CampaignResult& result, const Mutant& mutant) {
  std::string text = fmt::format(
      "\n{}: {}\n  - {}\n  + {}\n", ToString(mutant.outcome),
      Printable(mutant.id), Printable(mutant.before), Printable(mutant.after));
  if (!mutant.rules.empty()) {
    text += fmt::format("  rules: {}\n", fmt::join(mutant.rules, ", "));
  }
  if (!mutant.reason.empty()) {
    text += "  reason: " + Printable(mutant.reason) + "\n";
  }
  return text + "  " + ReplayCommand(result, mutant) + "\n";
}

// How many mutants of an operator are equivalent for one reason.
std::string EquivalentText(const CampaignResult& result) {
  std::string text;
  for (const OperatorResult& op : result.operators) {
    std::map<std::string, std::uint64_t> reasons;
    for (const Mutant& mutant : op.mutants) {
      if (mutant.outcome == Outcome::kEquivalent) ++reasons[mutant.reason];
    }
    for (const auto& [reason, count] : reasons) {
      text += fmt::format("  {} {}: {}\n", WithThousands(count), op.op,
                          Printable(reason));
    }
  }
  return text.empty() ? text : "\nEquivalent:\n" + text;
}

}  // namespace

std::string WithThousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) {
    digits.insert(at - 3, ",");
  }
  return digits;
}

std::string CountsText(const OutcomeCounts& counts) {
  return fmt::format(
      "{} caught, {} survived, {} equivalent, {}, {}",
      WithThousands(counts.caught), WithThousands(counts.survived),
      WithThousands(counts.equivalent), Plural(counts.oracle_gap, "oracle-gap"),
      Plural(counts.error, "error"));
}

std::string ForShell(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=:,./%@";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
    return word;
  }
  // Bash's $'…' takes \xNN, which is how Printable shows what a terminal must
  // not get.
  const std::string printable = Printable(word);
  const bool escaped = printable != word;
  std::string quoted;
  for (const char c : word) {
    if (c == '\'') {
      quoted += escaped ? "\\'" : "'\\''";
    } else if (c == '\\' && escaped) {
      quoted += "\\\\";
    } else {
      quoted += c;
    }
  }
  return (escaped ? "$'" : "'") + Printable(quoted) + "'";
}

std::string WriteCampaignText(const CampaignResult& result) {
  std::string text = "Campaign on " + Printable(result.gendir) + "\n";
  for (const InputError& error : result.errors) {
    text += fmt::format("error: {}\n", Printable(error.what()));
  }
  if (result.counts().total() == 0) return text + "No mutant was judged.\n";
  text += BaselineText(result.baseline) + "\n" + OperatorsText(result);
  text += fmt::format(
      "\nScores, equivalent mutants left out:\n"
      "  all rules:                                  {}\n"
      "  without operand-shape, missing-operand and\n"
      "  null-dereferenced (sampled mutants):        {}\n"
      "  whole operators, layers and models:         {}\n",
      ToString(result.all_rules()), ToString(result.without_shape_rules()),
      ToString(result.whole()));
  text += MatrixText(result) + IdleText(result) + EquivalentText(result);
  for (const OperatorResult& op : result.operators) {
    for (const Mutant& mutant : op.mutants) {
      if (mutant.outcome == Outcome::kSurvived ||
          mutant.outcome == Outcome::kOracleGap ||
          mutant.outcome == Outcome::kError) {
        text += MutantText(result, mutant);
      }
    }
  }
  return text + fmt::format("\nSeed {}. {}.\n", result.seed,
                            CountsText(result.counts()));
}

}  // namespace graph_coverage
