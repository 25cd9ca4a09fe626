// SPDX-License-Identifier: Apache-2.0
#include "audit/model/type_alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "tests/audit/model/graph_of.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TypeUse Type(std::uint32_t type, std::size_t inputs, std::size_t outputs = 1) {
  return {type, {{0, {inputs, outputs}}}};
}

TEST(TypeAlignment, CollectsTheTypesOfAGraph) {
  const TaskGraph graph =
      GraphOf({{108, 1, 2, 1}, {101, 0, 2, 1}, {108, 1, 3, 0}, {108, 0, 1, 2}});
  const std::vector<TypeUse> types = TypesOf(graph);
  ASSERT_EQ(types.size(), 2u);
  EXPECT_EQ(types[0].type, 101u);
  EXPECT_EQ(types[1].type, 108u);
  ASSERT_EQ(types[1].variants.size(), 2u);
  EXPECT_EQ(types[1].variants.at(1).inputs, 3u);
  EXPECT_EQ(types[1].variants.at(1).outputs, 1u);
  EXPECT_EQ(types[1].variants.at(0).outputs, 2u);
}

TEST(TypeAlignment, CollectsTheNamesOfAChain) {
  const std::vector<Branch> branches = {
      BranchOf("A", 0, 1, 1), BranchOf("A", 1, 2, 1), BranchOf("B", 0, 1, 1),
      BranchOf("A", 0, 7, 1)};
  const std::vector<NameUse> names = NamesOf(branches);
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names[0].name, "A");
  EXPECT_EQ(names[0].variants.at(0), &branches[0]);
  EXPECT_EQ(names[0].variants.at(1), &branches[1]);
  EXPECT_EQ(names[1].name, "B");
}

TEST(TypeAlignment, FitsByVariantsAndOperandCounts) {
  std::vector<Branch> branches = {BranchOf("A", 0, 2, 1)};
  const auto fits = [&branches](const TypeUse& type) {
    return Fits(type, NamesOf(branches)[0]);
  };
  EXPECT_TRUE(fits(Type(5, 2)));
  EXPECT_TRUE(fits(Type(5, 3)));           // one operand is left out
  EXPECT_FALSE(fits(Type(5, 4)));          // two are
  EXPECT_FALSE(fits(Type(5, 1)));          // slot 1 is not there
  EXPECT_FALSE(fits(Type(5, 2, 0)));       // output 0 is not there
  EXPECT_FALSE(fits(Type(5, 2, 3)));       // two outputs are left out
  EXPECT_FALSE(fits({5, {{1, {2, 1}}}}));  // no such variant
  branches[0].any_input = true;
  EXPECT_TRUE(fits(Type(5, 4)));
  EXPECT_FALSE(fits(Type(5, 1)));
}

TEST(TypeAlignment, FindsTheOneWay) {
  const std::vector<Branch> branches = {
      BranchOf("A", 0, 2, 1), BranchOf("B", 0, 5, 1), BranchOf("C", 0, 2, 1)};
  const auto found = AlignByOrder({Type(101, 2), Type(296, 5), Type(300, 2)},
                                  NamesOf(branches));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->unique);
  EXPECT_EQ(found->misfits, 0u);
  EXPECT_THAT(found->names,
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2)));
}

TEST(TypeAlignment, SkipsNamesThatNoTypeHas) {
  const std::vector<Branch> branches = {
      BranchOf("A", 0, 2, 1), BranchOf("B", 0, 5, 1), BranchOf("C", 0, 2, 1),
      BranchOf("D", 0, 7, 1)};
  const auto one = AlignByOrder({Type(1, 5), Type(2, 2)}, NamesOf(branches));
  ASSERT_TRUE(one);
  EXPECT_TRUE(one->unique);
  EXPECT_THAT(one->names, ElementsAre(ElementsAre(1), ElementsAre(2)));

  const auto several =
      AlignByOrder({Type(1, 2), Type(2, 7)}, NamesOf(branches));
  ASSERT_TRUE(several);
  EXPECT_FALSE(several->unique);
  EXPECT_THAT(several->names, ElementsAre(ElementsAre(0, 2), ElementsAre(3)));
}

TEST(TypeAlignment, AllowsOneTypeThatDoesNotFit) {
  const std::vector<Branch> branches = {
      BranchOf("A", 0, 2, 1), BranchOf("B", 0, 5, 1), BranchOf("C", 0, 2, 1)};
  const auto one =
      AlignByOrder({Type(1, 2), Type(2, 4), Type(3, 2)}, NamesOf(branches));
  ASSERT_TRUE(one);
  EXPECT_TRUE(one->unique);
  EXPECT_EQ(one->misfits, 1u);
  EXPECT_THAT(one->names,
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2)));
  EXPECT_FALSE(
      AlignByOrder({Type(1, 1), Type(2, 4), Type(3, 2)}, NamesOf(branches)));
}

TEST(TypeAlignment, AllowsOneTypeWithoutAName) {
  const std::vector<Branch> branches = {BranchOf("A", 0, 2, 1),
                                        BranchOf("B", 0, 5, 1)};
  const auto one =
      AlignByOrder({Type(1, 2), Type(2, 7), Type(3, 5)}, NamesOf(branches));
  ASSERT_TRUE(one);
  EXPECT_TRUE(one->unique);
  EXPECT_EQ(one->nameless, 1u);
  EXPECT_THAT(one->names,
              ElementsAre(ElementsAre(0), IsEmpty(), ElementsAre(1)));
  const auto several =
      AlignByOrder({Type(1, 2), Type(2, 2), Type(3, 5)}, NamesOf(branches));
  ASSERT_TRUE(several);
  EXPECT_FALSE(several->unique);
  EXPECT_THAT(several->names,
              ElementsAre(ElementsAre(0), ElementsAre(0), ElementsAre(1)));
  EXPECT_FALSE(AlignByOrder({Type(1, 2), Type(2, 2), Type(3, 5), Type(4, 5)},
                            NamesOf(branches)));
  EXPECT_FALSE(
      AlignByOrder({Type(1, 2), Type(2, 3), Type(3, 3)}, NamesOf(branches)));
}

TEST(TypeAlignment, AlignsNothingWithNothing) {
  const auto found = AlignByOrder({}, {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->unique);
  EXPECT_THAT(found->names, IsEmpty());
}

TEST(TypeAlignment, GivesUpOnMoreThanAnyGeneratorWrites) {
  std::vector<Branch> branches;
  std::vector<TypeUse> types;
  for (std::uint32_t i = 0; i < 1001; ++i) {
    branches.push_back(BranchOf("T" + std::to_string(i), 0, 1, 1));
    types.push_back(Type(i, 1));
  }
  EXPECT_FALSE(AlignByOrder(types, NamesOf(branches)));
  types.resize(900);
  EXPECT_TRUE(AlignByOrder(types, NamesOf(branches)));
}

// The same by trying every way.
std::optional<Alignment> AlignNaively(const std::vector<TypeUse>& types,
                                      const std::vector<NameUse>& names) {
  const int none = -1;
  std::vector<int> way(types.size(), none);
  std::size_t best = 99;
  std::size_t ways = 0;
  Alignment found;
  const std::function<void(std::size_t, std::size_t, std::size_t, std::size_t)>
      extend = [&](std::size_t i, std::size_t from, std::size_t nameless,
                   std::size_t misfits) {
        if (i == types.size()) {
          // Nameless types weigh more than misfits.
          const std::size_t cost = nameless * 10 + misfits;
          if (cost > best) return;
          if (cost < best) {
            best = cost;
            ways = 0;
            found = {};
            found.names.resize(types.size());
            found.nameless = nameless;
            found.misfits = misfits;
          }
          ++ways;
          for (std::size_t k = 0; k < types.size(); ++k) {
            if (way[k] == none) continue;
            auto& list = found.names[k];
            const auto name = static_cast<std::size_t>(way[k]);
            if (std::find(list.begin(), list.end(), name) == list.end()) {
              list.push_back(name);
            }
          }
          return;
        }
        for (std::size_t j = from; j < names.size(); ++j) {
          way[i] = static_cast<int>(j);
          extend(i + 1, j + 1, nameless,
                 misfits + (Fits(types[i], names[j]) ? 0 : 1));
        }
        way[i] = none;
        extend(i + 1, from, nameless + 1, misfits);
      };
  extend(0, 0, 0, 0);
  if (found.nameless + found.misfits > 1) return std::nullopt;
  for (auto& list : found.names) std::sort(list.begin(), list.end());
  found.unique = ways == 1;
  return found;
}

TEST(TypeAlignment, AgreesWithTryingEveryWay) {
  std::mt19937 random(11);
  const auto below = [&random](std::uint32_t n) {
    return static_cast<std::uint32_t>(random() % n);
  };
  std::size_t aligned = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Branch> branches;
    for (std::uint32_t i = below(6); i > 0; --i) {
      branches.push_back(BranchOf("T" + std::to_string(i), 0, 1 + below(3), 1));
    }
    std::vector<TypeUse> types;
    for (std::uint32_t i = below(6); i > 0; --i) {
      types.push_back(Type(i, 1 + below(3)));
    }
    const std::vector<NameUse> names = NamesOf(branches);
    const auto found = AlignByOrder(types, names);
    const auto expected = AlignNaively(types, names);
    ASSERT_EQ(found.has_value(), expected.has_value()) << round;
    if (!found) continue;
    ++aligned;
    EXPECT_EQ(found->names, expected->names) << round;
    EXPECT_EQ(found->unique, expected->unique) << round;
    EXPECT_EQ(found->misfits, expected->misfits) << round;
    EXPECT_EQ(found->nameless, expected->nameless) << round;
  }
  EXPECT_GT(aligned, 500u);
}

}  // namespace
}  // namespace graph_coverage
