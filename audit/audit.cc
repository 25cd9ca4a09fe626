// SPDX-License-Identifier: Apache-2.0
//
// From gendirs, ranks or views to a report.
#include "graph_coverage/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/artifacts/nothing_to_audit.h"
#include "audit/judge_views.h"
#include "audit/model/task_semantics.h"
#include "audit/policy_check.h"
#include "audit/read.h"
#include "audit/report/finding_ids.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/contract.h"
#include "graph_coverage/policy_file.h"

namespace graph_coverage {
namespace {

RankSummary Summarise(const View& view) {
  RankSummary summary;
  summary.rank = view.rank();
  summary.kernel_file = view.source_file();
  summary.graph_file = view.graph_file();
  summary.tasks = view.task_count();
  summary.operands = view.operand_count();
  summary.events = view.event_count();
  summary.declarations = view.declaration_count();
  summary.branches = view.branch_count();
  summary.type_binding = view.types().explanation();
  const std::vector<std::string>& unknown = view.format().unknown_keys;
  if (!unknown.empty()) {
    summary.remarks.push_back(
        fmt::format("not known to this version: {}", fmt::join(unknown, ", ")));
  }
  return summary;
}

// Turns "could not judge" into errors for the groups that must be judged.
void CheckRequired(const Policy& policy, Report* report) {
  for (const RuleOutcome& outcome : report->rules) {
    const std::string group(1, FindRule(outcome.rule)->group);
    if (std::find(policy.require.begin(), policy.require.end(), group) ==
        policy.require.end()) {
      continue;
    }
    for (const auto& [reason, count] : outcome.could_not_judge) {
      report->errors.push_back(InputError::Of(
          report->gendir,
          fmt::format("group {} is required, and {} could not judge {} "
                      "subject{}: {}",
                      group, outcome.rule, count, count == 1 ? "" : "s",
                      reason)));
    }
  }
}

Report Judge(const std::string& name, const std::vector<View>& views,
             const std::vector<RankId>& available,
             const AuditOptions& options) {
  Report report;
  report.gendir = name;
  report.fail_on = options.policy.fail_on;
  report.critical_list = options.policy.critical.has_value();
  report.policy = {options.policy.file, options.policy.off,
                   options.policy.waivers.size(),
                   options.policy.layer_kinds.size(), options.contract};
  report.errors = CheckPolicy(options.policy);
  if (views.empty()) {
    report.errors.push_back(InputError::Of(name, "has no ranks to audit"));
  }
  SemanticsTable semantics;
  std::optional<Contract> contract;
  try {
    semantics = ReadSemantics(options);
    if (!options.contract.empty()) contract = ReadContract(options.contract);
  } catch (const InputError& error) {
    report.errors.push_back(error);
  }
  if (!report.errors.empty()) return report;

  for (const View& view : views) {
    report.ranks.push_back(Summarise(view));
    std::optional<std::uint32_t> seen;  // tasks of a type lie together
    for (std::size_t i = 0; i < view.task_count(); ++i) {
      const std::uint32_t type = view.task(TaskId(i)).type;
      if (type == seen) continue;
      seen = type;
      if (report.type_names.count(type) == 0 &&
          view.types().Names(type).size() == 1) {
        report.type_names[type] = view.TypeName(type);
      }
    }
  }
  JudgeViews(views, available, semantics, contract ? &*contract : nullptr,
             options, &report);
  AssignFindingIds(views, &report);
  CheckRequired(options.policy, &report);
  if (!report.errors.empty()) return report;
  report.verdict = Verdict::kPass;
  for (const Finding& finding : report.findings) {
    if (finding.severity >= report.fail_on) report.verdict = Verdict::kFail;
  }
  return report;
}

// A mutation may have left nothing of a rank.
void RefuseEmpty(const View& view) {
  bool has_work = false;
  std::size_t operands = 0;
  for (std::size_t i = 0; i < view.task_count(); ++i) {
    const Task task = view.task(TaskId(i));
    has_work |= task.type != kTerminateType && task.type != kBeginType;
    operands += task.inputs.size() + task.outputs.size();
    if (has_work && operands > 0) return;
  }
  RefuseEmptyGraph(view.graph_file(), has_work, operands);
}

}  // namespace

AuditedGendir AuditAndKeep(const Gendir& gendir, const AuditOptions& given) {
  AuditedGendir audited;
  audited.report.gendir = gendir.name();
  audited.report.fail_on = given.policy.fail_on;
  try {
    AuditOptions options = given;
    options.policy = PolicyFor(gendir, given.policy);
    audited.report.fail_on = options.policy.fail_on;
    GendirRanks read = ReadGendir(gendir, options);
    audited.report.errors = std::move(read.errors);
    if (audited.report.errors.empty()) {
      audited.ranks = std::move(read.ranks);
      audited.report =
          Judge(gendir.name(), {audited.ranks.begin(), audited.ranks.end()},
                read.available, options);
    }
  } catch (const InputError& error) {
    audited.report.errors = {error};
  }
  return audited;
}

Report Audit(const Gendir& gendir, const AuditOptions& options) {
  return AuditAndKeep(gendir, options).report;
}

Report AuditRanks(const std::string& name, const std::vector<Rank>& ranks,
                  const AuditOptions& options) {
  return AuditViews(name, {ranks.begin(), ranks.end()}, options);
}

Report AuditViews(const std::string& name, const std::vector<View>& views,
                  const AuditOptions& options) {
  std::vector<RankId> available;
  for (const View& view : views) available.push_back(view.rank());
  std::sort(available.begin(), available.end());
  try {
    for (const View& view : views) RefuseEmpty(view);
  } catch (const InputError& error) {
    Report report;
    report.gendir = name;
    report.fail_on = options.policy.fail_on;
    report.errors = {error};
    return report;
  }
  return Judge(name, views, available, options);
}

}  // namespace graph_coverage
