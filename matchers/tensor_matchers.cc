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
    // One tensor in the line, several below it.
    const std::vector<std::string>& told = failing.empty() ? matching : failing;
    *listener << "which declares"
              << (told.size() == 1 ? " " + told[0] : ListLines(told, report));
    return failing.empty();
  }

 private:
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

class ReadByTypes : public testing::MatcherInterface<const TensorCoverage&> {
 public:
  explicit ReadByTypes(std::vector<std::uint32_t> types)
      : types_(std::move(types)) {
    std::sort(types_.begin(), types_.end());
    types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
  }

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
                             fmt::join(tensor.consumer_task_types, ", "));
    return tensor.consumer_task_types == types_;
  }

 private:
  std::vector<std::uint32_t> types_;
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
  return testing::MakeMatcher(new ReadByTypes(std::move(types)));
}

}  // namespace graph_coverage
