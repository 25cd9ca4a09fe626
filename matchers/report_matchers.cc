// SPDX-License-Identifier: Apache-2.0
//
// The matchers that ask about findings.
#include <algorithm>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "audit/model/one_line.h"
#include "graph_coverage/audited.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/matchers.h"
#include "matchers/list.h"

namespace graph_coverage {
namespace {

using ::testing::MatchResultListener;

constexpr char kDeclaredAndConsumed = 'A';

bool IsOfGroup(const Finding& finding, char group) {
  const RuleInfo* rule = FindRule(finding.rule);
  return rule != nullptr && rule->group == group;
}

std::string AuditedRanks(const Report& report) {
  std::vector<RankId> ranks;
  for (const RankSummary& summary : report.ranks) ranks.push_back(summary.rank);
  return RankList(ranks);
}

class AllCritical : public internal::ReportQuestion {
 public:
  void Describe(std::ostream* out) const override {
    *out << "consumes all critical tensors";
  }
  void DescribeNegation(std::ostream* out) const override {
    *out << "does not consume all critical tensors";
  }

  bool Ask(const Report& report, MatchResultListener* listener) const override {
    std::vector<const Finding*> mine, others;
    for (const Finding& finding : report.findings) {
      if (finding.severity != Severity::kError) continue;
      (IsOfGroup(finding, kDeclaredAndConsumed) ? mine : others)
          .push_back(&finding);
    }
    if (mine.empty()) {
      *listener << "which reads all "
                << Counted(CriticalTensors(report), "critical tensor") << " on "
                << AuditedRanks(report);
    } else {
      *listener << "which has " << Counted(mine.size(), "error")
                << " in what it declares and consumes:"
                << ListFindings(mine, report);
    }
    if (!others.empty()) {
      *listener << (mine.empty() ? ", and has " : "\nand has ")
                << Counted(others.size(), "error")
                << " of other rules: " << CountByRule(others);
    }
    return mine.empty();
  }

 private:
  // Throws InputError where there is none.
  static std::size_t CriticalTensors(const Report& report) {
    std::vector<std::string> names;
    for (const TensorCoverage& tensor : report.tensors) {
      if (tensor.critical) names.push_back(tensor.name);
    }
    if (names.empty()) {
      throw InputError::Of(
          report.gendir,
          "nothing was judged: no declared tensor is critical; name those that "
          "must be consumed in the policy's `critical`");
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names.size();
  }
};

class Clean : public internal::ReportQuestion {
 public:
  void Describe(std::ostream* out) const override { *out << "is clean"; }
  void DescribeNegation(std::ostream* out) const override {
    *out << "is not clean";
  }

  bool Ask(const Report& report, MatchResultListener* listener) const override {
    std::vector<const Finding*> failing, others;
    for (const Finding& finding : report.findings) {
      (finding.severity >= report.fail_on ? failing : others)
          .push_back(&finding);
    }
    if (report.verdict == Verdict::kPass) {
      *listener << "which has no finding of severity "
                << ToString(report.fail_on) << " on " << AuditedRanks(report)
                << " (others: " << CountByRule(others) << ")";
      return true;
    }
    *listener << "which has " << Counted(failing.size(), "finding")
              << " of severity " << ToString(report.fail_on)
              << (report.fail_on == Severity::kError ? "" : " or above") << ":"
              << ListFindings(failing, report);
    return false;
  }
};

class LikeContract : public internal::ReportQuestion {
 public:
  explicit LikeContract(std::string contract)
      : contract_(std::move(contract)) {}

  void Describe(std::ostream* out) const override {
    *out << "matches the contract " << contract_;
  }
  void DescribeNegation(std::ostream* out) const override {
    *out << "does not match the contract " << contract_;
  }
  AuditOptions options() const override {
    AuditOptions options;
    options.contract = contract_;
    return options;
  }

  bool Ask(const Report& report, MatchResultListener* listener) const override {
    const auto judged = std::find_if(
        report.rules.begin(), report.rules.end(),
        [](const RuleOutcome& outcome) { return outcome.rule == kRule; });
    if (report.policy.contract != contract_ || judged == report.rules.end()) {
      throw InputError::Of(report.gendir,
                           "was not held against the contract " + contract_ +
                               "; audit it with AuditOptions::contract, and "
                               "with the rule " +
                               kRule + " on");
    }
    std::vector<const Finding*> drifts;
    for (const Finding& finding : report.findings) {
      if (finding.rule == kRule) drifts.push_back(&finding);
    }
    if (drifts.empty()) {
      *listener << "which has the coverage of its "
                << Counted(judged->judged, "line");
      return true;
    }
    *listener << "which differs in " << Counted(drifts.size(), "place") << ":"
              << ListFindings(drifts, report);
    return false;
  }

 private:
  static constexpr const char* kRule = "contract-drift";
  std::string contract_;
};

// Which findings are meant by a rule, and the tensor it is about, if given.
class FindingPattern {
 public:
  explicit FindingPattern(std::string rule) : rule_(std::move(rule)) {
    if (FindRule(rule_) == nullptr) {
      throw std::invalid_argument("no rule is called \"" + rule_ +
                                  "\": mk-graph-coverage-audit rules lists "
                                  "them");
    }
  }
  FindingPattern(std::string rule, std::string tensor)
      : FindingPattern(std::move(rule)) {
    tensor_ = std::move(tensor);
  }

  bool IsOfRule(const Finding& finding) const { return finding.rule == rule_; }

  bool Matches(const Finding& finding) const {
    if (!IsOfRule(finding)) return false;
    if (tensor_.empty()) return true;
    return finding.tensor == tensor_ || MatchesGlob(tensor_, finding.tensor) ||
           MatchesGlob(tensor_, finding.task_type) ||
           std::any_of(finding.members.begin(), finding.members.end(),
                       [this](const std::string& member) {
                         return MatchesGlob(tensor_, member);
                       });
  }

  // "missing-wiring about rope_cos"
  std::string text() const {
    return tensor_.empty() ? rule_ : rule_ + " about " + tensor_;
  }

 private:
  std::string rule_;
  std::string tensor_;
};

class SomeFinding : public internal::ReportQuestion {
 public:
  explicit SomeFinding(FindingPattern pattern) : pattern_(std::move(pattern)) {}

  void Describe(std::ostream* out) const override {
    *out << "has a finding " << pattern_.text();
  }
  void DescribeNegation(std::ostream* out) const override {
    *out << "has no finding " << pattern_.text();
  }

  bool Ask(const Report& report, MatchResultListener* listener) const override {
    std::vector<const Finding*> all, of_rule, matching;
    Collect(report.findings, &all);
    for (const Finding* finding : all) {
      if (pattern_.IsOfRule(*finding)) of_rule.push_back(finding);
      if (pattern_.Matches(*finding)) matching.push_back(finding);
    }
    if (!matching.empty()) {
      *listener << "which has" << ListFindings(matching, report);
    } else if (!of_rule.empty()) {
      *listener << "whose findings of that rule are about something else:"
                << ListFindings(of_rule, report);
    } else {
      *listener << "whose findings are " << CountByRule(all);
    }
    return !matching.empty();
  }

 private:
  static void Collect(const std::vector<Finding>& findings,
                      std::vector<const Finding*>* all) {
    for (const Finding& finding : findings) {
      all->push_back(&finding);
      Collect(finding.consequences, all);
    }
  }

  FindingPattern pattern_;
};

class OneFinding : public testing::MatcherInterface<const Finding&> {
 public:
  explicit OneFinding(FindingPattern pattern) : pattern_(std::move(pattern)) {}

  void DescribeTo(std::ostream* out) const override {
    *out << "is a finding " << pattern_.text();
  }
  void DescribeNegationTo(std::ostream* out) const override {
    *out << "is no finding " << pattern_.text();
  }
  bool MatchAndExplain(const Finding& finding,
                       MatchResultListener* listener) const override {
    *listener << "which is of rule " << finding.rule;
    if (!finding.tensor.empty()) *listener << " about " << finding.tensor;
    return pattern_.Matches(finding);
  }

 private:
  FindingPattern pattern_;
};

// A report of nothing, with its errors a line each.
class NothingAudited : public InputError {
 public:
  NothingAudited(const Report& report, const std::string& lines)
      : InputError(InputError::Of(report.gendir, "nothing was audited")),
        text_(InputError::what() + lines) {}

  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

// Throws InputError where the report is of nothing.
void RequireAudited(const Report& report) {
  if (report.verdict != Verdict::kInvalid) return;
  std::vector<std::string> errors;
  for (const InputError& error : report.errors) errors.push_back(error.what());
  throw NothingAudited(report, ListTexts(errors, report));
}

template <typename Question, typename... Arguments>
internal::ReportMatcher Asks(Arguments&&... arguments) {
  return internal::ReportMatcher(
      std::make_shared<const Question>(std::forward<Arguments>(arguments)...));
}

}  // namespace

namespace internal {

bool ReportMatcher::MatchReport(const Report& report,
                                MatchResultListener* listener) const {
  RequireAudited(report);
  return question_->Ask(report, listener);
}

bool ReportMatcher::MatchGendir(const Gendir& gendir,
                                MatchResultListener* listener) const {
  return MatchReport(*Audited(gendir, question_->options()), listener);
}

}  // namespace internal

internal::ReportMatcher ConsumesAllCritical() { return Asks<AllCritical>(); }

internal::ReportMatcher IsClean() { return Asks<Clean>(); }

internal::ReportMatcher MatchesContract(const std::string& contract) {
  return Asks<LikeContract>(contract);
}

internal::ReportMatcher HasFinding(const std::string& rule) {
  return Asks<SomeFinding>(FindingPattern(rule));
}

internal::ReportMatcher HasFinding(const std::string& rule,
                                   const std::string& tensor) {
  return Asks<SomeFinding>(FindingPattern(rule, tensor));
}

testing::Matcher<const Finding&> IsFinding(const std::string& rule) {
  return testing::MakeMatcher(new OneFinding(FindingPattern(rule)));
}

testing::Matcher<const Finding&> IsFinding(const std::string& rule,
                                           const std::string& tensor) {
  return testing::MakeMatcher(new OneFinding(FindingPattern(rule, tensor)));
}

}  // namespace graph_coverage
