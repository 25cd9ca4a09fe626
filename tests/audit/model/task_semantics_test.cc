// SPDX-License-Identifier: Apache-2.0
//
// The table of task semantics: the built-in one, and ones that users give.
#include "audit/model/task_semantics.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/audit/artifacts/error_of.h"

namespace graph_coverage {
namespace {

std::string ParseError(const std::string& text) {
  return ErrorOf([&] { SemanticsTable::Parse(text, "mine.json"); });
}

TEST(BuiltInSemantics, KnowWritesThroughInputSlots) {
  const TaskSemantics* attention =
      SemanticsTable::BuiltIn().Find("TASK_PAGED_ATTENTION_1");
  ASSERT_NE(attention, nullptr);
  EXPECT_TRUE(attention->writes.input(1));
  EXPECT_TRUE(attention->writes.output(0));
  EXPECT_FALSE(attention->writes.input(0));
  EXPECT_TRUE(attention->state.input(2));
  EXPECT_EQ(attention->switched.at(3), Feature::kQkNorm);
  EXPECT_EQ(attention->switched.at(6), Feature::kRope);
  ASSERT_EQ(attention->operands.size(), 1u);
  EXPECT_EQ(attention->operands[0].inputs, 7u);
  EXPECT_EQ(attention->slots.at(Slot{false, 1}).dims.front(), 4u);
}

TEST(BuiltInSemantics, KnowWhatIsNotAPlainReadOrWrite) {
  const SemanticsTable& table = SemanticsTable::BuiltIn();
  EXPECT_TRUE(table.Find("TASK_TENSOR_INIT")->ignored.output(0));
  EXPECT_TRUE(table.Find("TASK_EMBEDDING")->ignored_with_tokens.input(0));
  EXPECT_TRUE(
      table.Find("TASK_LINEAR_FP8_WITH_RESIDUAL_SM100")->residual.input(4));
  EXPECT_TRUE(table.Find("TASK_SPLITK_LINEAR_SM100")->accumulates.output(0));
  EXPECT_TRUE(table.Find("TASK_NVSHMEM_TILE_ALLREDUCE")->collective);
  EXPECT_TRUE(table.Find("TASK_RMS_NORM")->norm);
  EXPECT_EQ(table.Find("TASK_UNHEARD_OF"), nullptr);
}

TEST(Semantics, OfAUserAddToTheTableAndReplaceIt) {
  const SemanticsTable mine = SemanticsTable::Parse(
      R"({"TASK_NEW": {"reads": ["in0"], "writes": ["out0", "in1"]},
          "TASK_LINEAR": {"reads": ["in1"]}})",
      "mine.json");
  const SemanticsTable table = SemanticsTable::BuiltIn().With(mine);
  EXPECT_EQ(table.size(), SemanticsTable::BuiltIn().size() + 1);
  EXPECT_TRUE(table.Find("TASK_NEW")->writes.input(1));
  EXPECT_FALSE(table.Find("TASK_LINEAR")->reads.input(0));
  EXPECT_TRUE(table.Find("TASK_RMS_NORM")->reads.input(1));
}

TEST(Semantics, ThatAreNoTableAreRefused) {
  EXPECT_EQ(ParseError("[]"),
            "mine.json:1:1: byte 0: found an array, expected a table of task "
            "types");
  EXPECT_EQ(ParseError("{").rfind("mine.json:1:2: byte 1: ", 0), 0u);
  EXPECT_EQ(ParseError(R"({"TASK_X": 3})"),
            "mine.json:1:12: byte 11: found 3, expected a task type, \"{\"");
  EXPECT_EQ(ParseError(R"({"TASK_X": {"reads": ["in64"]}})"),
            "mine.json:1:23: byte 22: found \"in64\", expected a slot such as "
            "\"in0\" or \"out1\"");
  EXPECT_EQ(ParseError(R"({"TASK_X": {"raeds": []}})"),
            "mine.json:1:13: byte 12: found the key \"raeds\", expected a key "
            "of a task type; did you mean \"reads\"?");
  EXPECT_EQ(ParseError(R"({"TASK_X": {"operands": ["2"]}})"),
            "mine.json:1:26: byte 25: found \"2\", expected operand counts "
            "such as \"2/1\"");
  EXPECT_EQ(
      ParseError(R"({"TASK_X": {"slots": {"in0": {"data_type": ["x"]}}}})"),
      "mine.json:1:45: byte 44: found \"x\", expected a data type such as "
      "\"bf16\"");
}

TEST(SlotSet, HoldsSlotsOfBothKinds) {
  SlotSet set = SlotSet::First(2, 1);
  EXPECT_TRUE(set.input(1) && set.output(0));
  EXPECT_FALSE(set.input(2) || set.output(1) || set.input(1000));
  EXPECT_TRUE(set.has({false, 0}));
  EXPECT_TRUE(SlotSet().empty());
  EXPECT_TRUE(SlotSet::First(64, 0).input(63));
}

}  // namespace
}  // namespace graph_coverage
