// SPDX-License-Identifier: Apache-2.0
#include "audit/model/task_type_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/audit/artifacts/error_of.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::string Error(std::string_view text) {
  return ErrorOf([&] { ReadTaskTypeHeader(text, "runtime_header.h"); });
}

TEST(TaskTypeHeader, ReadsExplicitAndImplicitValues) {
  EXPECT_THAT(ReadTaskTypeHeader(R"(
#pragma once
enum EventType { EVENT_EMPTY = 900 };
enum TaskType;  // declared first
enum TaskType {
  TASK_TERMINATE,
  TASK_BEGIN_TASK_GRAPH = 10, // TASK_HIDDEN = 3,
  TASK_NEXT,
  TASK_HEX = 0x65,
  TASK_SUM = TASK_HEX + 2,
  TASK_SAME = (TASK_HEX),
  TASK_LAST
};)",
                                 "runtime_header.h"),
              ElementsAre(Pair("TASK_BEGIN_TASK_GRAPH", 10),
                          Pair("TASK_HEX", 101), Pair("TASK_LAST", 102),
                          Pair("TASK_NEXT", 11), Pair("TASK_SAME", 101),
                          Pair("TASK_SUM", 103), Pair("TASK_TERMINATE", 0)));
}

TEST(TaskTypeHeader, ReadsScopedAndTypedEnums) {
  EXPECT_THAT(
      ReadTaskTypeHeader("enum class TaskType : unsigned { A = 1, B, };", "h"),
      ElementsAre(Pair("A", 1), Pair("B", 2)));
  EXPECT_THAT(ReadTaskTypeHeader("enum TaskType {};", "h"), IsEmpty());
}

TEST(TaskTypeHeader, SaysWhatItCannotRead) {
  EXPECT_EQ(Error("enum EventType { A };"),
            "runtime_header.h: no enum TaskType: expected the generator's "
            "runtime_header.h");
  EXPECT_EQ(Error("enum TaskType { A = B };"),
            "runtime_header.h:1:21: byte 20: found B, expected a number of at "
            "most 32 bits or an earlier enumerator");
  EXPECT_EQ(Error("enum TaskType { A = 4294967296 };"),
            "runtime_header.h:1:21: byte 20: found 4294967296, expected a "
            "number of at most 32 bits or an earlier enumerator");
  EXPECT_EQ(Error("enum TaskType { A = 4294967295 + 1 };"),
            "runtime_header.h:1:34: byte 33: found 1, expected a number of at "
            "most 32 bits or an earlier enumerator");
  EXPECT_EQ(Error("enum TaskType { A = 4294967295, B };"),
            "runtime_header.h:1:33: byte 32: found B, expected a value of at "
            "most 32 bits");
  EXPECT_EQ(Error("enum TaskType { A = 1 << 3 };"),
            "runtime_header.h:1:23: byte 22: found <<, expected , or }");
  EXPECT_EQ(Error("enum TaskType { 3 };"),
            "runtime_header.h:1:17: byte 16: found 3, expected the name of a "
            "task type");
  EXPECT_EQ(Error("enum TaskType { A, "),
            "runtime_header.h:1:20: byte 19: found the end of the file, "
            "expected the name of a task type");
  EXPECT_EQ(Error("enum TaskType { A = "),
            "runtime_header.h:1:21: byte 20: found the end of the file, "
            "expected a number of at most 32 bits or an earlier enumerator");
}

}  // namespace
}  // namespace graph_coverage
