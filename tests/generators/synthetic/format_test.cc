// SPDX-License-Identifier: Apache-2.0
//
// What each version of the format writes, and each form of file names.
#include "graph_coverage/synthetic/format.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"
#include "tests/generators/synthetic/naive_gendir.h"

namespace graph_coverage::synthetic {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class Formats : public ::testing::TestWithParam<FormatVersion> {
 protected:
  Gendir Make() const {
    WriteOptions options;
    options.version = GetParam();
    return MakeGendir(BuildModel(Toy()), "toy", options);
  }
  std::string Source() const { return ContentOf(Make(), "kernel_0.cu"); }
  json Graph() const {
    return json::parse(ContentOf(Make(), "task_graph_0.json"));
  }
};
INSTANTIATE_TEST_SUITE_P(All, Formats, ::testing::ValuesIn(AllVersions()),
                         [](const auto& info) { return ToString(info.param); });

TEST_P(Formats, GraphsArePrintedAsTheGeneratorDoes) {
  const std::string text = ContentOf(Make(), "task_graph_0.json");
  EXPECT_EQ(text, json::parse(text).dump(2));
}

TEST_P(Formats, TasksHaveTheKeysOfTheirVersion) {
  const FormatFacts facts = FactsOf(GetParam());
  std::set<std::string> expected = {"task_type", "inputs", "outputs",
                                    "trigger_event"};
  const auto add = [&](bool fact, std::initializer_list<const char*> keys) {
    if (fact) expected.insert(keys.begin(), keys.end());
  };
  add(facts.dependent_event, {"dependent_event"});
  add(facts.variant_id, {"variant_id"});
  add(facts.request_id, {"request_id"});
  add(facts.expert_offset, {"expert_offset"});
  add(facts.kv_idx, {"kv_idx", "merge_task_offset"});
  add(facts.task_offset, {"task_offset"});
  add(facts.shared_memory, {"smem_alignment", "smem_regions"});
  add(facts.tail_tasks, {"is_tail_task"});
  const json graph = Graph();
  for (const json& task : graph.at("all_tasks")) {
    std::set<std::string> keys;
    for (const auto& [key, value] : task.items()) keys.insert(key);
    ASSERT_EQ(keys, expected);
  }
  EXPECT_TRUE(graph["all_tasks"][0]["inputs"].is_null());
  EXPECT_EQ(graph["all_tasks"][2]["trigger_event"].is_object(),
            !facts.plain_events);
  const json& operand = graph["all_tasks"][2]["inputs"][0];
  EXPECT_EQ(operand.contains("offset"), !facts.block_offsets);
  EXPECT_EQ(operand.contains("bx"), facts.block_offsets);
}

TEST_P(Formats, SourcesDeclareAsTheirVersionDoes) {
  const FormatFacts facts = FactsOf(GetParam());
  const std::string source = Source();
  const auto has = [&](bool fact, const char* text) {
    if (fact) {
      EXPECT_THAT(source, HasSubstr(text));
    } else {
      EXPECT_THAT(source, Not(HasSubstr(text)));
    }
  };
  has(facts.named_tensors, "model_tensors.at(\"lm_head\")");
  has(!facts.dependent_event, "= (char*) torch_tensors[3];");
  has(facts.dependent_event && !facts.named_tensors,
      "char *lm_head = (char*)(0x7");
  has(facts.expert_offset, "CUDA_CHECK(cudaMalloc(&");
  has(facts.null_operands, "all_tensors[\"nullptr\"] = nullptr;");
  has(facts.variant_id, "TASK_RMS_NORM && task_desc");
  has(facts.descriptors, "task_desc->input_ptrs[0]");
  has(facts.variant_id && !facts.descriptors, "task_desc.inputs[0].base_ptr");
}

TEST(FormatOrder, OldestLaunchesByRange) {
  WriteOptions options;
  options.version = FormatVersion::kF0;
  const json graph = json::parse(ContentOf(
      MakeGendir(BuildModel(Toy()), "toy", options), "task_graph_0.json"));
  std::set<int> types;
  for (const json& event : graph.at("all_events")) {
    types.insert(event.at("event_type").get<int>());
  }
  EXPECT_EQ(types, (std::set<int>{901, 902, 910, 911}));
}

TEST(FormatLimits, VersionsRefuseWhatTheyCannotSay) {
  const auto refused = [](const Program& program, FormatVersion version,
                          const std::string& why) {
    WriteOptions options;
    options.version = version;
    EXPECT_THAT(
        [&] { MakeGendir(program, "toy", options); },
        ::testing::ThrowsMessage<std::invalid_argument>(HasSubstr(why)));
  };
  ModelConfig model = Toy();
  model.weights = ModelConfig::Weights::kShuffled;
  refused(BuildModel(model), FormatVersion::kF5,
          "the shuffled tensor layer_0_qkv_proj cannot be written in F5");
  model = Toy();
  model.grouped->qk_norm = false;
  refused(
      BuildModel(model), FormatVersion::kF3,
      "an absent operand of TASK_PAGED_ATTENTION_1 cannot be written in F3");
  model = Toy();
  model.ranks = 2;
  refused(BuildModel(model), FormatVersion::kF6,
          "the collective TASK_NVSHMEM_TILE_ALLREDUCE cannot be written in F6");
  model = Toy();
  model.requests = 2;
  refused(BuildModel(model), FormatVersion::kF4,
          "the metadata of TASK_PAGED_ATTENTION_1 cannot be written in F4");
  refused(BuildModel(ToyLatent()), FormatVersion::kF8,
          "the metadata of TASK_MLA_MTP_DECODE_SM100 cannot be written in F8");
  Program program = BuildModel(Toy());
  program.Alias("other", TensorRef{0});
  refused(program, FormatVersion::kF12,
          "the alias other cannot be written in F12");
}

TEST(FormatAliases, AreRegisteredAfterTheDeclarations) {
  Program program = BuildModel(Toy());
  program.Alias("other", TensorRef{0});
  WriteOptions options;
  options.version = FormatVersion::kX2;
  EXPECT_THAT(ContentOf(MakeGendir(program, "toy", options), "kernel_0.cu"),
              HasSubstr("all_tensors[\"nullptr\"] = nullptr;\n"
                        "  all_tensors[\"other\"] = "
                        "all_tensors[\"input_token\"];\n"));
}

TEST(FileNamings, PairByRank) {
  const auto names = [](FileNaming naming) {
    return KernelFileName(naming, 3) + " " + GraphFileName(naming, 3);
  };
  EXPECT_EQ(names(FileNaming::kDemo), "kernel_3.cu task_graph_3.json");
  EXPECT_EQ(names(FileNaming::kCompile), "test_rank3.cu task_graph_rank3.json");
  EXPECT_EQ(names(FileNaming::kTemp), "test.cu task_graph.json");
  EXPECT_EQ(names(FileNaming::kOldTemp), "kernel.cu task_graph.json");
}

TEST(FileNamings, WithoutNumbersHoldOneRank) {
  WriteOptions options;
  options.naming = FileNaming::kTemp;
  EXPECT_THAT([&] { MakeGendir(BuildModel(ToyLatent(2)), "toy", options); },
              ::testing::ThrowsMessage<std::invalid_argument>(
                  HasSubstr("one rank only")));
}

}  // namespace
}  // namespace graph_coverage::synthetic
