// SPDX-License-Identifier: Apache-2.0
#include "tests/museum/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "tests/museum/exhibit.h"

namespace graph_coverage::museum {
namespace {

constexpr const char* kHead = R"(# The museum of public bugs

Wiring faults that people reported in public, each restated as what it looks
like in the artifacts of a megakernel. An exhibit is a healthy synthetic model
of at least four layers and one located edit. Tests hold that the healthy twin
is clean and that the edit gives all the findings of the table and no others
(`tests/museum`); this page is written from that table by the same tests. An
edit that is a mutation has its id, to be read with
[mutation.md](mutation.md). Notes that the healthy twin has, too, are left out.

Where a fault is one of a kind, a property draws the others: any layer, any of
the tensors, slots or ways that the kind has.

)";

// Text that stands in a line of Markdown as it is.
std::string Plain(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    if (c == '*' || c == '<' || c == '|') plain += '\\';
    plain += c;
  }
  return plain;
}

// The finding as it is printed, and what follows from it.
void AppendFinding(const Finding& finding, std::string* page) {
  fmt::format_to(std::back_inserter(*page), "- **{}** `{}`: {}\n",
                 ToString(finding.severity), finding.rule,
                 Plain(finding.message()));
  if (finding.consequences.empty()) return;
  std::vector<std::string> under;
  for (const Finding& consequence : finding.consequences) {
    under.push_back(fmt::format("`{}` of {}", consequence.rule,
                                consequence.tensor.empty()
                                    ? "the tasks that wait"
                                    : Plain(consequence.tensor)));
  }
  fmt::format_to(std::back_inserter(*page), "  - follows from it: {}\n",
                 fmt::join(under, ", "));
}

// The rules of the findings, each once, in their order.
std::vector<std::string> RulesOf(const std::vector<Finding>& findings) {
  std::vector<std::string> rules;
  for (const Finding& finding : findings) {
    if (std::find(rules.begin(), rules.end(), finding.rule) == rules.end()) {
      rules.push_back(finding.rule);
    }
  }
  return rules;
}

void AppendRow(const Exhibit& exhibit, const std::vector<Finding>& findings,
               std::string* table) {
  fmt::format_to(std::back_inserter(*table), "| {} | {} | {} | {} |\n",
                 exhibit.row, exhibit.reference, exhibit.name,
                 findings.empty()
                     ? "none: not in the artifacts"
                     : fmt::format("{}", fmt::join(RulesOf(findings), ", ")));
}

void AppendSection(const Exhibit& exhibit, const std::vector<Finding>& findings,
                   const std::vector<std::string>& mutations,
                   std::string* page) {
  const auto out = std::back_inserter(*page);
  fmt::format_to(out, "\n## {}. {}\n\n{}: {}\n\nEdit: {}.", exhibit.row,
                 exhibit.name, exhibit.reference, Plain(exhibit.fault),
                 Plain(exhibit.edit));
  for (const std::string& id : mutations) fmt::format_to(out, " `{}`", id);
  *page += "\n\n";
  if (findings.empty()) *page += "The audit finds nothing.\n";
  for (const Finding& finding : findings) AppendFinding(finding, page);
  if (!exhibit.kind.empty()) {
    const Kind& kind = exhibit.kind.front();
    fmt::format_to(out, "\nA kind: ");
    const std::uint32_t layers = kind.end_layer - kind.first_layer;
    if (layers > 1) {
      fmt::format_to(out, "any of layers {} to {}", kind.first_layer,
                     kind.end_layer - 1);
    }
    if (kind.members > 1) {
      fmt::format_to(out, "{}{} members", layers > 1 ? ", " : "", kind.members);
    }
    fmt::format_to(out, "; each is found by {}.\n",
                   fmt::join(kind.rules, " or "));
  }
  if (!exhibit.unseen.empty()) {
    fmt::format_to(out, "\nNot seen: {}\n", Plain(exhibit.unseen));
  }
}

}  // namespace

std::string WritePage() {
  std::string table =
      "| # | reported as | exhibit | rules that find it |\n"
      "| --- | --- | --- | --- |\n";
  std::string sections;
  for (const Exhibit& exhibit : Exhibits()) {
    const Report twin = AuditHealthy(exhibit.specimen);
    const FaultyAudit faulty = AuditFaulty(exhibit.specimen);
    std::vector<Finding> findings;
    for (const Finding& finding : faulty.report.findings) {
      if (IsNew(finding, twin)) findings.push_back(finding);
    }
    AppendRow(exhibit, findings, &table);
    AppendSection(exhibit, findings, faulty.mutations, &sections);
  }
  return kHead + table + sections;
}

}  // namespace graph_coverage::museum
