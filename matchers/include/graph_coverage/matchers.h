// SPDX-License-Identifier: Apache-2.0
//
// GoogleMock matchers for what a megakernel's artifacts wire up.
//
// The subject may be a gendir (its path as a string or std::filesystem::path,
// or a Gendir) or the Report of an audit:
//
//   EXPECT_THAT("build/gendir", ConsumesAllCritical());
//
//   AuditOptions options;
//   options.policy.critical = {"rope_cos", "rope_sin"};
//   EXPECT_THAT(Audit("build/gendir", options), ConsumesAllCritical());
//
// A path is audited with default options, by the policy file beside it if there
// is one (policy_file.h), once in a process (audited.h).
//
//   ConsumesAllCritical()
//       No rule of group A (what is declared is consumed) has an error: every
//       critical tensor is read by some task, and no task names a tensor that
//       is not declared. Errors of other groups do not count, but are told.
//
//   IsClean()
//       The audit passes: no finding of any rule is as severe as the policy's
//       `fail_on`, which is `error` unless you say otherwise.
//
//   MatchesContract(path)
//       The coverage is as the contract of that file records it (contract.h):
//       there is no finding of the rule contract-drift that is not waived.
//
//         EXPECT_THAT(gendir, MatchesContract("coverage.contract.json"));
//
//       A report must come from an audit with AuditOptions::contract.
//
//   HasFinding(rule)
//   HasFinding(rule, tensor)
//       Some finding, or a consequence of one, is of this rule (and about this
//       tensor). Waived findings do not count.
//
//         EXPECT_THAT(gendir, HasFinding("missing-wiring", "rope_cos"));
//         EXPECT_THAT(gendir, Not(HasFinding("layer-gap")));
//
//   IsFinding(rule)
//   IsFinding(rule, tensor)
//       The same for one finding, to go with Contains, Each or Not:
//
//         EXPECT_THAT(report.findings, Each(IsFinding("layer-gap")));
//
//   Consumes(tensor)
//   Consumes(tensor, how)
//       The tensor is declared and some task reads it, on each audited rank;
//       `how` is a matcher for its TensorCoverage:
//
//         EXPECT_THAT(gendir, Consumes("rope_cos"));
//         EXPECT_THAT(gendir, Consumes("layer_*_q_norm", Times(Ge(1))));
//         EXPECT_THAT(gendir, Consumes("rope_cos",
//                                      AllOf(ByTaskTypes({278, 296}),
//                                            Times(Ge(156)))));
//
//   ConsumesInEveryLayer(tensor)
//   ConsumesInEveryLayer(tensor, count)
//       Some task of each layer reads the tensor, on each audited rank; `count`
//       is a matcher for the number of operands, a layer. Layers are those of
//       Report::layers, of each kind ("layer_", "mtp_step") of which some layer
//       reads it:
//
//         EXPECT_THAT(gendir, ConsumesInEveryLayer("rope_cos", Eq(8)));
//
//       For tensors that each layer has of its own, ask each of them how often
//       it is read: Consumes("layer_*_q_norm", Times(8)).
//
//   Times(count)
//       So many operands read the tensor, on one rank.
//
//   ByTaskTypes({number, …})
//       Tasks of exactly these types read the tensor. The numbers are those of
//       the task graph.
//
//   ByTaskTypesNamed({name, …})
//       The same by the names of the dispatch chain. A type that has no name
//       goes by its number, as text.
//
// In `tensor`, `*` stands for any run of characters and `?` for any one. Where
// several tensors match, Consumes asks it of each of them. A finding is about
// the tensors it folds, too: HasFinding("missing-wiring", "layer_7_q_norm") is
// true of a finding about layer_{0..35}_q_norm. It may also be a task type,
// where that is what the rule judges. A rule that the catalogue does not have
// is a std::invalid_argument: Not(HasFinding("no such rule")) would pass.
//
// NOTHING AUDITED IS NEVER A PASS. Where the gendir is absent, empty or broken
// (the report's verdict is kInvalid), each matcher above that takes a report
// throws an InputError that says why, and the test fails. To return false would
// not do: Not(HasFinding("missing-wiring")) would pass on a mistyped path, and
// so would AnyOf. For the same reason ConsumesAllCritical throws where no
// tensor is critical. EXPECT_ALL_CRITICAL_CONSUMED and EXPECT_GENDIR_CLEAN of
// gtest_coverage.h report both as an ordinary failure and go on.
//
// Left out on purpose:
//   - IsInvalid(): EXPECT_EQ(report.verdict, Verdict::kInvalid).
//   - Matchers with options: audit with them, and match the report.
//   - "by these types among others", "read on rank 3", "of that kind": use
//     Field with the members of TensorCoverage, as in
//     Consumes("rope_cos", Field(&TensorCoverage::consumer_task_types,
//                                IsSupersetOf({278u})))
#pragma once

#include <gmock/gmock-matchers.h>

#include <cstdint>
#include <string>
#include <vector>

#include "graph_coverage/internal/matchers.h"
#include "graph_coverage/report.h"

namespace graph_coverage {

// Matchers for a gendir or a Report.
internal::ReportMatcher ConsumesAllCritical();
internal::ReportMatcher IsClean();
internal::ReportMatcher MatchesContract(const std::string& contract);
internal::ReportMatcher HasFinding(const std::string& rule);
internal::ReportMatcher HasFinding(const std::string& rule,
                                   const std::string& tensor);
internal::ReportMatcher Consumes(const std::string& tensor);
internal::ReportMatcher Consumes(const std::string& tensor,
                                 testing::Matcher<const TensorCoverage&> how);
internal::ReportMatcher ConsumesInEveryLayer(
    const std::string& tensor,
    testing::Matcher<std::uint64_t> count = testing::Ge(1u));

// Matchers for a Finding.
testing::Matcher<const Finding&> IsFinding(const std::string& rule);
testing::Matcher<const Finding&> IsFinding(const std::string& rule,
                                           const std::string& tensor);

// Matchers for a TensorCoverage.
testing::Matcher<const TensorCoverage&> Times(
    testing::Matcher<std::uint64_t> count);
testing::Matcher<const TensorCoverage&> ByTaskTypes(
    std::vector<std::uint32_t> types);
testing::Matcher<const TensorCoverage&> ByTaskTypesNamed(
    std::vector<std::string> names);

}  // namespace graph_coverage
