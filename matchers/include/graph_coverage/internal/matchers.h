// SPDX-License-Identifier: Apache-2.0
//
// The machinery of graph_coverage/matchers.h; not for use by itself.
#pragma once

#include <gmock/gmock-matchers.h>

#include <iosfwd>
#include <memory>
#include <type_traits>
#include <utility>

#include "graph_coverage/audit.h"
#include "graph_coverage/gendir.h"
#include "graph_coverage/report.h"

namespace graph_coverage {
namespace internal {

// A question about a report of which something was audited.
class ReportQuestion {
 public:
  virtual ~ReportQuestion() = default;
  virtual void Describe(std::ostream* out) const = 0;
  virtual void DescribeNegation(std::ostream* out) const = 0;
  virtual bool Ask(const Report& report,
                   testing::MatchResultListener* listener) const = 0;
  // How a gendir is audited for the question.
  virtual AuditOptions options() const { return {}; }
};

// A polymorphic matcher: asks its question of a report, or of the report of
// anything that a Gendir can be made from. Throws InputError where nothing was
// audited.
class ReportMatcher {
 public:
  using is_gtest_matcher = void;  // how GoogleMock knows a matcher

  explicit ReportMatcher(std::shared_ptr<const ReportQuestion> question)
      : question_(std::move(question)) {}

  void DescribeTo(std::ostream* out) const { question_->Describe(out); }
  void DescribeNegationTo(std::ostream* out) const {
    question_->DescribeNegation(out);
  }

  template <typename T>
  bool MatchAndExplain(const T& subject,
                       testing::MatchResultListener* listener) const {
    if constexpr (std::is_same_v<T, Report>) {
      return MatchReport(subject, listener);
    } else {
      return MatchGendir(Gendir(subject), listener);
    }
  }

 private:
  bool MatchReport(const Report& report,
                   testing::MatchResultListener* listener) const;
  bool MatchGendir(const Gendir& gendir,
                   testing::MatchResultListener* listener) const;

  std::shared_ptr<const ReportQuestion> question_;
};

}  // namespace internal
}  // namespace graph_coverage
