// SPDX-License-Identifier: Apache-2.0
#include "audit/judge_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <string_view>
#include <utility>

#include "audit/contract/facts.h"
#include "audit/parallel.h"
#include "audit/policy_check.h"
#include "audit/report/coverage.h"
#include "audit/report/fold.h"
#include "audit/rules/rule.h"
#include "audit/rules/sibling_rules.h"
#include "graph_coverage/catalogue.h"

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

}  // namespace

void JudgeViews(const std::vector<View>& views,
                const std::vector<RankId>& available,
                const SemanticsTable& semantics, const Contract* contract,
                const AuditOptions& options, Report* report) {
  Auditor(views, available, semantics, contract, options).Run(report);
}

}  // namespace graph_coverage
