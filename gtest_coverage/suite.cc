// SPDX-License-Identifier: Apache-2.0
#include "gtest_coverage/suite.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "graph_coverage/catalogue.h"

namespace graph_coverage {
namespace internal {
namespace {

class OwnTestCase : public testing::Test {
 public:
  explicit OwnTestCase(std::function<void()> check)
      : check_(std::move(check)) {}
  void TestBody() override { check_(); }

 private:
  std::function<void()> check_;
};

std::map<const testing::TestInfo*, std::function<void()>>& OwnTests() {
  static std::map<const testing::TestInfo*, std::function<void()>> tests;
  return tests;
}

// The critical tensors of one family on one rank.
struct Family {
  std::string name;
  RankId rank{};
  std::set<std::string> tensors;
};

std::vector<Family> CriticalFamilies(const Report& report) {
  std::vector<Family> families;
  for (const RankSummary& summary : report.ranks) {
    std::map<std::string, std::size_t> index;  // in `families`
    for (const TensorCoverage& tensor : report.tensors) {
      if (!tensor.critical ||
          std::find(tensor.ranks.begin(), tensor.ranks.end(), summary.rank) ==
              tensor.ranks.end()) {
        continue;
      }
      const auto [at, is_new] = index.emplace(tensor.family, families.size());
      if (is_new) families.push_back({tensor.family, summary.rank, {}});
      families[at->second].tensors.insert(tensor.name);
    }
  }
  return families;
}

// Fails the current test with each error about what the family's tensors
// declare and consume.
void CheckFamily(const Family& family, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    CheckFamily(family, finding.consequences);
    const RuleInfo* rule = FindRule(finding.rule);
    if (finding.severity != Severity::kError || rule == nullptr ||
        rule->group != 'A' ||
        std::find(finding.ranks.begin(), finding.ranks.end(), family.rank) ==
            finding.ranks.end()) {
      continue;
    }
    const bool is_of_family =
        family.tensors.count(finding.tensor) > 0 ||
        std::any_of(finding.members.begin(), finding.members.end(),
                    [&](const std::string& member) {
                      return family.tensors.count(member) > 0;
                    });
    if (is_of_family) ADD_FAILURE() << testing::PrintToString(finding);
  }
}

// A family's name as a part of a test's name: `#` begins a comment in lists.
std::string TestName(const Family& family) {
  std::string name = family.name;
  std::replace(name.begin(), name.end(), '#', 'N');
  return "Rank" + std::to_string(Index(family.rank)) + "/" + name;
}

}  // namespace

void RegisterOwnTest(const std::string& suite, const std::string& name,
                     std::function<void()> check) {
  const testing::TestInfo* test = testing::RegisterTest(
      suite.c_str(), name.c_str(), nullptr, nullptr,
      "graph_coverage/gtest_coverage.h", 1,
      [check]() -> OwnTestCase* { return new OwnTestCase(check); });
  OwnTests().emplace(test, std::move(check));
}

const std::function<void()>* OwnTest(const testing::TestInfo& test) {
  const auto at = OwnTests().find(&test);
  return at == OwnTests().end() ? nullptr : &at->second;
}

std::string NumberedName(const std::string& name, int number) {
  return number == 1 ? name : name + std::to_string(number);
}

}  // namespace internal

void RegisterCoverageTests(const Gendir& gendir, const AuditOptions& options) {
  static int calls = 0;
  const std::string suite = internal::NumberedName("GraphCoverage", ++calls);
  internal::RegisterOwnTest(suite, "GendirIsClean", [gendir, options] {
    EXPECT_GENDIR_CLEAN(gendir, options);
  });
  const auto report = Audited(gendir, options);
  if (report->verdict == Verdict::kInvalid) return;
  for (const internal::Family& family : internal::CriticalFamilies(*report)) {
    internal::RegisterOwnTest(
        suite, internal::TestName(family),
        [family, report] { internal::CheckFamily(family, report->findings); });
  }
}

}  // namespace graph_coverage
