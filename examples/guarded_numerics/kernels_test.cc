// SPDX-License-Identifier: Apache-2.0
//
// What a kernel engineer has: each kernel by itself, in float and rounding to
// bf16, against a reference in double precision, at a bound on relL2.
#include "kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "language_model.h"
#include "model.h"
#include "numbers.h"
#include "references.h"

namespace guarded_numerics {
namespace {

using reference::Rows;
using reference::Vector;

// Elements between -1 and 1, the same in each run.
Matrix Random(DataType type, std::int64_t rows, std::int64_t columns,
              std::uint32_t seed) {
  Matrix matrix(type, rows, columns);
  std::mt19937 engine(seed);
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      const double even = static_cast<double>(engine()) / engine.max();
      matrix.tile().Set(r, c, static_cast<float>(2 * even - 1));
    }
  }
  return matrix;
}

Rows RowsOf(const Tile& tile) {
  Rows rows;
  for (std::int64_t r = 0; r < tile.rows; ++r) {
    rows.push_back(tile.Row(r).Values());
  }
  return rows;
}

class Kernels : public testing::TestWithParam<DataType> {
 protected:
  Matrix Input(std::int64_t rows, std::int64_t columns) {
    return Random(GetParam(), rows, columns, ++inputs_);
  }
  Matrix Output(std::int64_t rows, std::int64_t columns) const {
    return Matrix(GetParam(), rows, columns);
  }
  // bf16 has 8 bits: rounding once is wrong by 2^-9 at most.
  double bound() const { return GetParam() == DataType::kF32 ? 1e-6 : 0x1p-8; }

 private:
  std::uint32_t inputs_ = 0;
};

INSTANTIATE_TEST_SUITE_P(RelL2, Kernels,
                         testing::Values(DataType::kF32, DataType::kBf16),
                         [](const auto& type) { return ToString(type.param); });

TEST_P(Kernels, Embedding) {
  Matrix table = Input(7, 16), tokens(DataType::kI64, 1, 1),
         out = Output(1, 16);
  tokens.tile().SetInteger(0, 0, 5);
  Embedding(tokens.tile(), table.tile(), out.tile());
  EXPECT_EQ(RelL2(out.tile().Values(), table.tile().Row(5).Values()), 0);
}

TEST_P(Kernels, RmsNorm) {
  Matrix x = Input(1, 64), weight = Input(1, 64), out = Output(1, 64);
  RmsNorm(x.tile(), weight.tile(), out.tile());
  EXPECT_LT(
      RelL2(out.tile().Values(),
            reference::RmsNorm(x.tile().Values(), weight.tile().Values())),
      bound());
}

TEST_P(Kernels, Linear) {
  Matrix x = Input(1, 64), weight = Input(24, 64), out = Output(1, 24);
  Linear(x.tile(), weight.tile(), nullptr, out.tile());
  EXPECT_LT(RelL2(out.tile().Values(),
                  reference::Linear(x.tile().Values(), RowsOf(weight.tile()))),
            bound());
}

TEST_P(Kernels, LinearWithResidual) {
  Matrix x = Input(1, 64), weight = Input(24, 64), residual = Input(1, 24);
  Matrix out = Output(1, 24);
  const Tile added = residual.tile();
  Linear(x.tile(), weight.tile(), &added, out.tile());
  Vector expected = reference::Linear(x.tile().Values(), RowsOf(weight.tile()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] += added.Values()[i];
  }
  EXPECT_LT(RelL2(out.tile().Values(), expected), bound());
}

TEST_P(Kernels, Rope) {
  constexpr std::int64_t kPosition = 37;
  constexpr std::int64_t kPairs = kRopeColumns / 2;
  Matrix x = Input(1, kRopeColumns);
  Matrix cos = Output(kPosition + 1, kRopeColumns), sin = cos;
  Vector angles;
  for (std::int64_t c = 0; c < kRopeColumns; ++c) {
    const double angle = RopeAngle(kPosition, c % kPairs);
    cos.tile().Set(kPosition, c, static_cast<float>(std::cos(angle)));
    sin.tile().Set(kPosition, c, static_cast<float>(std::sin(angle)));
    if (c < kPairs) angles.push_back(angle);
  }
  const Vector expected = reference::Rope(x.tile().Values(), angles);
  Rope(x.tile(), cos.tile(), sin.tile(), kPosition);
  EXPECT_LT(RelL2(x.tile().Values(), expected), bound());
}

TEST_P(Kernels, AttentionOverTheCache) {
  constexpr std::int64_t kFilled = 11;
  const std::int64_t columns = kLatent + kRopeColumns;
  Matrix q = Input(1, kHeads * columns), cache = Input(16, columns);
  Matrix partial = Output(kSplits, kHeads * kLatent);
  Matrix lse(DataType::kF32, kSplits, kHeads);
  Matrix out = Output(1, kHeads * kLatent);
  for (std::int64_t split = 0; split < kSplits; ++split) {
    DecodeSplit(q.tile(), cache.tile(), kFilled, split, partial.tile(),
                lse.tile());
  }
  MergeSplits(partial.tile(), lse.tile(), out.tile());

  Rows filled = RowsOf(cache.tile());
  filled.resize(kFilled);
  Vector expected;
  for (std::int64_t head = 0; head < kHeads; ++head) {
    const Vector query = q.tile().Columns(head * columns, columns).Values();
    const Vector result = reference::Attention(query, filled, kLatent);
    expected.insert(expected.end(), result.begin(), result.end());
  }
  // Rounded twice, by splits and by their sum.
  EXPECT_LT(RelL2(out.tile().Values(), expected), 2 * bound());
}

TEST_P(Kernels, SiluMul) {
  Matrix mid = Input(1, 64), out = Output(1, 32);
  SiluMul(mid.tile(), out.tile());
  EXPECT_LT(RelL2(out.tile().Values(),
                  reference::SiluMul(mid.tile().Columns(0, 32).Values(),
                                     mid.tile().Columns(32, 32).Values())),
            bound());
}

TEST_P(Kernels, Argmax) {
  Matrix scores = Input(1, 32), values = Output(1, 4),
         out(DataType::kI64, 1, 1);
  Matrix indices(DataType::kI64, 1, 4);
  scores.tile().Set(0, 21, 1.5F);
  for (std::int64_t part = 0; part < 4; ++part) {
    ArgmaxPartial(scores.tile().Columns(8 * part, 8),
                  values.tile().Columns(part, 1),
                  indices.tile().Columns(part, 1));
  }
  ArgmaxReduce(values.tile(), indices.tile(), out.tile());
  EXPECT_EQ(out.tile().GetInteger(0, 0), 21);
}

// fp8 has 4 bits: rounding is wrong by 2^-4 at most.
TEST_P(Kernels, LinearFp8) {
  constexpr std::int64_t kColumns = 192;  // one scale and a half
  Matrix x = Input(1, kColumns), values(DataType::kFp8, 1, kColumns);
  Matrix weight = Random(DataType::kFp8, 24, kColumns, 9);
  Matrix scales(DataType::kU32, 1, 4), weight_scales(DataType::kU32, 24, 1);
  Matrix out = Output(1, 24);
  for (std::int64_t r = 0; r < 24; ++r) {
    weight_scales.tile().SetInteger(r, 0, 0x7d7e);  // 1/2, then 1/4
  }
  QuantizeFp8(x.tile(), values.tile(), scales.tile());
  LinearFp8(values.tile(), scales.tile(), weight.tile(), weight_scales.tile(),
            nullptr, out.tile());

  Vector quantised = values.tile().Values();
  Rows weights = RowsOf(weight.tile());
  for (std::size_t c = 0; c < quantised.size(); ++c) {
    const auto block = static_cast<std::int64_t>(c / 128);
    quantised[c] *= ScaleOf(scales.tile().GetInteger(0, 0), block);
    for (Vector& row : weights) row[c] *= c < 128 ? 0.5 : 0.25;
  }
  EXPECT_LT(RelL2(quantised, x.tile().Values()), 0x1p-4);
  EXPECT_LT(RelL2(out.tile().Values(), reference::Linear(quantised, weights)),
            bound());
}

}  // namespace
}  // namespace guarded_numerics
