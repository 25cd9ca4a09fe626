// SPDX-License-Identifier: Apache-2.0
//
// Contracts: recorded, written, read, compared.
#include "graph_coverage/contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"
#include "tests/audit/artifacts/error_of.h"
#include "tests/support/sample_gendir.h"

namespace graph_coverage {
namespace {

Contract SampleContract(Wiring wiring, int ranks = 1) {
  return RecordContract(Gendir("sample", SampleFiles(wiring, ranks)));
}

// The indented block of docs/contract.md that starts with this line.
std::string BlockOf(const std::string& first) {
  std::ifstream file(std::string(DOCS) + "/contract.md");
  std::string block;
  for (std::string line; std::getline(file, line);) {
    if (block.empty() && line != "    " + first) continue;
    if (!line.empty() && line.rfind("    ", 0) != 0) break;
    block += line.substr(std::min<std::size_t>(4, line.size())) + "\n";
  }
  while (block.size() > 1 && block[block.size() - 2] == '\n') block.pop_back();
  return block;
}

TEST(Contract, OfTheDocsIsThatOfTheSample) {
  EXPECT_EQ(WriteContract(SampleContract(Wiring::kClean)), BlockOf("{"));
}

TEST(Contract, IsReadBack) {
  for (const int ranks : {1, 3}) {
    const Contract recorded = SampleContract(Wiring::kClean, ranks);
    const std::string text = WriteContract(recorded);
    const Contract read = ParseContract(text, "c.json");
    EXPECT_EQ(WriteContract(read), text);
    EXPECT_EQ(WriteDiff(recorded, read), "");
    EXPECT_EQ(read.ranks.size(), static_cast<std::size_t>(ranks));
  }
}

TEST(Contract, IsOneForAllRanks) {
  const auto lines = [](int ranks) {
    return SampleContract(Wiring::kClean, ranks).lines.size();
  };
  EXPECT_EQ(lines(1), lines(3));
}

TEST(Diff, SaysCountsThenALineEach) {
  Contract was = SampleContract(Wiring::kClean);
  was.file = "good.json";
  EXPECT_EQ(WriteDiff(was, SampleContract(Wiring::kClean)), "");
  const std::string text = WriteDiff(was, SampleContract(Wiring::kBroken));
  EXPECT_EQ(text, BlockOf("was good.json: rank 0, 3 tensor families, 1 task "
                          "type, 4 tasks, 1 branch"));
}

// Facts of one tensor family in layers 0 to 3.
Contract Layered(std::uint64_t refs_of_layer_2, const std::string& type) {
  Contract contract;
  contract.file = "c";
  contract.ranks = {RankId(0), RankId(1)};
  ContractLine line;
  line.name = "layer_#_norm";
  line.ranks = contract.ranks;
  line.layers = {0, 1, 3};
  line.facts["kind"].text = "attached";
  line.facts[type + ".in1"] = {16, "0123abcd"};
  contract.lines.push_back(line);
  line.layers = {2};
  line.facts[type + ".in1"] = {refs_of_layer_2, "0123abcd"};
  contract.lines.push_back(line);
  return contract;
}

TEST(Diff, NamesTheLayerWhatWasAndWhatIs) {
  const auto differences =
      Differences(Layered(16, "TASK_A"), Layered(8, "TASK_A"));
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].name, "layer_2_norm");
  EXPECT_EQ(differences[0].layers, std::vector<std::uint32_t>{2});
  EXPECT_EQ(differences[0].changes,
            std::vector<std::string>{"layer 2: 8 refs by TASK_A.in1, were 16"});
}

TEST(Diff, IgnoresTypeNamesIfAsked) {
  const Contract was = Layered(16, "TASK_A");
  const auto changes = [](const std::vector<ContractDifference>& differences) {
    return differences.empty() ? std::vector<std::string>()
                               : differences[0].changes;
  };
  EXPECT_EQ(changes(Differences(was, Layered(16, "TASK_B"))),
            std::vector<std::string>{"layers 0-3: 16 refs by TASK_B.in1, were "
                                     "16 by TASK_A.in1"});
  EXPECT_EQ(changes(Differences(was, Layered(16, "TASK_B"), {true})),
            std::vector<std::string>());
  EXPECT_EQ(changes(Differences(was, Layered(8, "TASK_B"), {true})),
            std::vector<std::string>{"layer 2: 8 refs by in1, were 16"});
}

TEST(Diff, ComparesTheRanksThatBothHave) {
  const Contract two = Layered(16, "TASK_A");
  Contract one = two;
  one.ranks = {RankId(0)};
  for (ContractLine& line : one.lines) line.ranks = one.ranks;
  EXPECT_TRUE(Differences(two, one).empty());
  EXPECT_NE(WriteDiff(two, one).find("; compared on rank 0\n"),
            std::string::npos);
}

TEST(Contract, OfOtherContentIsRefused) {
  const auto error_in = [](const std::string& text) {
    return ErrorOf([&text] { ParseContract(text, "c.json"); });
  };
  const std::string good = WriteContract(SampleContract(Wiring::kClean));
  const auto with = [&good](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  EXPECT_EQ(error_in(with("\"ranks\": \"0\"", "\"rank\": \"0\"")),
            "c.json:3:3: byte 21: found the key \"rank\", expected a key of a "
            "contract; did you mean \"ranks\"?");
  EXPECT_EQ(error_in(with("\"contract\": 1", "\"contract\": 2")),
            "c.json:2:15: byte 16: found 2, expected version 1; record the "
            "contract again");
  std::string ranges = "0-65535";
  for (int i = 0; i < 40; ++i) ranges += ", 0-65535";
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{}"),
        std::string(100000, '['), std::string(100000, '{'), good + "x",
        with("\"ranks\": \"0\"", "\"ranks\": \"" + ranges + "\""),
        with("\"ranks\": \"0\"", "\"ranks\": \"0-70000\""),
        with("\"ranks\": \"0\"", "\"ranks\": \"3, 1\""),
        with("\"ranks\": \"0\"", "\"ranks\": 0"),
        with("\"name\": ", "\"nmae\": "), with("[4, ", "[-4, "),
        with("[4, ", "[4.5, "), with("[4, ", "[99999999999999999999, "),
        with("[4, ", "[4, 4, "), with("\"attached\"", "true"),
        with("\"attached\"", "\"\xff\""), good.substr(0, good.size() / 2)}) {
    const std::string error = error_in(text);
    EXPECT_EQ(error.rfind("c.json:", 0), 0u)
        << text.substr(0, 60) << " gives: " << error;
  }
}

TEST(Contract, ThatWouldNotBeReadBackIsNotWritten) {
  const auto error_of = [](const Contract& contract) {
    return ErrorOf(
        [&contract] { ParseContract(WriteContract(contract), "c.json"); });
  };
  Contract contract = Layered(16, "TASK_A");
  contract.lines[0].layers = {65535};
  EXPECT_EQ(error_of(contract), "no error");
  contract.lines[0].layers = {1, 65536};
  EXPECT_EQ(error_of(contract),
            "c: cannot be recorded: layer 65536 of \"layer_#_norm\", and a "
            "contract holds layers up to 65535");

  ContractLine line = contract.lines[0];
  line.layers.clear();
  for (std::uint32_t i = 0; i < 65535; ++i) line.layers.push_back(i);
  contract.lines.assign(16, line);
  EXPECT_EQ(error_of(contract), "no error");
  contract.lines.push_back(Layered(16, "TASK_A").lines[0]);
  contract.lines.push_back(line);
  EXPECT_EQ(error_of(contract),
            "c: cannot be recorded: 1114100 layers and ranks over all lines, "
            "and a contract holds at most 1048576");

  contract = Layered(16, "TASK_A");
  contract.lines[0].facts["kind"].text.assign(std::size_t{4} << 20, 'k');
  EXPECT_THAT(error_of(contract),
              testing::HasSubstr("and 4194304 are the most that is read"));
}

// A whole model: small, by family, and unlike any other.
TEST(Contract, FoldsLayers) {
  const auto recorded = [](std::int64_t layers) {
    synthetic::ModelConfig config = synthetic::Toy();
    config.layers = layers;
    return WriteContract(RecordContract(
        synthetic::MakeGendir(synthetic::BuildModel(config), "model")));
  };
  const std::string four = recorded(4);
  const std::string eight = recorded(8);
  EXPECT_NE(four, eight);
  EXPECT_EQ(std::count(four.begin(), four.end(), '\n'),
            std::count(eight.begin(), eight.end(), '\n'));
}

}  // namespace
}  // namespace graph_coverage
