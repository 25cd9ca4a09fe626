// SPDX-License-Identifier: Apache-2.0
//
// An exhibit is one member of a kind of fault: any other, in any layer, is
// found, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "graph_coverage/rapidcheck/property.h"
#include "tests/museum/exhibit.h"
#include "tests/museum/parameters.h"

namespace graph_coverage::museum {
namespace {

// Whether the finding, or what hangs under it, is of one of the rules and of
// the site's layer, where it has a layer.
bool IsDue(const Finding& finding, const Kind& kind, const Site& site) {
  const auto holds = [](const auto& items, const auto& item) {
    return std::find(items.begin(), items.end(), item) != items.end();
  };
  if (holds(kind.rules, finding.rule) &&
      (finding.layers.empty() || kind.end_layer == 1 ||
       holds(finding.layers, site.layer))) {
    return true;
  }
  return std::any_of(
      finding.consequences.begin(), finding.consequences.end(),
      [&](const Finding& under) { return IsDue(under, kind, site); });
}

class Kinds : public ::testing::TestWithParam<const Exhibit*> {};

TEST_P(Kinds, AnyMemberInAnyLayerIsFound) {
  const Exhibit& exhibit = *GetParam();
  const Kind& kind = exhibit.kind.front();
  CheckProperty(
      [&] {
        Site site;
        site.layer =
            *rc::gen::inRange<std::uint32_t>(kind.first_layer, kind.end_layer);
        site.member = *rc::gen::inRange<std::uint32_t>(0, kind.members);
        RC_LOG() << "layer " << site.layer << ", member " << site.member
                 << '\n';
        const Report report = AuditFaulty(exhibit.specimen, site).report;
        RC_ASSERT(report.errors.empty());
        RC_ASSERT(std::any_of(report.findings.begin(), report.findings.end(),
                              [&](const Finding& finding) {
                                return IsDue(finding, kind, site);
                              }));
      },
      40);
}

INSTANTIATE_TEST_SUITE_P(Exhibits, Kinds,
                         ::testing::ValuesIn(ExhibitsWhere(
                             [](const Exhibit& e) { return !e.kind.empty(); })),
                         NameOf);

}  // namespace
}  // namespace graph_coverage::museum
