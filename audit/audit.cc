// SPDX-License-Identifier: Apache-2.0
//
// From ranks to a report: judge, apply the policy, fold.
#include "graph_coverage/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/artifacts/nothing_to_audit.h"
#include "audit/contract/facts.h"
#include "audit/model/task_semantics.h"
#include "audit/parallel.h"
#include "audit/policy_check.h"
#include "audit/read.h"
#include "audit/report/coverage.h"
#include "audit/report/finding_ids.h"
#include "audit/report/fold.h"
#include "audit/rules/rule.h"
#include "audit/rules/sibling_rules.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/contract.h"
#include "graph_coverage/policy_file.h"

namespace graph_coverage {
namespace {

// One rank with what is worked out about it.
struct RankUnderAudit {
  RankUnderAudit(const View& of, const SemanticsTable& semantics,
                 const std::vector<const View*>& peers, const Policy& policy)
      : view(of), analyses(of, semantics, peers, policy.layer_prefixes) {}
  const View& view;
  Analyses analyses;
};

// Whether the ranks are all that the kernel sources speak of.
bool IsWholeGendir(const std::vector<View>& views) {
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (Index(views[i].rank()) != i ||
        views[i].num_gpus().value_or(views.size()) != views.size()) {
      return false;
    }
  }
  return true;
}

// One rule's judgement of one rank, with the policy applied.
struct RankVerdict {
  Judgement judgement{Severity::kError};
  std::vector<Finding> findings;  // folded over layers
  std::vector<WaivedFinding> waived;
};

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

class Auditor {
 public:
  // All that is passed must outlive the auditor; `contract` may be null.
  Auditor(const std::vector<View>& views, const std::vector<RankId>& available,
          const SemanticsTable& semantics, const Contract* contract,
          const AuditOptions& options)
      : policy_(options.policy),
        jobs_(options.jobs),
        available_(available),
        contract_(contract),
        waivers_(options.policy) {
    std::vector<const View*> peers;
    for (const View& view : views) peers.push_back(&view);
    if (!IsWholeGendir(views)) peers.clear();
    for (const View& view : views) {
      RankUnderAudit& unit =
          units_.emplace_back(view, semantics, peers, policy_);
      contexts_.push_back({unit.view, unit.analyses, policy_});
    }
  }

  void Run(Report* report) {
    JudgeRanks();
    for (const Rule& rule : Rules()) {
      if (!IsOff(policy_, rule.id)) Collect(rule, report);
    }
    if (contract_ != nullptr) CollectContractDrift(report);
    CollectWaivers("stale-waiver",
                   policy_.waivers.size() + policy_.layer_kinds.size(),
                   StaleWaivers(), report);
    CollectWaivers("expired-waiver", policy_.waivers.size(), waivers_.Expired(),
                   report);
    std::stable_sort(report->findings.begin(), report->findings.end(),
                     [](const Finding& a, const Finding& b) {
                       return a.severity > b.severity;
                     });
    std::vector<std::vector<TensorCoverage>> coverage(contexts_.size());
    InParallel(contexts_.size(), jobs_, [this, &coverage](std::size_t i) {
      coverage[i] = CoverageOf(contexts_[i]);
    });
    report->tensors = MergeCoverage(coverage);
    report->layers = LayerNames(contexts_);
  }

 private:
  // All rank rules, a rank at a time, so that ranks run in parallel.
  void JudgeRanks() {
    verdicts_.resize(contexts_.size());
    InParallel(contexts_.size(), jobs_, [this](std::size_t i) {
      for (const Rule& rule : Rules()) {
        if (IsOff(policy_, rule.id) || rule.judge_rank == nullptr) continue;
        RankVerdict& verdict = verdicts_[i][rule.id];
        verdict.judgement = Judgement(FindRule(rule.id)->severity);
        rule.judge_rank(contexts_[i], verdict.judgement);
        Apply(rule.id, &contexts_[i], &verdict);
      }
    });
  }

  // Names the findings, moves their severity, and parts the waived ones.
  void Apply(std::string_view rule, const RankContext* rank,
             RankVerdict* verdict) {
    std::vector<Finding> kept;
    for (Finding& finding : verdict->judgement.findings()) {
      Complete(rule, rank, &finding);
      if (const Waiver* waiver = waivers_.Match(finding)) {
        verdict->waived.push_back(
            {std::move(finding), waiver->reason, waiver->expires});
      } else {
        kept.push_back(std::move(finding));
      }
    }
    verdict->findings = rank == nullptr ? std::move(kept)
                                        : FoldLayers(kept, rank->view,
                                                     rank->analyses.families());
  }

  void Complete(std::string_view rule, const RankContext* rank,
                Finding* finding) {
    const RuleInfo& info = *FindRule(rule);
    finding->rule = info.id;
    const auto moved = policy_.severities.find(finding->rule);
    if (moved != policy_.severities.end() &&
        finding->severity == info.severity) {
      finding->severity = moved->second;
    }
    if (finding->members.empty() && !finding->tensor.empty()) {
      finding->members = {finding->tensor};
    }
    if (rank != nullptr) {
      finding->ranks = {rank->view.rank()};
      const auto tensor = rank->view.FindTensor(finding->tensor);
      if (tensor && finding->layers.empty()) {
        const auto& layer = rank->analyses.families().of(*tensor).layer;
        if (layer) finding->layers = {*layer};
      }
    }
    for (Finding& consequence : finding->consequences) {
      const std::string own_rule = consequence.rule;
      Complete(own_rule.empty() ? rule : own_rule, rank, &consequence);
    }
  }

  // Brings one rule's verdicts together.
  void Collect(const Rule& rule, Report* report) {
    RuleOutcome outcome{std::string(rule.id), 0, {}};
    std::vector<std::vector<Finding>> by_rank;
    const auto add = [&](RankVerdict& verdict) {
      outcome.judged += verdict.judgement.judged();
      for (const auto& [reason, count] : verdict.judgement.could_not_judge()) {
        outcome.could_not_judge[reason] += count;
      }
      by_rank.push_back(std::move(verdict.findings));
      for (WaivedFinding& waived : verdict.waived) {
        report->waived.push_back(std::move(waived));
      }
    };
    if (rule.judge_gendir != nullptr) {
      RankVerdict verdict;
      verdict.judgement = Judgement(FindRule(rule.id)->severity);
      rule.judge_gendir({contexts_, available_}, verdict.judgement);
      Apply(rule.id, nullptr, &verdict);
      add(verdict);
    }
    if (rule.judge_rank != nullptr) {
      for (auto& verdicts : verdicts_) add(verdicts[rule.id]);
    }
    for (Finding& finding : FoldRanks(by_rank)) {
      report->findings.push_back(std::move(finding));
    }
    report->rules.push_back(std::move(outcome));
  }

  void CollectContractDrift(Report* report) {
    constexpr std::string_view kRule = "contract-drift";
    if (IsOff(policy_, kRule)) return;
    RankVerdict verdict;
    verdict.judgement = Judgement(FindRule(kRule)->severity);
    JudgeContractDrift({contexts_, available_}, *contract_, verdict.judgement);
    Apply(kRule, nullptr, &verdict);
    for (Finding& finding : verdict.findings) {
      report->findings.push_back(std::move(finding));
    }
    for (WaivedFinding& waived : verdict.waived) {
      report->waived.push_back(std::move(waived));
    }
    report->rules.push_back(
        {std::string(kRule), verdict.judgement.judged(), {}});
  }

  // Waivers, and kinds of layers, that accept nothing.
  std::vector<Finding> StaleWaivers() {
    std::vector<Finding> stale = waivers_.Stale();
    for (std::size_t i = 0; i < policy_.layer_kinds.size(); ++i) {
      if (std::any_of(contexts_.begin(), contexts_.end(),
                      [i](const RankContext& rank) {
                        return DiffersFromOthers(rank, i);
                      })) {
        continue;
      }
      const LayerKind& kind = policy_.layer_kinds[i];
      Finding& finding = stale.emplace_back();
      finding.layers = kind.layers;
      finding.found = fmt::format(
          "Layers {} are of a kind of their own (\"{}\") and do "
          "not differ from others",
          RangesText(kind.layers), kind.reason);
      finding.expected = "a layer among them that differs";
      finding.advice = "Remove the kind of layers";
    }
    return stale;
  }

  void CollectWaivers(std::string_view rule, std::uint64_t judged,
                      std::vector<Finding> findings, Report* report) {
    if (IsOff(policy_, rule)) return;
    for (Finding& finding : findings) {
      finding.severity = FindRule(rule)->severity;
      Complete(rule, nullptr, &finding);
      report->findings.push_back(std::move(finding));
    }
    report->rules.push_back({std::string(rule), judged, {}});
  }

  const Policy& policy_;
  const unsigned jobs_;
  const std::vector<RankId>& available_;
  const Contract* contract_;
  WaiverSet waivers_;
  std::deque<RankUnderAudit> units_;  // contexts point into it
  std::vector<RankContext> contexts_;
  std::vector<std::map<std::string_view, RankVerdict>> verdicts_;
};

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
  Auditor(views, available, semantics, contract ? &*contract : nullptr, options)
      .Run(&report);
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
