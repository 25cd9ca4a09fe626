// SPDX-License-Identifier: Apache-2.0
//
// Models as built against real task graphs: how they differ must be exactly
// what docs/synthetic.md lists and explains.
#include "tests/support/field.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "audit/artifacts/byte_source.h"
#include "audit/artifacts/kernel_source_reader.h"
#include "audit/artifacts/task_graph_reader.h"
#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"
#include "tests/generators/synthetic/outline.h"

namespace graph_coverage::synthetic {
namespace {

using Kernels = ModelConfig::Kernels;

struct FieldCase {
  const char* name;
  ModelConfig model;
  std::vector<int> layers;  // one of each kind
  bool same_bytes;          // the task graphs are the same file
};

std::vector<FieldCase> FieldCases() {
  return {{"qwen3_8b_a100", Qwen3_8B(Kernels::kAmpere), {1}, true},
          {"qwen3_8b_h100", Qwen3_8B(Kernels::kHopper), {1}, true},
          {"qwen3_8b_a100_tp2", Qwen3_8B(Kernels::kAmpere, 2), {1}, false},
          {"qwen3_8b_h100_tp4", Qwen3_8B(Kernels::kHopper, 4), {1}, true},
          {"llama3_8b_h100", Llama3_8B(), {1}, true},
          {"qwen3_30b_a3b_b200", Qwen3_30B_A3B(), {1}, true},
          {"deepseek_v3_tp8", DeepSeekV3(8), {1, 10}, false}};
}

std::string Text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

Outline Read(const std::string& source, std::unique_ptr<ByteSource> graph,
             const std::vector<int>& layers) {
  return OutlineOf(ReadKernelSource(source, "kernel_0.cu"),
                   ReadTaskGraph(*graph), layers);
}

Outline ReadField(const std::filesystem::path& folder, const FieldCase& test) {
  return Read(Text(folder / "kernel_0.cu"),
              OpenFile((folder / "task_graph_0.json").string()), test.layers);
}

Outline ReadBuilt(const FieldCase& test) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "built" / test.name;
  WriteOptions options;
  options.only_rank = 0;
  WriteGendir(BuildModel(test.model), folder.string(), options);
  Outline outline = ReadField(folder, test);
  std::filesystem::remove_all(folder);
  return outline;
}

// The table of docs/synthetic.md: a row a quantity that differs.
std::string Table(const std::string& name, const Outline& field,
                  const Outline& built, std::size_t* alike) {
  std::string rows;
  const auto of = [](const Outline& outline, const std::string& key) {
    const auto found = outline.find(key);
    return found == outline.end() ? "none" : found->second;
  };
  Outline all = field;
  all.insert(built.begin(), built.end());
  for (const auto& [key, value] : all) {
    if (of(field, key) == of(built, key)) {
      ++*alike;
    } else {
      rows += fmt::format("| {} | {} | {} | {} |\n", name, key, of(field, key),
                          of(built, key));
    }
  }
  return rows;
}

// Fails, saying where, unless two files have the same bytes.
void ExpectSameBytes(const std::string& field, const std::string& built) {
  const auto [at, other] =
      std::mismatch(field.begin(), field.end(), built.begin(), built.end());
  if (at == field.end() && other == built.end()) return;
  ADD_FAILURE() << "the task graphs differ from byte " << at - field.begin();
}

class AgainstField : public ::testing::TestWithParam<FieldCase> {};
INSTANTIATE_TEST_SUITE_P(Cases, AgainstField, ::testing::ValuesIn(FieldCases()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST_P(AgainstField, DiffersAsTheDocsSay) {
  const auto unpacked = test_support::FieldCase(GetParam().name);
  if (!unpacked) GTEST_SKIP() << test_support::NoFieldCase(GetParam().name);
  const std::filesystem::path folder = *unpacked;
  std::size_t alike = 0;
  const std::string rows = Table(GetParam().name, ReadField(folder, GetParam()),
                                 ReadBuilt(GetParam()), &alike);
  const std::string summary = fmt::format(
      "| {} | quantities alike | {} | {} |\n", GetParam().name, alike, alike);
  const std::string docs =
      Text(std::filesystem::path(GRAPH_COVERAGE_SOURCE_DIR) / "docs" /
           "synthetic.md");
  EXPECT_THAT(docs, ::testing::HasSubstr(summary + rows));
  if (GetParam().same_bytes) {
    WriteOptions options;
    options.only_rank = 0;
    const Gendir built =
        MakeGendir(BuildModel(GetParam().model), "built", options);
    ExpectSameBytes(Text(folder / "task_graph_0.json"),
                    built.files().at(1).content);
  }
}

}  // namespace
}  // namespace graph_coverage::synthetic
