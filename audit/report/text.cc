// SPDX-License-Identifier: Apache-2.0
//
// The text output.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "audit/analysis/families.h"
#include "audit/artifacts/utf8.h"
#include "audit/report/colour.h"
#include "audit/report/finding_text.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/write.h"

namespace graph_coverage {
namespace {

// "12,345".
std::string Grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3)
    text.insert(at - 3, 1, ',');
  return text;
}

std::string Plural(std::uint64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", Grouped(count), noun, count == 1 ? "" : "s");
}

class TextWriter {
 public:
  TextWriter(const Report& report, const TextOptions& options)
      : report_(report), options_(options) {}

  std::string Write() {
    WriteHead();
    WriteErrors();
    if (report_.verdict != Verdict::kInvalid) {
      WriteCoverage();
      WriteInfo();
      WriteFindings();
      WriteWaived();
      WriteJudged();
    }
    WriteVerdict();
    return std::move(text_);
  }

 private:
  void Line(const std::string& line) { text_ += Printable(line) + "\n"; }

  // A line that starts with a word in colour.
  void Marked(const std::string& word, Colour colour, const std::string& rest) {
    text_ += Painted(word, colour, options_.colour) + Printable(rest) + "\n";
  }

  bool OnAllRanks(const std::vector<RankId>& ranks) const {
    return ranks.size() == report_.ranks.size();
  }

  void WriteHead() {
    std::vector<RankId> ranks;
    for (const RankSummary& rank : report_.ranks) ranks.push_back(rank.rank);
    Line(fmt::format("{}{}", report_.gendir,
                     ranks.empty() ? "" : ": " + RanksText(ranks)));
    WritePolicy();
    // Ranks with the same figures share their lines.
    std::vector<std::pair<std::string, std::vector<RankId>>> said;
    for (const RankSummary& rank : report_.ranks) {
      std::string facts = fmt::format(
          "  {}, {}, {}, {}, {}\n  {}", Plural(rank.tasks, "task"),
          Plural(rank.operands, "operand"), Plural(rank.events, "event"),
          Plural(rank.declarations, "declaration"),
          fmt::format("{} dispatch branch{}", Grouped(rank.branches),
                      rank.branches == 1 ? "" : "es"),
          rank.type_binding);
      for (const std::string& remark : rank.remarks) {
        facts += "\n  " + remark;
      }
      const auto at = std::find_if(
          said.begin(), said.end(),
          [&facts](const auto& entry) { return entry.first == facts; });
      if (at == said.end()) {
        said.push_back({facts, {rank.rank}});
      } else {
        at->second.push_back(rank.rank);
      }
    }
    for (const auto& [facts, of] : said) {
      if (said.size() > 1) Line("  " + RanksText(of) + ":");
      std::size_t start = 0;
      while (start <= facts.size()) {
        const std::size_t end = std::min(facts.find('\n', start), facts.size());
        Line(facts.substr(start, end - start));
        start = end + 1;
      }
    }
  }

  void WritePolicy() {
    const PolicySummary& policy = report_.policy;
    std::vector<std::string> said;
    if (policy.waivers > 0) said.push_back(Plural(policy.waivers, "waiver"));
    if (policy.layer_kinds > 0) {
      said.push_back(
          fmt::format("{} of layers", Plural(policy.layer_kinds, "kind")));
    }
    if (!policy.off.empty()) {
      constexpr std::size_t kMostNamed = 5;
      said.push_back(policy.off.size() > kMostNamed
                         ? Plural(policy.off.size(), "rule") + " off"
                         : fmt::format("off: {}", fmt::join(policy.off, ", ")));
    }
    if (!policy.file.empty() || !said.empty()) {
      Line(fmt::format("  policy {}{}{}",
                       policy.file.empty() ? "of the call" : policy.file,
                       said.empty() ? "" : ": ", fmt::join(said, ", ")));
    }
    if (!policy.contract.empty()) Line("  contract " + policy.contract);
  }

  void WriteErrors() {
    for (const InputError& error : report_.errors) {
      Marked("error", Colour::kRed, std::string(": ") + error.what());
    }
  }

  void WriteCoverage() {
    Line("");
    if (report_.critical_list) {
      for (const TensorCoverage& row : report_.tensors) {
        if (row.critical) WriteRow(row.name, row, 1);
      }
      return;
    }
    // Missing ones by name; the rest a line a family with equal counts.
    std::vector<std::pair<std::vector<std::uint32_t>, const TensorCoverage*>>
        families;
    std::vector<std::size_t> sizes;
    std::map<std::tuple<const std::string&, const std::vector<RankId>&,
                        std::uint64_t, const std::vector<std::uint32_t>&>,
             std::size_t>
        line_of;
    for (const TensorCoverage& row : report_.tensors) {
      if (!row.critical) continue;
      if (!row.consumed) {
        WriteRow(row.name, row, 1);
        continue;
      }
      const auto [line, added] =
          line_of.emplace(std::tie(row.family, row.ranks, row.input_refs,
                                   row.consumer_task_types),
                          families.size());
      const std::size_t at = line->second;
      if (added) {
        families.push_back({{}, &row});
        sizes.push_back(0);
      }
      ++sizes[at];
      if (const auto layer = LayerOnAxis(row.family, row.name)) {
        families[at].first.push_back(*layer);
      }
    }
    for (std::size_t i = 0; i < families.size(); ++i) {
      auto& [layers, row] = families[i];
      std::sort(layers.begin(), layers.end());
      WriteRow(FamilyPattern(row->family, layers), *row, sizes[i]);
    }
  }

  void WriteRow(const std::string& name, const TensorCoverage& row,
                std::size_t members) {
    std::string rest = fmt::format(" {}: input_refs={}", name, row.input_refs);
    if (row.consumed) {
      rest += fmt::format(" consumer_task_types=[{}]",
                          fmt::join(row.consumer_task_types, ", "));
      if (row.input_refs == 0) rest += " (read by way of a copy or an alias)";
    }
    if (members > 1) rest += fmt::format(" (each of {})", members);
    if (!OnAllRanks(row.ranks)) rest += " (" + RanksText(row.ranks) + ")";
    row.consumed ? Marked("[OK]", Colour::kGreen, rest)
                 : Marked("[MISSING-WIRING]", Colour::kRed, rest);
  }

  void WriteInfo() {
    for (const auto& [rule, word] :
         {std::pair{"write-only", "write-only"}, {"dead-scratch", "dead"}}) {
      for (const Finding& finding : report_.findings) {
        if (finding.rule != rule) continue;
        for (const std::string& name : finding.members) {
          Line(fmt::format("INFO {} {}{}", word, name,
                           OnAllRanks(finding.ranks)
                               ? ""
                               : " (" + RanksText(finding.ranks) + ")"));
        }
      }
    }
  }

  void WriteFindings() {
    if (report_.findings.empty()) return;
    Line("");
    for (const Finding& finding : report_.findings) {
      text_ += WriteText(finding, options_);
    }
  }

  void WriteWaived() {
    for (const WaivedFinding& waived : report_.waived) {
      Line(fmt::format(
          "waived [{}]: {} ({}{})", waived.finding.rule,
          waived.finding.message(), waived.reason,
          waived.expires.empty() ? "" : ", until " + waived.expires));
    }
  }

  void WriteJudged() {
    std::uint64_t judged = 0;
    for (const RuleOutcome& outcome : report_.rules) judged += outcome.judged;
    Line("");
    Line(fmt::format("{} judged {}.", Plural(report_.rules.size(), "rule"),
                     Plural(judged, "subject")));
    for (const RuleOutcome& outcome : report_.rules) {
      for (const auto& [reason, count] : outcome.could_not_judge) {
        Line(fmt::format("{} could not judge {}: {}.", outcome.rule,
                         Plural(count, "subject"), reason));
      }
    }
    Line(
        "No static rule sees a fault that is alike in every layer and rank "
        "and leaves no tensor");
    Line(
        "unread, nor values, data-dependent rows, or what a callee does with "
        "its arguments.");
    Line(
        "Wiring that is right is not yet numbers that are right: run the "
        "numerics tests too.");
  }

  void WriteVerdict() {
    const bool pass = report_.verdict == Verdict::kPass;
    std::string rest;
    if (report_.verdict == Verdict::kInvalid) {
      rest = ": nothing was audited, see the " +
             Plural(report_.errors.size(), "error") + " above";
    } else {
      rest = fmt::format(": {}, {}, {}",
                         Plural(report_.Count(Severity::kError), "error"),
                         Plural(report_.Count(Severity::kWarning), "warning"),
                         Plural(report_.Count(Severity::kNote), "note"));
    }
    Marked(pass ? "PASS" : "FAIL", pass ? Colour::kGreen : Colour::kRed, rest);
  }

  const Report& report_;
  const TextOptions& options_;
  std::string text_;
};

}  // namespace

std::string WriteText(const Report& report, const TextOptions& options) {
  return TextWriter(report, options).Write();
}

std::string WriteText(const Finding& finding, const TextOptions& options) {
  return FindingText(finding, {"", options.colour});
}

}  // namespace graph_coverage
