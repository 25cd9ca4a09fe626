// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/dispatch_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/audit/artifacts/error_of.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Branch> Read(const std::string& body) {
  const std::string whole = "{" + body + "}";
  const CxxTokens tokens(whole, "k.cu");
  const CxxBrackets text(tokens);
  return ReadDispatch(text, {1, tokens.size() - 1});
}

std::string Error(const std::string& body) {
  return ErrorOf([&] { Read(body); });
}

// The branch that runs `body`.
Branch ReadBody(const std::string& body) {
  const std::vector<Branch> branches =
      Read("if (task_desc->task_type == TASK_T) {" + body + "}");
  return branches.at(0);
}

// "TYPE/VARIANT" of each branch.
std::vector<std::string> Keys(const std::string& body) {
  std::vector<std::string> keys;
  for (const Branch& branch : Read(body)) {
    keys.push_back(branch.type + "/" + std::to_string(branch.variant));
  }
  return keys;
}

// "CALL KIND VALUE" of each argument; the value only where it says something.
std::vector<std::string> Arguments(const Branch& branch) {
  std::vector<std::string> shown;
  for (const Argument& a : branch.arguments) {
    std::string text = std::to_string(a.call) + " ";
    switch (a.kind) {
      case Argument::Kind::kInput:
        text += "in" + std::to_string(a.value);
        break;
      case Argument::Kind::kOutput:
        text += "out" + std::to_string(a.value);
        break;
      case Argument::Kind::kBoolean:
        text += a.value == 1 ? "true" : "false";
        break;
      case Argument::Kind::kNumber:
        text += std::to_string(a.value);
        break;
      case Argument::Kind::kNull:
        text += "null";
        break;
      case Argument::Kind::kMetadata:
        text += "metadata";
        break;
      case Argument::Kind::kConfig:
        text += "config";
        break;
      case Argument::Kind::kOther:
        text += "other";
        break;
    }
    shown.push_back(text);
  }
  return shown;
}
std::vector<std::string> Arguments(const std::string& body) {
  return Arguments(ReadBody(body));
}

TEST(DispatchReader, ReadsTheChainInOrder) {
  const std::vector<Branch> branches = Read(R"(
  if (task_desc->task_type == TASK_A && task_desc->variant_id == 0) {
    a(task_desc->input_ptrs[0]);
  }
  else if (task_desc->task_type == TASK_A && task_desc->variant_id == 12) {
  }
  else if (task_desc->task_type == TASK_B && task_desc->variant_id == 0) {
    b(task_desc->output_ptrs[1]);
  })");
  ASSERT_EQ(branches.size(), 3u);
  EXPECT_EQ(branches[0].type, "TASK_A");
  EXPECT_EQ(branches[0].variant, 0u);
  EXPECT_EQ(branches[0].line, 2u);
  EXPECT_THAT(branches[0].inputs, ElementsAre(0));
  EXPECT_THAT(branches[0].outputs, IsEmpty());
  EXPECT_EQ(branches[1].variant, 12u);
  EXPECT_EQ(branches[1].line, 5u);
  EXPECT_THAT(branches[1].inputs, IsEmpty());
  EXPECT_EQ(branches[2].type, "TASK_B");
  EXPECT_THAT(branches[2].outputs, ElementsAre(1));
}

TEST(DispatchReader, ReadsConditionsInEveryForm) {
  EXPECT_THAT(
      Keys("if (TASK_A == task_desc->task_type && 1 == task_desc->variant_id)"
           "{} else if ((task_desc.variant_id == 2u) && "
           "(task_desc.task_type == TASK_B)) {}"
           "if (((task_desc->task_type == TASK_C))) {}"
           "if ((*task_desc).task_type == mirage::runtime::TASK_D) {}"
           "if ((task_desc->task_type) == static_cast<TaskType>(TASK_E)) {}"
           "if constexpr (task_type == TASK_F) {}"),
      ElementsAre("TASK_A/1", "TASK_B/2", "TASK_C/0", "TASK_D/0", "TASK_E/0",
                  "TASK_F/0"));
}

TEST(DispatchReader, ReadsBranchesWithoutBraces) {
  const std::vector<Branch> branches = Read(
      "if (task_desc->task_type == TASK_A) a(task_desc->input_ptrs[0]);"
      "else if (task_desc->task_type == TASK_B) "
      "b([&] { c(); }, task_desc->input_ptrs[1]); d();");
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_THAT(branches[0].inputs, ElementsAre(0));
  EXPECT_THAT(branches[1].inputs, ElementsAre(1));
  EXPECT_EQ(branches[0].body, "a ( task_desc -> input_ptrs [ 0 ] ) ;");
}

TEST(DispatchReader, KeepsTwoBranchesOfOneTypeAndVariantInOrder) {
  EXPECT_THAT(Keys("if (t->task_type == TASK_A) {} else if "
                   "(t->task_type == TASK_A) {}"),
              ElementsAre("TASK_A/0", "TASK_A/0"));
}

TEST(DispatchReader, SkipsWhatStandsAroundTheChain) {
  EXPECT_THAT(Keys("int x = 3; if (threadIdx.x == 0) { log(x); }"
                   "if (task_desc->task_type >= TASK_BEGIN) {"
                   "  if (task_desc->task_type == TASK_A) {"
                   "    if (task_desc->task_type == TASK_NESTED) {} } }"
                   "else { printf(\"%d\", task_desc->task_type); }"),
              ElementsAre("TASK_A/0"));
  EXPECT_THAT(Keys(""), IsEmpty());
}

TEST(DispatchReader, RejectsConditionsOfOtherForms) {
  const std::string expected =
      ", expected task_type and variant_id, each compared once with ==, and "
      "nothing else in the condition of a branch";
  EXPECT_EQ(Error("if (t->task_type == TASK_A || t->task_type == TASK_B) {}"),
            "k.cu:1:29: byte 28: found ||" + expected);
  EXPECT_EQ(Error("if (t->task_type == TASK_A && enabled) {}"),
            "k.cu:1:32: byte 31: found enabled" + expected);
  EXPECT_EQ(Error("if (t->task_type == TASK_A && x == 3) {}"),
            "k.cu:1:32: byte 31: found x" + expected);
  EXPECT_EQ(Error("if (t->task_type == TASK_A && t->task_type == TASK_B) {}"),
            "k.cu:1:6: byte 5: found t" + expected);
  EXPECT_EQ(Error("if (t->task_type == TASK_A && t->variant_id == 0 && "
                  "t->variant_id == 1) {}"),
            "k.cu:1:32: byte 31: found t" + expected);
  EXPECT_EQ(Error("if (t->task_type == ) {}"),
            "k.cu:1:6: byte 5: found t" + expected);
  EXPECT_EQ(Error("if (t->task_type == 296) {}"),
            "k.cu:1:22: byte 21: found 296, expected the name of a task type");
  EXPECT_EQ(Error("if (t->task_type == f(x)) {}"),
            "k.cu:1:23: byte 22: found (, expected the name of a task type");
  EXPECT_EQ(Error("if (t->task_type == TASK_A && t->variant_id == v) {}"),
            "k.cu:1:49: byte 48: found v, expected the number of a variant");
  EXPECT_EQ(
      Error("if (t->task_type == TASK_A && t->variant_id == 4294967296) {}"),
      "k.cu:1:49: byte 48: found 4294967296, expected the number of a "
      "variant");
}

TEST(DispatchReader, RejectsADispatchThatIsNoChain) {
  const std::string expected =
      "found task_type, expected a chain of `if (task_desc->task_type == "
      "TASK_... && task_desc->variant_id == ...)`";
  EXPECT_EQ(Error("switch (task_desc->task_type) { case TASK_A: a(); }"),
            "k.cu:1:21: byte 20: " + expected);
  EXPECT_EQ(Error("auto t = task_desc->task_type; if (t == TASK_A) {}"),
            "k.cu:1:22: byte 21: " + expected);
}

TEST(BranchReader, FindsEveryWayToReachASlot) {
  const Branch branch = ReadBody(R"(
    f(task_desc->input_ptrs[3], task_desc->input_tma_desc_ptrs[2][0],
      task_desc->output_ptrs[1], task_desc->output_tma_desc_ptrs[0][1],
      task_desc.inputs[5].base_ptr, (*task_desc).outputs[4].base_ptr,
      task_desc->input_ptrs[3], task_desc->input_ptrs[(7u)]);)");
  EXPECT_THAT(branch.inputs, ElementsAre(2, 3, 5, 7));
  EXPECT_THAT(branch.outputs, ElementsAre(0, 1, 4));
  EXPECT_FALSE(branch.any_input);
  EXPECT_FALSE(branch.any_output);
  EXPECT_TRUE(branch.DereferencesInput(5));
  EXPECT_FALSE(branch.DereferencesInput(4));
}

TEST(BranchReader, IgnoresSlotsInCommentsStringsAndOtherStructures) {
  const Branch branch = ReadBody(R"(
    f(task_desc->input_ptrs[0],  // task_desc->input_ptrs[4],
      "task_desc->input_ptrs[5]", /* task_desc->input_ptrs[6] */
      params.inputs[7], input_ptrs[8], task_desc.inputs[9].dim[0]);)");
  EXPECT_THAT(branch.inputs, ElementsAre(0));
  EXPECT_FALSE(branch.any_input);
}

TEST(BranchReader, KnowsLocalNamesOfTheArraysAndOfTheTask) {
  const Branch branch = ReadBody(R"(
    auto p = task_desc->input_ptrs;
    auto const &t = *task_desc;
    void *const *o = t.output_ptrs;
    TaskDesc const *u = task_desc;
    f(p[3], o[1], t.inputs[2].base_ptr, u->output_ptrs[0]);)");
  EXPECT_THAT(branch.inputs, ElementsAre(2, 3));
  EXPECT_THAT(branch.outputs, ElementsAre(0, 1));
  EXPECT_FALSE(branch.any_input);
  EXPECT_FALSE(branch.any_output);
  EXPECT_THAT(Arguments(branch),
              ElementsAre("0 in3", "0 out1", "0 in2", "0 out0"));
}

TEST(BranchReader, SaysThatAnySlotMayBeDereferenced) {
  const Branch loop =
      ReadBody("for (int i = 0; i < 3; ++i) f(task_desc->input_ptrs[i]);");
  EXPECT_TRUE(loop.any_input);
  EXPECT_FALSE(loop.any_output);
  EXPECT_TRUE(loop.DereferencesInput(7));
  EXPECT_FALSE(loop.DereferencesOutput(0));
  EXPECT_TRUE(ReadBody("f(task_desc->output_ptrs);").any_output);
  EXPECT_TRUE(ReadBody("auto p = task_desc->output_ptrs + 1;").any_output);
  EXPECT_TRUE(ReadBody("auto p = task_desc->input_ptrs; p[i];").any_input);
  EXPECT_TRUE(ReadBody("f(task_desc->input_ptrs[70000]);").any_input);
  const Branch whole = ReadBody("f(task_desc, 3);");
  EXPECT_TRUE(whole.any_input);
  EXPECT_TRUE(whole.any_output);
  EXPECT_TRUE(whole.reads_task_metadata);
  EXPECT_TRUE(ReadBody("f(*task_desc);").any_input);
  EXPECT_TRUE(ReadBody("auto d = last - task_desc;").any_input);
  EXPECT_FALSE(ReadBody("assert(task_desc != nullptr);").any_input);
}

TEST(BranchReader, ListsArgumentsOfAnAttentionCall) {
  EXPECT_THAT(Arguments(R"(
      kernel::attention<bfloat16, 8, true, pair<3, none<false>>>(
      task_desc->input_ptrs[1],
      runtime_config.qo_indptr_buffer,
      task_desc->task_metadata.request_id,
      true,
      false/*rope*/,
      task_desc->input_ptrs[3],
      1e-6f,
      -1,
      1,
      nullptr,
      static_cast<float*>(nullptr),
      task_desc->output_ptrs[0]);)"),
              ElementsAre("0 in1", "0 config", "0 metadata", "0 true",
                          "0 false", "0 in3", "0 other", "0 -1", "0 1",
                          "0 null", "0 null", "0 out0"));
}

TEST(BranchReader, GroupsArgumentsByCall) {
  const Branch branch = ReadBody(
      "auto v = view(ptr(task_desc->input_ptrs[2]), shape(1, 128)); "
      "run(v, true);");
  EXPECT_THAT(Arguments(branch), ElementsAre("0 in2", "0 other", "1 in2", "2 1",
                                             "2 128", "3 in2", "3 true"));
  EXPECT_EQ(branch.arguments[0].text, "ptr(task_desc->input_ptrs[2])");
  EXPECT_EQ(branch.arguments[5].text, "v");
}

TEST(BranchReader, FollowsLocalVariables) {
  EXPECT_THAT(Arguments(R"(
    using Map = map_2d<uint8_t, 3, true>;
    Map a(static_cast<CUtensorMap*>(task_desc->input_tma_desc_ptrs[1][0]));
    Map b{task_desc->input_tma_desc_ptrs[2][0]};
    auto request = task_desc->task_metadata.request_id;
    int gpu = runtime_config.my_gpu_id;
    constexpr bool kRope = true;
    bool later = true;
    void *p = nullptr;
    auto q = both(task_desc->input_ptrs[3], task_desc->input_ptrs[4]);
    run(&a, b, request, gpu == 0, kRope, later, p, q, a + b);)"),
              ElementsAre("0 in1", "1 in3", "1 in4", "2 in1", "2 in2",
                          "2 metadata", "2 config", "2 true", "2 other",
                          "2 other", "2 other", "2 other"));
}

TEST(BranchReader, ForgetsAVariableThatIsSetInTwoWays) {
  EXPECT_THAT(Arguments(R"(
    void *p;
    if (x) p = task_desc->input_ptrs[3]; else p = task_desc->input_ptrs[4];
    run(p);
    auto *s = task_desc->input_ptrs[5];
    s = task_desc->input_ptrs[5];
    run(s);)"),
              ElementsAre("0 other", "1 in5"));
}

TEST(BranchReader, TakesNoSyntaxForACall) {
  EXPECT_THAT(Arguments("if (true) { while (false) {} } for (;;) {} "
                        "auto n = sizeof(int); "
                        "auto f = [&](int x, bool y) { return (1); }; "
                        "auto p = static_cast<T<true>*>(nullptr); f(3);"),
              ElementsAre("0 3"));
}

TEST(BranchReader, ReadsCallsInLambdasAndArguments) {
  const Branch branch = ReadBody(
      "each([&](int i) { go<true, 2>(task_desc->input_ptrs[1], i, 4); }, "
      "a<b, c>(d), table[2](7));");
  EXPECT_THAT(Arguments(branch),
              ElementsAre("0 in1", "0 other", "0 other", "1 in1", "1 other",
                          "1 4", "2 other", "3 7"));
  EXPECT_EQ(branch.arguments[1].text, "a<b, c>(d)");
}

TEST(BranchReader, KnowsWhatTellsTasksApart) {
  EXPECT_TRUE(
      ReadBody("f(task_desc->task_metadata.kv_idx);").reads_task_metadata);
  EXPECT_TRUE(ReadBody("f(task_desc->request_id);").reads_task_metadata);
  EXPECT_TRUE(ReadBody("f(task_desc.expert_offset);").reads_task_metadata);
  EXPECT_FALSE(ReadBody("f(runtime_config.request_id, request_id);")
                   .reads_task_metadata);
  EXPECT_FALSE(ReadBody("f(task_desc->input_ptrs[0]);").reads_task_metadata);
}

TEST(BranchReader, KnowsWhetherTokensOfTheRuntimeAreRead) {
  EXPECT_TRUE(ReadBody("f(runtime_config.tokens + 1);").reads_runtime_tokens);
  EXPECT_TRUE(ReadBody("f(runtime_config->tokens);").reads_runtime_tokens);
  EXPECT_FALSE(ReadBody("f(runtime_config.tokens_x);").reads_runtime_tokens);
  EXPECT_FALSE(ReadBody("f(tokens, cfg.tokens);").reads_runtime_tokens);
}

TEST(BranchReader, NormalisesTheBody) {
  EXPECT_EQ(ReadBody("a<b>( c/*d*/,\n  // e\n  \"f  g\" );").body,
            "a < b > ( c , \"f  g\" ) ;");
}

}  // namespace
}  // namespace graph_coverage
