// SPDX-License-Identifier: Apache-2.0
//
// Reports made by hand, and what a matcher says of itself.
#pragma once

#include <gmock/gmock.h>

#include <sstream>
#include <string>
#include <utility>

#include "graph_coverage/report.h"

namespace graph_coverage {

inline Finding SampleFinding(std::string rule, std::string tensor,
                             Severity severity = Severity::kError) {
  Finding finding;
  finding.rule = std::move(rule);
  finding.severity = severity;
  finding.ranks = {RankId{0}};
  finding.tensor = std::move(tensor);
  finding.members = {finding.tensor};
  finding.found = "is broken";
  return finding;
}

inline TensorCoverage SampleTensor(std::string name, std::uint64_t input_refs) {
  TensorCoverage tensor;
  tensor.name = std::move(name);
  tensor.critical = true;
  tensor.ranks = {RankId{0}};
  tensor.input_refs = input_refs;
  tensor.consumed = input_refs > 0;
  if (input_refs > 0) tensor.consumer_task_types = {278, 296};
  return tensor;
}

// A pass: two critical tensors, both read.
inline Report CleanReport() {
  Report report;
  report.gendir = "build/gendir";
  report.verdict = Verdict::kPass;
  report.ranks.resize(1);
  report.tensors = {SampleTensor("rope_cos", 156),
                    SampleTensor("rope_sin", 78)};
  return report;
}

// CleanReport(), but nothing reads rope_cos.
inline Report BrokenReport() {
  Report report = CleanReport();
  report.verdict = Verdict::kFail;
  report.tensors[0] = SampleTensor("rope_cos", 0);
  report.findings = {SampleFinding("missing-wiring", "rope_cos")};
  return report;
}

// Nothing was audited.
inline Report InvalidReport() {
  Report report;
  report.gendir = "build/gendri";
  report.errors.push_back(
      InputError::Of("build/gendri", "there is no such directory"));
  return report;
}

template <typename T>
std::string Description(const testing::Matcher<T>& matcher) {
  std::ostringstream out;
  matcher.DescribeTo(&out);
  return out.str();
}

template <typename T>
std::string Negation(const testing::Matcher<T>& matcher) {
  std::ostringstream out;
  matcher.DescribeNegationTo(&out);
  return out.str();
}

template <typename T, typename Value>
std::string Explanation(const testing::Matcher<T>& matcher,
                        const Value& value) {
  testing::StringMatchResultListener listener;
  matcher.MatchAndExplain(value, &listener);
  return listener.str();
}

}  // namespace graph_coverage
