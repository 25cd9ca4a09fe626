// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/synthetic/glm_example.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "tests/generators/synthetic/naive_gendir.h"
#include "tests/generators/synthetic/naive_order.h"

namespace graph_coverage::synthetic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class GlmExample : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  // Reading is slow, so each is read once.
  static const NaiveRank& Read(bool mended) {
    static std::map<std::pair<bool, std::uint32_t>, NaiveRank> read;
    const auto [entry, fresh] =
        read.try_emplace({mended, GetParam()}, NaiveRank{});
    if (fresh) entry->second = ReadAgain(mended);
    return entry->second;
  }

 private:
  static NaiveRank ReadAgain(bool mended) {
    const Gendir gendir = synthetic::GlmExample(mended);
    const std::string rank = std::to_string(GetParam());
    return ReadNaively(ContentOf(gendir, "kernel_" + rank + ".cu"),
                       ContentOf(gendir, "task_graph_" + rank + ".json"));
  }
};
INSTANTIATE_TEST_SUITE_P(Ranks, GlmExample, ::testing::Values(0u, 1u));

struct Reads {
  std::size_t refs = 0;
  std::set<std::int64_t> types;
};

Reads ReadsOf(const NaiveRank& rank, const std::string& name) {
  Reads reads;
  for (const NaiveTask& task : rank.tasks) {
    for (const NaiveOperand& operand : task.inputs) {
      if (operand.name != name) continue;
      ++reads.refs;
      reads.types.insert(task.type);
    }
  }
  return reads;
}

TEST_P(GlmExample, MendedReadsItsTablesTwiceALayer) {
  const NaiveRank& rank = Read(true);
  for (const char* name : {"rope_cos", "rope_sin"}) {
    const Reads reads = ReadsOf(rank, name);
    EXPECT_EQ(reads.refs, 156u) << name;
    EXPECT_THAT(reads.types, ElementsAre(278, 296)) << name;
  }
  EXPECT_THAT(rank.type_names.at(296), "TASK_MLA_Q_ROPE_SM100");
  EXPECT_THAT(OperandFaults(rank), IsEmpty());
  EXPECT_THAT(EventFaults(rank), IsEmpty());
}

TEST_P(GlmExample, BeforeIsConsistentButForTheTables) {
  const NaiveRank& rank = Read(false);
  EXPECT_THAT(OperandFaults(rank),
              "nothing reads rope_cos\nnothing reads rope_sin\n");
  EXPECT_THAT(EventFaults(rank), IsEmpty());
  EXPECT_EQ(rank.source.find("Q_ROPE"), std::string::npos);
  EXPECT_EQ(ReadsOf(rank, "layer_77_o_proj").refs, 2u);
}

TEST(GlmExampleFiles, OnDiskAreThoseInMemory) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "glm_example";
  std::filesystem::remove_all(folder);
  WriteGlmExample(folder.string());
  for (const bool mended : {false, true}) {
    const Gendir gendir = synthetic::GlmExample(mended);
    std::size_t files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder / gendir.name())) {
      std::ostringstream text;
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      EXPECT_EQ(text.str(), ContentOf(gendir, entry.path().filename().string()))
          << entry.path();
      ++files;
    }
    EXPECT_EQ(files, 4u);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace graph_coverage::synthetic
