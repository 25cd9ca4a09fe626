// SPDX-License-Identifier: Apache-2.0
//
// Mutations: their ids, the operator table, and what each operator edits.
#include "graph_coverage/mutation/mutation.h"

#include <gmock/gmock.h>

#include <memory>
#include <set>
#include <stdexcept>

#include "graph_coverage/audit.h"
#include "graph_coverage/mutation/mutation_space.h"
#include "graph_coverage/mutation/write_mutant.h"
#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"
#include "tests/generators/properties/judged.h"

namespace graph_coverage {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

TEST(MutationId, SaysAllThereIsToSay) {
  Mutation drop;
  drop.op = "drop";
  drop.rank = RankId(0);
  drop.task = 812;
  drop.in = 5;
  drop.subject = "cos_position_embedding";
  EXPECT_EQ(ToString(drop), "drop:rank=0:task=812:in=5:cos_position_embedding");
  EXPECT_EQ(ParseMutation(ToString(drop)), drop);
}

TEST(MutationId, CarriesAnyName) {
  Mutation mutation;
  mutation.op = "drop-everywhere";
  mutation.subject = "a:b=c%d e\n";
  EXPECT_EQ(ToString(mutation),
            "drop-everywhere:rank=all:a%3ab%3dc%25d%20e%0a");
  EXPECT_EQ(ParseMutation(ToString(mutation)).subject, mutation.subject);
}

TEST(MutationId, RefusesWhatIsNone) {
  for (const char* id :
       {"", "drop", "dorp:rank=0", "drop:task=1", "drop:rank=x",
        "drop:rank=0:task=-1", "drop:rank=0:task=1:task=1",
        "drop:rank=0:in=", "drop:rank=0:colour=1", "drop:rank=0:a:b",
        "drop:rank=0:%4", "drop:rank=99999999999"}) {
    EXPECT_THROW(ParseMutation(id), std::invalid_argument) << id;
  }
}

TEST(MutationTable, HasEachOperatorOnce) {
  std::set<std::string_view> ids;
  for (const MutationOperator& row : MutationOperators()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_THAT(row.title, Not(IsEmpty()));
    EXPECT_EQ(FindMutationOperator(row.id), &row);
  }
  EXPECT_EQ(FindMutationOperator("dorp"), nullptr);
}

std::vector<Rank> Ranks(const synthetic::ModelConfig& model) {
  return ReadRanks(
      synthetic::MakeGendir(synthetic::BuildModel(model), "model"));
}

class EachOperator : public ::testing::TestWithParam<std::string> {};

// On toys: the first, the middle and the last mutation of each operator.
TEST_P(EachOperator, EditsAsItsIdSays) {
  const std::string op = GetParam();
  synthetic::ModelConfig layers = synthetic::Toy();
  layers.layers = 3;
  std::size_t tried = 0;
  for (const synthetic::ModelConfig& model :
       {layers, synthetic::ToyExperts(), synthetic::ToyLatent(2)}) {
    const std::vector<Rank> ranks = Ranks(model);
    const MutationSpace space(ranks.back());
    const MutationSites& sites = space.Sites(op);
    for (const std::size_t i :
         {std::size_t{0}, sites.count() / 2, sites.count() - 1}) {
      if (i >= sites.count()) continue;
      ++tried;
      const Mutation mutation = sites.at(i);
      SCOPED_TRACE(ToString(mutation));
      EXPECT_EQ(ParseMutation(ToString(mutation)), mutation);
      const Overlay overlay = space.Apply(mutation);
      const View view(ranks.back(), overlay);
      const bool of_form =
          op == "control" || op == "reformat" || op == "unknown-keys";
      EXPECT_EQ(oracle::Changed(TextsOf(View(ranks.back())), TextsOf(view)),
                !of_form);
      EXPECT_EQ(Judged(AuditViews("mutant", {view})),
                Judged(Audit(MakeMutant("mutant", {view}))));
    }
  }
  EXPECT_GT(tried, 0u) << "no toy has a place for it";
}

std::vector<std::string> OperatorIds() {
  std::vector<std::string> ids;
  for (const MutationOperator& row : MutationOperators()) {
    ids.emplace_back(row.id);
  }
  return ids;
}

INSTANTIATE_TEST_SUITE_P(Table, EachOperator,
                         ::testing::ValuesIn(OperatorIds()),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(MutationSpace, DropsWhatItIsTold) {
  const std::vector<Rank> ranks = Ranks(synthetic::Toy());
  const MutationSpace space(ranks.front());
  const Mutation drop = space.Sites("drop").at(3);
  const Overlay overlay = space.Apply(drop);
  const View view(ranks.front(), overlay);
  EXPECT_THAT(
      oracle::LostEdges(TextsOf(View(ranks.front())), TextsOf(view)),
      ::testing::ElementsAre(oracle::Edge(*drop.task, "inputs", drop.subject)));
}

TEST(MutationSpace, RefusesPlacesTheRankLacks) {
  const std::vector<Rank> ranks = Ranks(synthetic::Toy());
  const MutationSpace space(ranks.front());
  for (const char* id :
       {"drop:rank=0:task=1:in=0:x", "drop:rank=0:task=99999:in=0:x",
        "drop:rank=0:task=2:in=99:x", "drop:rank=0:task=2:in=0:other",
        "drop-all:rank=0:other", "miscount:rank=0:event=99999:by=1",
        "drop-branch:rank=0:branch=0:TASK_OTHER"}) {
    EXPECT_THROW(space.Apply(ParseMutation(id)), std::invalid_argument) << id;
  }
  EXPECT_TRUE(space.Apply(ParseMutation("drop:rank=1:task=2:in=0:x")).empty());
}

// RapidCheck shows the mutations of a property that failed after its locals
// are gone.
TEST(MutationSpace, OutlivesTheRankItWasMadeOf) {
  auto rank = std::make_unique<Rank>(Ranks(synthetic::Toy()).front());
  const MutationSpace space(*rank);
  rank.reset();
  for (const MutationOperator& row : MutationOperators()) {
    const MutationSites& sites = space.Sites(row.id);
    for (std::size_t i = 0; i < sites.count(); i += sites.count() / 3 + 1) {
      EXPECT_EQ(ToString(ParseMutation(ToString(sites.at(i)))),
                ToString(sites.at(i)));
    }
  }
}

}  // namespace
}  // namespace graph_coverage
