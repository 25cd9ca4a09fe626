// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/model/ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace graph_coverage {
namespace {

TEST(EventId, PacksIndexRankAndTag) {
  constexpr EventId id = EventId::Of(91, 7, true);
  EXPECT_EQ(id.index(), 91u);
  EXPECT_EQ(id.gpu(), 7u);
  EXPECT_TRUE(id.nvshmem());
  EXPECT_FALSE(id.none());
  EXPECT_FALSE(id.has_stray_bits());
}

TEST(EventId, NoneIsNotAnNvshmemEventAlthoughItsBitsSaySo) {
  constexpr EventId none(9223372036854775806u);
  EXPECT_TRUE(none.none());
  EXPECT_FALSE(none.nvshmem());
  EXPECT_EQ(none, EventId());
}

TEST(EventId, KnowsBitsThatNothingUses) {
  EXPECT_TRUE(EventId(std::uint64_t{1} << 55).has_stray_bits());
  EXPECT_FALSE(EventId::Of(3, 1).has_stray_bits());
}

TEST(EventId, PrintsInWords) {
  EXPECT_EQ(testing::PrintToString(EventId::Of(3, 1)), "event 3 of rank 1");
  EXPECT_EQ(testing::PrintToString(EventId()), "no event");
}

}  // namespace
}  // namespace graph_coverage
