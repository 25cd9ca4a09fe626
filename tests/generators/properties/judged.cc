// SPDX-License-Identifier: Apache-2.0
#include "tests/generators/properties/judged.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "graph_coverage/mutation/write_mutant.h"

namespace graph_coverage {
namespace {

std::string Replaced(std::string text, const std::string& what,
                     const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos;
       at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

std::vector<unsigned> Numbers(const std::vector<RankId>& ranks) {
  std::vector<unsigned> numbers;
  for (const RankId rank : ranks) {
    numbers.push_back(static_cast<unsigned>(Index(rank)));
  }
  return numbers;
}

std::string TasksOf(const Finding& finding) {
  std::string text;
  for (const TaskRange& range : finding.tasks) {
    text += fmt::format(" {}-{}", Index(range.first), Index(range.last));
  }
  return text;
}

std::string LineOf(const Finding& finding, bool with_tasks) {
  std::vector<std::string> members = finding.members;
  std::sort(members.begin(), members.end());
  std::string line = fmt::format(
      "{} {} [{}] [{}] {} layers {} ranks {} x{}: {}. {}. {}. {}",
      ToString(finding.severity), finding.rule, fmt::join(members, ","),
      finding.task_type, finding.event ? std::to_string(*finding.event) : "",
      fmt::join(finding.layers, ","), fmt::join(Numbers(finding.ranks), ","),
      finding.count, finding.found, finding.expected, finding.siblings,
      finding.advice);
  if (with_tasks) line += TasksOf(finding);
  for (const Finding& consequence : finding.consequences) {
    line += " / " + LineOf(consequence, with_tasks);
  }
  return line;
}

std::vector<std::string> Lines(const Report& report, bool with_tasks) {
  std::vector<std::string> lines;
  for (const Finding& finding : report.findings) {
    std::string line = LineOf(finding, with_tasks);
    for (const RankSummary& rank : report.ranks) {
      line = Replaced(std::move(line), rank.kernel_file, "SOURCE");
      line =
          Replaced(std::move(line),
                   std::filesystem::path(rank.kernel_file).filename().string(),
                   "SOURCE");
    }
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace

std::vector<std::string> Judged(const Report& report) {
  std::vector<std::string> lines = Lines(report, true);
  lines.push_back(ToString(report.verdict));
  for (const InputError& error : report.errors) {
    const std::string text = error.what();  // "folder/file: what is wrong"
    lines.push_back(
        text.substr(text.substr(0, text.find(": ")).rfind('/') + 1));
  }
  for (const RankSummary& rank : report.ranks) {
    lines.push_back(fmt::format(
        "rank {}: {} tasks, {} operands, {} events, {} declarations, {} "
        "branches, {}, {}",
        Index(rank.rank), rank.tasks, rank.operands, rank.events,
        rank.declarations, rank.branches, rank.type_binding,
        fmt::join(rank.remarks, "; ")));
  }
  for (const auto& [type, name] : report.type_names) {
    lines.push_back(fmt::format("type {} {}", type, name));
  }
  for (const RuleOutcome& rule : report.rules) {
    lines.push_back(fmt::format("{} judged {}", rule.rule, rule.judged));
    for (const auto& [why, count] : rule.could_not_judge) {
      lines.push_back(fmt::format("{} {} {}", rule.rule, count, why));
    }
  }
  for (const TensorCoverage& tensor : report.tensors) {
    lines.push_back(fmt::format(
        "{} {} {} critical {} consumed {} ranks {} in {} out {} by {} from {}",
        tensor.name, tensor.family, ToString(tensor.kind), tensor.critical,
        tensor.consumed, fmt::join(Numbers(tensor.ranks), ","),
        tensor.input_refs, tensor.output_refs,
        fmt::join(tensor.consumer_task_types, ","),
        fmt::join(tensor.producer_task_types, ",")));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> FindingsOf(const Report& report) {
  return Lines(report, false);
}

std::vector<std::string> FaultsOf(const Report& report) {
  std::vector<std::string> lines;
  for (const Finding& finding : report.findings) {
    if (finding.severity != Severity::kNote) {
      lines.push_back(LineOf(finding, true));
    }
  }
  return lines;
}

std::set<std::string> NamedBy(const Report& report, const std::string& rule) {
  std::set<std::string> names;
  for (const Finding& finding : report.findings) {
    if (finding.rule != rule) continue;
    names.insert(finding.members.begin(), finding.members.end());
  }
  return names;
}

std::set<std::string> ConsumedIn(const Report& report) {
  std::set<std::string> names;
  for (const TensorCoverage& tensor : report.tensors) {
    if (tensor.consumed) names.insert(tensor.name);
  }
  return names;
}

std::vector<View> Under(const std::vector<Rank>& ranks, std::size_t at,
                        const Overlay& overlay) {
  std::vector<View> views;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    views.push_back(i == at ? View(ranks[i], overlay) : View(ranks[i]));
  }
  return views;
}

oracle::Artifacts TextsOf(const View& view) {
  const Gendir written = MakeMutant("texts", {view}, {true});
  return {written.files()[0].content, written.files()[1].content};
}

}  // namespace graph_coverage
