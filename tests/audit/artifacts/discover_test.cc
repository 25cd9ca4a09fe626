// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/discover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace graph_coverage {
namespace {

Gendir Holding(const std::vector<std::string>& names) {
  std::vector<MemoryFile> files;
  for (const std::string& name : names) files.push_back({name, "x"});
  return Gendir("gendir", files);
}

std::vector<std::string> Pairs(const Gendir& gendir) {
  std::vector<std::string> pairs;
  for (const RankFiles& rank : DiscoverRanks(gendir)) {
    pairs.push_back(std::to_string(Index(rank.rank)) + ": " + rank.kernel.file +
                    " + " + rank.graph.file);
  }
  return pairs;
}

std::string ErrorOf(const Gendir& gendir) {
  try {
    DiscoverRanks(gendir);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

using testing::ElementsAre;

TEST(Discover, PairsEveryNamingForm) {
  EXPECT_THAT(Pairs(Holding({"kernel_1.cu", "kernel_0.cu", "task_graph_0.json",
                             "task_graph_1.json", "notes.txt"})),
              ElementsAre("0: kernel_0.cu + task_graph_0.json",
                          "1: kernel_1.cu + task_graph_1.json"));
  EXPECT_THAT(Pairs(Holding({"test_rank10.cu", "task_graph_rank10.json",
                             "kernel_metadata_rank10.json"})),
              ElementsAre("10: test_rank10.cu + task_graph_rank10.json"));
  EXPECT_THAT(Pairs(Holding({"test.cu", "task_graph.json"})),
              ElementsAre("0: test.cu + task_graph.json"));
  EXPECT_THAT(Pairs(Holding({"kernel.cu", "task_graph.json"})),
              ElementsAre("0: kernel.cu + task_graph.json"));
}

TEST(Discover, SaysWhatIsWrongWithTheSet) {
  EXPECT_EQ(
      ErrorOf(Holding({"kernel_0.cu", "task_graph_0.json", "kernel_3.cu"})),
      "kernel_3.cu: has no task graph beside it; rank 3 needs "
      "task_graph_3.json or task_graph_rank3.json");
  EXPECT_EQ(ErrorOf(Holding({"task_graph_rank0.json"})),
            "task_graph_rank0.json: has no kernel source beside it; rank 0 "
            "needs kernel_0.cu or test_rank0.cu");
  EXPECT_EQ(ErrorOf(Holding({"kernel.cu", "test.cu", "task_graph.json"})),
            "gendir: kernel.cu and test.cu are both the kernel source of rank "
            "0; keep one");
  EXPECT_EQ(ErrorOf(Holding({"a.json"})),
            "gendir: holds no artifacts; looked for "
            "kernel_<rank>.cu with task_graph_<rank>.json, test_rank<rank>.cu "
            "with task_graph_rank<rank>.json, and test.cu or kernel.cu with "
            "task_graph.json");
  EXPECT_EQ(ErrorOf("/no/such/place"),
            "/no/such/place: no such directory; give the one that holds "
            "kernel_<rank>.cu and task_graph_<rank>.json");
}

TEST(Discover, RefusesAFileForADirectory) {
  const std::string here =
      std::filesystem::canonical("/proc/self/exe").string();
  EXPECT_EQ(ErrorOf(here),
            here +
                ": is not a directory; give the directory that holds "
                "kernel_<rank>.cu and task_graph_<rank>.json");
}

TEST(Discover, SelectsTheRanksAskedFor) {
  const Gendir gendir = Holding(
      {"kernel_0.cu", "task_graph_0.json", "kernel_2.cu", "task_graph_2.json"});
  const auto found = DiscoverRanks(gendir);
  const auto one = SelectRanks(gendir, found, {RankId(2), RankId(2)});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].rank, RankId(2));
  try {
    SelectRanks(gendir, found, {RankId(1)});
    FAIL() << "rank 1 is not there";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "gendir: rank 1 is asked for and absent; the gendir has "
                 "ranks 0, 2");
  }
}

}  // namespace
}  // namespace graph_coverage
