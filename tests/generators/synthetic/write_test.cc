// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/synthetic/write.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "graph_coverage/synthetic/presets.h"
#include "tests/generators/synthetic/naive_gendir.h"

namespace graph_coverage::synthetic {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class Write : public ::testing::Test {
 protected:
  Write()
      : folder_(
            fs::path(::testing::TempDir()) /
            ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder_);
  }
  ~Write() override { fs::remove_all(folder_); }

  static std::string Text(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  const fs::path folder_;
};

TEST_F(Write, DiskHoldsWhatMemoryHolds) {
  const Program program = BuildModel(ToyLatent(2));
  WriteGendir(program, (folder_ / "deep" / "er").string());
  const Gendir gendir = MakeGendir(program, "toy");
  for (const MemoryFile& file : gendir.files()) {
    EXPECT_EQ(Text(folder_ / "deep" / "er" / file.name), file.content);
  }
  EXPECT_EQ(gendir.files().size(), 4u);
  EXPECT_EQ(gendir.name(), "toy");
}

TEST_F(Write, SameProgramSameBytes) {
  const Gendir one = MakeGendir(BuildModel(ToyExperts()), "toy");
  const Gendir two = MakeGendir(BuildModel(ToyExperts()), "toy");
  for (std::size_t i = 0; i < one.files().size(); ++i) {
    EXPECT_EQ(one.files()[i].content, two.files()[i].content);
  }
}

TEST_F(Write, LeavesNothingHalfWritten) {
  WriteGendir(BuildModel(Toy()), folder_.string());
  EXPECT_THAT(Files(),
              UnorderedElementsAre("kernel_0.cu", "task_graph_0.json"));
}

TEST_F(Write, OneRankAloneIsThatRank) {
  const Program program = BuildModel(ToyLatent(2));
  WriteOptions options;
  options.only_rank = 1;
  const Gendir one = MakeGendir(program, "toy", options);
  const Gendir both = MakeGendir(program, "toy");
  ASSERT_EQ(one.files().size(), 2u);
  for (const MemoryFile& file : one.files()) {
    EXPECT_EQ(file.content, ContentOf(both, file.name));
  }
  EXPECT_THAT(ContentOf(one, "task_graph_1.json"), HasSubstr("4294967297"));
  options.only_rank = 2;
  EXPECT_THAT([&] { MakeGendir(program, "toy", options); },
              ::testing::ThrowsMessage<std::invalid_argument>(
                  HasSubstr("rank 2 of 2 cannot be written")));
}

TEST_F(Write, NamesTheFileThatCannotBeWritten) {
  // A folder where a file would go.
  fs::create_directories(folder_ / "kernel_0.cu.partial");
  EXPECT_THAT([&] { WriteGendir(BuildModel(Toy()), folder_.string()); },
              ::testing::ThrowsMessage<std::runtime_error>(
                  HasSubstr("kernel_0.cu: cannot be written: ")));
  EXPECT_FALSE(fs::exists(folder_ / "task_graph_0.json"));
}

}  // namespace
}  // namespace graph_coverage::synthetic
