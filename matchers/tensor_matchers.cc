// SPDX-License-Identifier: Apache-2.0
//
// The matchers that ask about one tensor.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "audit/model/one_line.h"
#include "graph_coverage/matchers.h"
#include "graph_coverage/policy.h"
#include "matchers/list.h"

namespace graph_coverage {
namespace {

using ::testing::Matcher;
using ::testing::MatchResultListener;

class ConsumesTensor : public internal::ReportQuestion {
 public:
  // `how` may be a matcher of anything.
  ConsumesTensor(std::string tensor, Matcher<const TensorCoverage&> how,
                 bool says_how)
      : tensor_(std::move(tensor)), how_(std::move(how)), says_how_(says_how) {}

  void Describe(std::ostream* out) const override {
    *out << "consumes " << tensor_;
    if (!says_how_) return;
    *out << ", which ";
    how_.DescribeTo(out);
  }
  void DescribeNegation(std::ostream* out) const override {
    *out << "does not consume " << tensor_;
    if (!says_how_) return;
    *out << ", or it ";
    how_.DescribeNegationTo(out);
  }

  bool Ask(const Report& report, MatchResultListener* listener) const override {
    std::vector<std::string> matching, failing;
    for (const TensorCoverage& tensor : report.tensors) {
      if (!MatchesGlob(tensor_, tensor.name)) continue;
      testing::StringMatchResultListener why;
      const bool matches =
          tensor.consumed && how_.MatchAndExplain(tensor, &why);
      std::ostringstream line;
      PrintTo(tensor, &line);
      if (!tensor.consumed) {
        line << ", which no task reads";
      } else if (!why.str().empty()) {
        line << ", " << why.str();
      }
      (matches ? matching : failing).push_back(line.str());
    }
    if (matching.empty() && failing.empty()) {
      *listener << "which declares no tensor " << tensor_;
      return false;
    }
    for (const RankSummary& rank : report.ranks) {
      if (DeclaredOn(report, rank.rank)) continue;
      *listener << "which declares no tensor " << tensor_ << " on rank "
                << Index(rank.rank);
      return false;
    }
    // One tensor in the line, several below it.
    const std::vector<std::string>& told = failing.empty() ? matching : failing;
    *listener << "which declares"
              << (told.size() == 1 ? " " + told[0] : ListTexts(told, report));
    return failing.empty();
  }

 private:
  bool DeclaredOn(const Report& report, RankId rank) const {
    return std::any_of(report.tensors.begin(), report.tensors.end(),
                       [&](const TensorCoverage& tensor) {
                         return MatchesGlob(tensor_, tensor.name) &&
                                std::find(tensor.ranks.begin(),
                                          tensor.ranks.end(),
                                          rank) != tensor.ranks.end();
                       });
  }

  std::string tensor_;
  Matcher<const TensorCoverage&> how_;
  bool says_how_;
};

class ReadTimes : public testing::MatcherInterface<const TensorCoverage&> {
 public:
  explicit ReadTimes(Matcher<std::uint64_t> count) : count_(std::move(count)) {}

  void DescribeTo(std::ostream* out) const override {
    *out << "is read by a number of operands that ";
    count_.DescribeTo(out);
  }
  void DescribeNegationTo(std::ostream* out) const override {
    *out << "is read by a number of operands that ";
    count_.DescribeNegationTo(out);
  }
  bool MatchAndExplain(const TensorCoverage& tensor,
                       MatchResultListener* listener) const override {
    *listener << "which is read by " << Counted(tensor.input_refs, "operand");
    return count_.Matches(tensor.input_refs);
  }

 private:
  Matcher<std::uint64_t> count_;
};

// T: std::uint32_t for the types' numbers, std::string for their names.
template <typename T>
class ReadByTypes : public testing::MatcherInterface<const TensorCoverage&> {
 public:
  ReadByTypes(std::vector<T> types, std::vector<T> TensorCoverage::*held)
      : types_(Set(std::move(types))), held_(held) {}

  void DescribeTo(std::ostream* out) const override {
    *out << fmt::format("is read by tasks of exactly the types {{{}}}",
                        fmt::join(types_, ", "));
  }
  void DescribeNegationTo(std::ostream* out) const override {
    *out << fmt::format("is not read by tasks of exactly the types {{{}}}",
                        fmt::join(types_, ", "));
  }
  bool MatchAndExplain(const TensorCoverage& tensor,
                       MatchResultListener* listener) const override {
    *listener << fmt::format("which is read by tasks of the types {{{}}}",
                             fmt::join(tensor.*held_, ", "));
    return Set(tensor.*held_) == types_;
  }

 private:
  static std::vector<T> Set(std::vector<T> types) {
    std::sort(types.begin(), types.end());
    types.erase(std::unique(types.begin(), types.end()), types.end());
    return types;
  }

  std::vector<T> types_;
  std::vector<T> TensorCoverage::*held_;
};

}  // namespace

internal::ReportMatcher Consumes(const std::string& tensor) {
  return internal::ReportMatcher(
      std::make_shared<const ConsumesTensor>(tensor, testing::_, false));
}

internal::ReportMatcher Consumes(const std::string& tensor,
                                 Matcher<const TensorCoverage&> how) {
  return internal::ReportMatcher(
      std::make_shared<const ConsumesTensor>(tensor, std::move(how), true));
}

Matcher<const TensorCoverage&> Times(Matcher<std::uint64_t> count) {
  return testing::MakeMatcher(new ReadTimes(std::move(count)));
}

Matcher<const TensorCoverage&> ByTaskTypes(std::vector<std::uint32_t> types) {
  return testing::MakeMatcher(new ReadByTypes<std::uint32_t>(
      std::move(types), &TensorCoverage::consumer_task_types));
}

Matcher<const TensorCoverage&> ByTaskTypesNamed(
    std::vector<std::string> names) {
  return testing::MakeMatcher(new ReadByTypes<std::string>(
      std::move(names), &TensorCoverage::consumer_type_names));
}

}  // namespace graph_coverage
