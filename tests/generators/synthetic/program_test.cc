// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/synthetic/program.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "graph_coverage/synthetic/model.h"
#include "graph_coverage/synthetic/presets.h"
#include "graph_coverage/synthetic/write.h"
#include "tests/generators/synthetic/naive_gendir.h"

namespace graph_coverage::synthetic {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr DataType kBf16 = DataType::kBf16;

template <typename Action>
void ExpectRefused(Action action, const std::string& why) {
  EXPECT_THAT(std::function<void()>(action),
              ThrowsMessage<std::invalid_argument>(HasSubstr(why)));
}

Operator Norm(Use x, Use w, Use y, std::int64_t tasks) {
  return {"TASK_RMS_NORM", {tasks}, {x, w}, {y}, Indexing::kBlock, {}};
}

TEST(Program, DeclaresATensorOnce) {
  Program program;
  const TensorRef x = program.Scratch("x", kBf16, {2, 4});
  EXPECT_EQ(program.Scratch("x", kBf16, {2, 4}), x);
  EXPECT_EQ(program.tensors().size(), 1u);
  EXPECT_EQ(program.tensor(x).bytes(), 16);
  EXPECT_THAT(program.tensor(x).strides, ElementsAre(4, 1));
  ExpectRefused(
      [&] {
        program.Scratch("x", kBf16, {2, 8});
      },
      "tensor x is declared twice");
  ExpectRefused(
      [&] {
        program.Attach("x", kBf16, {2, 4});
      },
      "tensor x is declared twice");
}

TEST(Program, RefusesWhatDoesNotDivide) {
  Program program;
  const TensorRef x = program.Attach("x", kBf16, {4, 8});
  ExpectRefused([&] { program.Add(Norm(Tile(x, {0}), Tile(x), Tile(x), 3)); },
                "grid axis 0 of 3 does not divide dimension 0 of x");
  ExpectRefused([&] { program.Add(Norm(Tile(x, {2}), Tile(x), Tile(x), 2)); },
                "dimension 2 of x");
  ExpectRefused([&] { program.Add(Norm(Tile(x), Tile(x), Tile(x), 0)); },
                "an empty grid");
  ExpectRefused(
      [&] {
        program.Fuse("f", kBf16, {{"a", 3}, {"b", 4}}, 2, 8);
      },
      "3 rows of a are no 2 equal groups");
  const TensorRef f = program.Fuse("f", kBf16, {{"a", 4}, {"b", 8}}, 2, 8);
  ExpectRefused([&] { program.Add(Norm(Tile(f, {0}), Tile(x), Tile(x), 3)); },
                "spans two pieces of f");
}

TEST(Program, RefusesTypesWithoutANumber) {
  Program program;
  const TensorRef x = program.Attach("x", kBf16, {4, 8});
  program.Add({"TASK_NEW", {1}, {Tile(x)}, {Tile(x)}, Indexing::kBlock, {}});
  ExpectRefused([&] { MakeGendir(program, "m"); },
                "no number is known for TASK_NEW");
  program.type_numbers["TASK_NEW"] = 500;
  EXPECT_NO_THROW(MakeGendir(program, "m"));
}

TEST(Program, FusedTensorsAppearAsTheirPieces) {
  Program program;
  const TensorRef x = program.Attach("x", kBf16, {1, 8});
  const TensorRef y = program.Scratch("y", kBf16, {1, 24});
  const TensorRef f = program.Fuse("f", kBf16, {{"q", 16}, {"k", 8}}, 2, 8);
  program.Add({"TASK_LINEAR",
               {6},
               {Tile(x), Tile(f, {0})},
               {Tile(y, {1})},
               Indexing::kBlock,
               {}});
  const Gendir gendir = MakeGendir(program, "m");
  const NaiveRank rank = ReadNaively(ContentOf(gendir, "kernel_0.cu"),
                                     ContentOf(gendir, "task_graph_0.json"));
  EXPECT_THAT(rank.declared, ElementsAre("x", "y", "q", "k", "nullptr"));
  std::vector<std::pair<std::string, std::int64_t>> tiles;
  for (std::size_t t = 2; t < rank.tasks.size(); ++t) {
    tiles.emplace_back(rank.tasks[t].inputs[1].name,
                       rank.tasks[t].inputs[1].offset);
  }
  // Two groups of eight rows of q and four of k; a tile is four rows of 16 B.
  using P = std::pair<std::string, std::int64_t>;
  EXPECT_THAT(tiles, ElementsAre(P("q", 0), P("q", 64), P("k", 0), P("q", 128),
                                 P("q", 192), P("k", 64)));
}

TEST(Program, ReplacesItsOperators) {
  Program program;
  const TensorRef x = program.Attach("x", kBf16, {4, 8});
  const TensorRef y = program.Scratch("y", kBf16, {4, 8});
  program.Add(Norm(Tile(x, {0}), Tile(x), Tile(y, {0}), 4));
  program.Add(Norm(Tile(y, {0}), Tile(x), Tile(y, {0}), 4));
  std::vector<Operator> operators = program.operators();
  operators.erase(operators.begin());
  operators.front().grid = {2};
  program.Replace(operators);
  ASSERT_EQ(program.operators().size(), 1u);
  EXPECT_EQ(program.operators()[0].inputs[0].tensor, y);
  EXPECT_THAT(program.operators()[0].grid, ElementsAre(2, 1, 1));
  operators.front().grid = {3};
  ExpectRefused([&] { program.Replace(operators); },
                "grid axis 0 of 3 does not divide");
  // What was refused changed nothing.
  EXPECT_THAT(program.operators()[0].grid, ElementsAre(2, 1, 1));
}

TEST(Program, ShuffledTensorsAreCopiedFromTheirPieces) {
  Program program;
  const TensorRef x = program.Attach("x", kBf16, {1, 8});
  const TensorRef y = program.Scratch("y", kBf16, {1, 24});
  const TensorRef s = program.Shuffle("s", kBf16, {{"q", 16}, {"k", 8}}, 2, 8);
  program.Add({"TASK_LINEAR",
               {6},
               {Tile(x), Tile(s, {0})},
               {Tile(y, {1})},
               Indexing::kBlock,
               {}});
  const std::string source = ContentOf(MakeGendir(program, "m"), "kernel_0.cu");
  EXPECT_THAT(source, HasSubstr("cudaMalloc(&s, 384)"));
  EXPECT_THAT(source,
              HasSubstr("(s + 0), 192, model_tensors.at(\"q\"), 128, 128, 2,"));
  EXPECT_THAT(source,
              HasSubstr("(s + 128), 192, model_tensors.at(\"k\"), 64, 64, 2,"));
}

TEST(Models, RefuseWhatCannotBe) {
  const auto refused = [](auto change, const std::string& why) {
    ModelConfig model = Toy();
    change(model);
    ExpectRefused([&] { BuildModel(model); }, why);
  };
  refused([](ModelConfig& m) { m.latent = LatentAttention{}; },
          "either grouped or latent attention");
  refused([](ModelConfig& m) { m.experts = Experts{}; },
          "experts need Blackwell kernels");
  refused([](ModelConfig& m) { m.draft_steps = 1; },
          "draft steps need latent attention");
  refused([](ModelConfig& m) { m.layers = 0; }, "needs ranks, layers");
  refused([](ModelConfig& m) { m.ranks = 16; },
          "8 heads do not divide among 16 ranks");
  refused([](ModelConfig& m) { m.dense_layers = 1; },
          "layers that are not dense need experts");
  refused([](ModelConfig& m) { m.cuts.linear = {7}; },
          "no way to cut a linear layer");
}

}  // namespace
}  // namespace graph_coverage::synthetic
