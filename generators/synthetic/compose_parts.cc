// SPDX-License-Identifier: Apache-2.0
//
// What all layers are made of: norms, linear layers, sums over ranks.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "generators/synthetic/composer.h"

namespace graph_coverage::synthetic {
namespace {

std::int64_t CeilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// One packed word of scales covers this many columns.
constexpr std::int64_t kScaleColumns = 512;
// Rows of packed scales are aligned to this many tokens.
constexpr std::int64_t kScaleRows = 4;

}  // namespace

std::int64_t Composer::Share(std::int64_t whole, const char* what) const {
  if (whole % model_.ranks != 0) {
    throw std::invalid_argument(fmt::format(
        "{} {} do not divide among {} ranks", whole, what, model_.ranks));
  }
  return whole / model_.ranks;
}

std::int64_t Composer::LinearTasks(std::int64_t columns) const {
  for (const std::int64_t tasks : model_.cuts.linear) {
    if (columns % tasks == 0) return tasks;
  }
  throw std::invalid_argument(
      fmt::format("no way to cut a linear layer of {} columns", columns));
}

TensorRef Composer::Activation(const std::string& name, std::int64_t columns) {
  return program_.Scratch(name, DataType::kBf16, {model_.batch, columns});
}

void Composer::Norm(TensorRef x, const std::string& weight, TensorRef out) {
  const std::int64_t columns = program_.tensor(x).dims[1];
  const TensorRef scale = program_.Attach(weight, DataType::kBf16, {columns});
  program_.Add({kernels_.norm,
                {model_.batch},
                {Tile(x, {0}), Tile(scale)},
                {Tile(out, {0})},
                Indexing::kBlock,
                {}});
}

Composer::Quantised Composer::Quantise(TensorRef x) {
  const std::int64_t columns = program_.tensor(x).dims[1];
  const std::int64_t rows = CeilDiv(model_.batch, kScaleRows) * kScaleRows;
  const Quantised result = {
      program_.Scratch(fmt::format("fp8_input_{}_shared", columns),
                       DataType::kFp8, {model_.batch, columns}),
      program_.Scratch(fmt::format("fp8_scale_{}_shared", columns),
                       DataType::kU32,
                       {CeilDiv(columns, kScaleColumns), rows})};
  program_.Add({"TASK_QUANTIZE_FP8_SM100",
                {1},
                {Tile(x)},
                {Tile(result.values), Tile(result.scales)},
                Indexing::kBlock,
                {}});
  return result;
}

void Composer::Linear(TensorRef x, TensorRef weight, TensorRef out,
                      std::int64_t tasks) {
  program_.Add({kernels_.linear,
                {tasks},
                {Tile(x), Tile(weight, {0})},
                {Tile(out, {1})},
                Indexing::kBlock,
                {}});
}

void Composer::LinearFp8(const Quantised& x, const std::string& weight,
                         TensorRef out) {
  const std::int64_t rows = program_.tensor(out).dims[1];
  const std::int64_t columns = program_.tensor(x.values).dims[1];
  const TensorRef w = program_.Attach(weight, DataType::kFp8, {rows, columns});
  const TensorRef scale =
      program_.Attach(weight + "_scale", DataType::kU32,
                      {rows, CeilDiv(columns, kScaleColumns)}, {1, rows});
  program_.Add(
      {"TASK_LINEAR_FP8_SM100",
       {CeilDiv(rows, model_.cuts.fp8_columns)},
       {Tile(x.values), Tile(x.scales), Tile(w, {0}), Tile(scale, {0})},
       {Tile(out, {1})},
       Indexing::kBlock,
       {}});
}

TensorRef Composer::ResidualLinear(TensorRef x, const std::string& weight,
                                   const std::string& out,
                                   const std::string& reduced) {
  const std::int64_t rows = model_.hidden;
  const std::int64_t columns = program_.tensor(x).dims[1];
  const std::vector<std::int64_t> shape = {model_.batch, rows};
  const TensorRef part = model_.ranks > 1
                             ? program_.Nvshmem(out, DataType::kBf16, shape)
                             : program_.Scratch(out, DataType::kBf16, shape);
  if (model_.fp8()) {
    const Quantised quantised = Quantise(x);
    const TensorRef w =
        program_.Attach(weight, DataType::kFp8, {rows, columns});
    const TensorRef scale =
        program_.Attach(weight + "_scale", DataType::kU32,
                        {rows, CeilDiv(columns, kScaleColumns)}, {1, rows});
    program_.Add({"TASK_LINEAR_FP8_WITH_RESIDUAL_SM100",
                  {CeilDiv(rows, model_.cuts.residual_columns)},
                  {Tile(quantised.values), Tile(quantised.scales), Tile(w, {0}),
                   Tile(scale, {0}), Tile(residual_, {1})},
                  {Tile(part, {1})},
                  Indexing::kBlock,
                  {}});
  } else {
    const TensorRef w =
        program_.Attach(weight, DataType::kBf16, {rows, columns});
    program_.Add({kernels_.residual_linear,
                  {CeilDiv(rows, model_.cuts.residual_columns)},
                  {Tile(x), Tile(w, {0}), Tile(residual_, {1})},
                  {Tile(part, {1})},
                  Indexing::kBlock,
                  {}});
  }
  return ReduceOverRanks(part, reduced);
}

TensorRef Composer::ReduceOverRanks(TensorRef part, const std::string& sum) {
  if (model_.ranks == 1) return part;
  const std::int64_t columns = program_.tensor(part).dims[1];
  const std::int64_t tasks = columns / model_.cuts.residual_columns;
  const TensorRef whole =
      program_.Nvshmem(sum, DataType::kBf16, {model_.batch, columns});
  if (model_.collective == ModelConfig::Collective::kTileAllReduce) {
    program_.Add({"TASK_NVSHMEM_TILE_ALLREDUCE",
                  {tasks},
                  {Tile(part, {1})},
                  {Tile(whole, {1})},
                  Indexing::kExpert,
                  {}});
    return whole;
  }
  // A buffer for each sum of a layer: while a rank still reads one, the other
  // rank can but write the other.
  const TensorRef buffer = program_.Nvshmem(
      sum + "_buf", DataType::kBf16, {model_.ranks, model_.batch, columns});
  Use slot = Tile(buffer, {2});
  slot.rank_stride = model_.batch * columns;
  program_.Add({"TASK_NVSHMEM_ALLGATHER_STRIDED_PUT",
                {tasks},
                {Tile(part, {1})},
                {slot},
                Indexing::kBlock,
                {}});
  program_.Add({"TASK_REDUCE",
                {tasks},
                {Tile(part, {1}), Tile(buffer, {2})},
                {Tile(whole, {1})},
                Indexing::kBlock,
                {}});
  return whole;
}

std::int64_t Composer::MergedTasks(const std::vector<Piece>& pieces,
                                   std::int64_t groups) const {
  std::int64_t rows = 0;
  std::int64_t common = 0;  // rows that divide every piece's share of a group
  std::int64_t least = pieces.front().rows;
  for (const Piece& piece : pieces) {
    rows += piece.rows;
    common = std::gcd(common, piece.rows / groups);
    least = std::min(least, piece.rows);
  }
  const std::int64_t tasks = LinearTasks(rows);
  if (model_.weights != ModelConfig::Weights::kFused) return tasks;
  // A tile of a fused weight lies in one piece. Enough tiles for each, or the
  // few that read the smallest would look like slips.
  constexpr std::int64_t kEnough = 3;
  std::int64_t tile = std::gcd(common, rows / tasks);
  while (least / tile < kEnough && tile % 2 == 0) tile /= 2;
  return rows / tile;
}

TensorRef Composer::Merged(const std::string& name, std::vector<Piece> pieces,
                           std::int64_t groups, std::int64_t columns) {
  const DataType type = DataType::kBf16;
  switch (model_.weights) {
    case ModelConfig::Weights::kShuffled:
      return program_.Shuffle(name, type, std::move(pieces), groups, columns);
    case ModelConfig::Weights::kFused:
      return program_.Fuse(name, type, std::move(pieces), groups, columns);
    case ModelConfig::Weights::kSingle:
      break;
  }
  std::int64_t rows = 0;
  for (const Piece& piece : pieces) rows += piece.rows;
  return program_.Attach(name, type, {rows, columns});
}

}  // namespace graph_coverage::synthetic
