// SPDX-License-Identifier: Apache-2.0
//
// What a rule is to the audit: a function over a rank or over all ranks. Its
// words are in the catalogue.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "audit/analysis/analyses.h"
#include "graph_coverage/finding.h"
#include "graph_coverage/model/view.h"
#include "graph_coverage/policy.h"

namespace graph_coverage {

// One rank as rules see it.
struct RankContext {
  const View& view;
  Analyses& analyses;
  const Policy& policy;
};

// All audited ranks of a gendir, ascending.
struct GendirContext {
  const std::vector<RankContext>& ranks;
  // The ranks the gendir has, audited or not.
  const std::vector<RankId>& available;
};

// What a rule found, place by place. `rule`, `severity` (unless the rule sets
// another than its default) and `ranks` of a rank's findings are filled in by
// the caller.
class Judgement {
 public:
  explicit Judgement(Severity severity) : severity_(severity) {}

  void Judged(std::uint64_t subjects = 1) { judged_ += subjects; }
  void CouldNotJudge(const std::string& reason, std::uint64_t subjects = 1) {
    could_not_judge_[reason] += subjects;
  }
  // A finding of the rule's default severity, to be filled in.
  Finding& Add() {
    findings_.emplace_back();
    findings_.back().severity = severity_;
    return findings_.back();
  }

  std::uint64_t judged() const { return judged_; }
  const std::map<std::string, std::uint64_t>& could_not_judge() const {
    return could_not_judge_;
  }
  std::vector<Finding>& findings() { return findings_; }

 private:
  Severity severity_;
  std::uint64_t judged_ = 0;
  std::map<std::string, std::uint64_t> could_not_judge_;
  std::vector<Finding> findings_;
};

struct Rule {
  std::string_view id;
  // Judges one rank; null for a rule over all ranks.
  void (*judge_rank)(const RankContext& rank, Judgement& judgement) = nullptr;
  // Judges the ranks together.
  void (*judge_gendir)(const GendirContext& gendir,
                       Judgement& judgement) = nullptr;
};

// The rules that stand, in the order of the catalogue.
const std::vector<Rule>& Rules();

}  // namespace graph_coverage
