// SPDX-License-Identifier: Apache-2.0
//
// Properties of audits over healthy gendirs and their mutants.
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "audit/rules/wiring_rules.h"
#include "graph_coverage/audit.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/mutation/write_mutant.h"
#include "graph_coverage/rapidcheck/generators.h"
#include "graph_coverage/rapidcheck/property.h"
#include "graph_coverage/synthetic/presets.h"
#include "tests/generators/properties/judged.h"

namespace graph_coverage {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A healthy gendir that has been read, and which rank is to be mutated.
struct Subject {
  explicit Subject(const HealthyModel& healthy)
      : ranks(ReadRanks(healthy.Make())) {}
  std::vector<Rank> ranks;
};

Subject AnySubject() { return Subject(*HealthyModels()); }

std::size_t AnyRankOf(const Subject& subject) {
  return *rc::gen::inRange<std::size_t>(0, subject.ranks.size());
}

TEST(Properties, HealthyGendirsAreClean) {
  CheckProperty([] {
    const HealthyModel healthy = *HealthyModels();
    const Report report = Audit(healthy.Make());
    EXPECT_EQ(report.verdict, Verdict::kPass);
    EXPECT_THAT(FaultsOf(report), IsEmpty());
  });
}

// On every rank alike: ranks that differ are a finding of their own.
TEST(Properties, BenignEditsChangeNoFinding) {
  CheckProperty([] {
    const Subject subject = AnySubject();
    const MutationSpace first(subject.ranks[0]);
    Mutation mutation = *MutationsWhere(
        first, [](const MutationOperator& row) { return row.benign(); });
    std::vector<Overlay> overlays;
    for (const Rank& rank : subject.ranks) {
      mutation.rank = rank.id();
      overlays.push_back(MutationSpace(rank).Apply(mutation));
    }
    std::vector<View> views;
    for (std::size_t i = 0; i < subject.ranks.size(); ++i) {
      views.emplace_back(subject.ranks[i], overlays[i]);
    }
    const Report report = AuditViews("mutant", views);
    EXPECT_THAT(FaultsOf(report), IsEmpty());
    if (mutation.op != "rename-layers") {
      EXPECT_EQ(FindingsOf(report),
                FindingsOf(AuditRanks("healthy", subject.ranks)));
    }
  });
}

// Rule and tensor of each finding of group A.
std::set<std::pair<std::string, std::string>> OfGroupA(const Report& report) {
  std::set<std::pair<std::string, std::string>> found;
  for (const Finding& finding : report.findings) {
    if (FindRule(finding.rule)->group != 'A') continue;
    if (finding.members.empty()) found.emplace(finding.rule, "");
    for (const std::string& name : finding.members) {
      found.emplace(finding.rule, name);
    }
  }
  return found;
}

// A tensor that must be read, as the report of the healthy rank says.
TEST(Properties, DroppingEveryReaderIsMissingWiring) {
  CheckProperty([] {
    const Subject subject = AnySubject();
    const std::size_t at = AnyRankOf(subject);
    const MutationSpace space(subject.ranks[at]);
    const Report before = AuditRanks("healthy", subject.ranks);
    std::vector<std::string> critical;
    for (const TensorCoverage& tensor : before.tensors) {
      if (tensor.critical && tensor.input_refs > 0) {
        critical.push_back(tensor.name);
      }
    }
    RC_PRE(!critical.empty());
    Mutation mutation;
    mutation.op = "drop-all";
    mutation.rank = subject.ranks[at].id();
    mutation.subject = *rc::gen::elementOf(critical);
    RC_LOG() << mutation << '\n';

    const Overlay overlay = space.Apply(mutation);
    const Report report =
        AuditViews("mutant", Under(subject.ranks, at, overlay));
    EXPECT_THAT(NamedBy(report, "missing-wiring"),
                ElementsAre(mutation.subject));
    std::set<std::pair<std::string, std::string>> expected = OfGroupA(before);
    expected.emplace("missing-wiring", mutation.subject);
    EXPECT_EQ(OfGroupA(report), expected);
  });
}

TEST(Properties, ViewOfMutantIsMutantReadBack) {
  CheckProperty([] {
    const Subject subject = AnySubject();
    const std::size_t at = AnyRankOf(subject);
    const MutationSpace space(subject.ranks[at]);
    const Mutation mutation =
        *MutationsWhere(space, [](const MutationOperator&) { return true; });
    const Overlay overlay = space.Apply(mutation);
    const std::vector<View> views = Under(subject.ranks, at, overlay);
    const Gendir written =
        MakeMutant("mutant", views, {mutation.op == "reformat"});
    EXPECT_EQ(Judged(AuditViews("mutant", views)), Judged(Audit(written)));
  });
}

void ExpectSameLosses(const Rank& rank, const MutationSpace& space,
                      const std::vector<Mutation>& drops) {
  const Overlay overlay = space.DropAll(drops);
  const View mutant(rank, overlay);
  const oracle::Artifacts before = TextsOf(View(rank));
  const oracle::Artifacts after = TextsOf(mutant);

  const Report healthy = AuditViews("healthy", {View(rank)});
  const Report report = AuditViews("mutant", {mutant});
  const std::set<std::string> had = ConsumedIn(healthy);
  const std::set<std::string> has = ConsumedIn(report);
  std::set<std::string> lost;
  std::set_difference(had.begin(), had.end(), has.begin(), has.end(),
                      std::inserter(lost, lost.end()));
  EXPECT_EQ(lost, oracle::LostAllReaders(before, after));
  EXPECT_EQ(NamedBy(report, "missing-wiring"), oracle::Missing(after));

  std::vector<oracle::Edge> dropped;
  for (const Mutation& drop : drops) {
    dropped.emplace_back(*drop.task, "inputs", drop.subject);
  }
  EXPECT_THAT(oracle::LostEdges(before, after),
              ::testing::UnorderedElementsAreArray(dropped));
}

TEST(Properties, AuditAndOracleAgreeOnDrops) {
  CheckProperty([] {
    const Subject subject = AnySubject();
    const Rank& rank = subject.ranks[AnyRankOf(subject)];
    const MutationSpace space(rank);
    ExpectSameLosses(rank, space, *DropSets(space));
  });
}

// Drops that leave a tensor without readers, which few at random do.
TEST(Properties, AuditAndOracleAgreeOnLostTensors) {
  CheckProperty([] {
    const Subject subject = AnySubject();
    const Rank& rank = subject.ranks[AnyRankOf(subject)];
    const MutationSpace space(rank);
    const std::string tensor = (*MutationsOf(space, "drop-all")).subject;
    const MutationSites& sites = space.Sites("drop");
    std::vector<Mutation> drops;
    for (std::size_t i = 0; i < sites.count(); ++i) {
      Mutation drop = sites.at(i);
      if (drop.subject == tensor) drops.push_back(std::move(drop));
    }
    ExpectSameLosses(rank, space, drops);
  });
}

TEST(Properties, OracleSeesEveryEditButThoseOfForm) {
  CheckProperty([] {
    const Subject subject = AnySubject();
    const Rank& rank = subject.ranks[AnyRankOf(subject)];
    const MutationSpace space(rank);
    const Mutation mutation =
        *MutationsWhere(space, [](const MutationOperator&) { return true; });
    const Overlay overlay = space.Apply(mutation);
    const bool of_form = mutation.op == "control" ||
                         mutation.op == "reformat" ||
                         mutation.op == "unknown-keys";
    EXPECT_EQ(
        oracle::Changed(TextsOf(View(rank)), TextsOf(View(rank, overlay))),
        !of_form);
  });
}

// A faulty catalogue, for this test alone: its missing-wiring takes a tensor
// for read if another of its family is.
void JudgeLeniently(const RankContext& rank, Judgement& judgement) {
  Judgement strict(Severity::kError);
  JudgeMissingWiring(rank, strict);
  for (const Finding& finding : strict.findings()) {
    if (finding.siblings.empty()) judgement.Add() = finding;
  }
}

std::set<std::string> MissingBy(void (*judge)(const RankContext&, Judgement&),
                                const View& view) {
  const Policy policy;
  Analyses analyses(view);
  Judgement judgement(Severity::kError);
  judge({view, analyses, policy}, judgement);
  std::set<std::string> names;
  for (const Finding& finding : judgement.findings()) {
    names.insert(finding.tensor);
  }
  return names;
}

TEST(BrokenRule, IsCaughtAndShrinksToOneEdge) {
  synthetic::ModelConfig model = synthetic::Toy();
  model.layers = 3;
  const std::vector<Rank> ranks = ReadRanks(
      synthetic::MakeGendir(synthetic::BuildModel(model), "three layers"));
  const MutationSpace space(ranks.front());

  std::vector<Mutation> last_failure;
  const auto agrees_with_oracle = [&](auto judge) {
    return [&space, &last_failure, judge] {
      const std::vector<Mutation> drops = *DropSets(space);
      const Overlay overlay = space.DropAll(drops);
      const View mutant(space.rank(), overlay);
      if (MissingBy(judge, mutant) == oracle::Missing(TextsOf(mutant))) return;
      last_failure = drops;
      RC_FAIL("the rule and the oracle disagree");
    };
  };
  const PropertyRun broken = RunProperty(agrees_with_oracle(JudgeLeniently));
  EXPECT_FALSE(broken.passed());
  EXPECT_THAT(broken.replay, ::testing::HasSubstr("reproduce="));
  EXPECT_THAT(last_failure, SizeIs(1));
  RecordProperty("shrunk_to", ::testing::PrintToString(last_failure));

  const PropertyRun sound = RunProperty(agrees_with_oracle(JudgeMissingWiring));
  EXPECT_TRUE(sound.passed()) << sound.message();
}

}  // namespace
}  // namespace graph_coverage
