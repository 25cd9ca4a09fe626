// SPDX-License-Identifier: Apache-2.0
#include "gtest_coverage/assertions.h"

#include <algorithm>
#include <ostream>
#include <set>
#include <string>

namespace graph_coverage {
namespace internal {
namespace {

void RecordCounts(const Report& report) {
  const auto record = [](const char* name, const auto& value) {
    testing::Test::RecordProperty(std::string("graph_coverage_") + name, value);
  };
  std::set<std::string> critical;
  for (const TensorCoverage& tensor : report.tensors) {
    if (tensor.critical) critical.insert(tensor.name);
  }
  const auto count = [](auto number) { return std::to_string(number); };
  record("verdict", ToString(report.verdict));
  record("ranks", count(report.ranks.size()));
  record("critical", count(critical.size()));
  record("errors", count(report.Count(Severity::kError)));
  record("warnings", count(report.Count(Severity::kWarning)));
  record("notes", count(report.Count(Severity::kNote)));
  record("waived", count(report.waived.size()));
}

std::shared_ptr<const Report> ReportOf(const Subject& subject) {
  return subject.options == nullptr ? Audited(subject.gendir)
                                    : Audited(subject.gendir, *subject.options);
}

}  // namespace

testing::AssertionResult Check(const Report& report,
                               const testing::Matcher<const Report&>& matcher) {
  RecordCounts(report);
  testing::StringMatchResultListener why;
  std::string actual;
  try {
    if (matcher.MatchAndExplain(report, &why)) {
      return testing::AssertionSuccess() << report.gendir << ", " << why.str();
    }
    actual = testing::PrintToString(report) + ", " + why.str();
  } catch (const InputError& error) {  // nothing was audited
    actual = error.what();
  }
  testing::AssertionResult failure = testing::AssertionFailure();
  failure << "  Gendir: " << report.gendir << "\nExpected: ";
  failure << testing::DescribeMatcher<const Report&>(matcher);
  return failure << "\n  Actual: " << actual;
}

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.gendir.name();
}

testing::AssertionResult CheckAllCriticalConsumed(const char*,
                                                  const Subject& subject) {
  return Check(*ReportOf(subject), ConsumesAllCritical());
}

testing::AssertionResult CheckGendirClean(const char*, const Subject& subject) {
  return Check(*ReportOf(subject), IsClean());
}

testing::AssertionResult CheckMatchesContract(const char*, const char*,
                                              const Subject& subject,
                                              const std::string& contract) {
  AuditOptions options;
  options.contract = contract;
  return Check(*Audited(subject.gendir, options), MatchesContract(contract));
}

testing::AssertionResult CheckAudited(const Report& report) {
  if (report.verdict != Verdict::kInvalid) return testing::AssertionSuccess();
  return Check(report, IsClean());  // which fails, saying why
}

}  // namespace internal
}  // namespace graph_coverage
