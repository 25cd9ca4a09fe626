// SPDX-License-Identifier: Apache-2.0
//
// A program for message_test.cc: properties, of which the last fails.
#include <gmock/gmock.h>

#include "graph_coverage/rapidcheck/property.h"

namespace graph_coverage {
namespace {

TEST(Child, HasAPropertyThatHolds) {
  CheckProperty([] { EXPECT_LT(*rc::gen::inRange(0, 100), 100); });
}

TEST(Child, HasOneThatDoesNot) {
  CheckProperty([] {
    const int drawn = *rc::gen::inRange(0, 100);
    EXPECT_LT(drawn, 50);
  });
}

}  // namespace
}  // namespace graph_coverage
