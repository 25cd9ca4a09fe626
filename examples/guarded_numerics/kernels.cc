// SPDX-License-Identifier: Apache-2.0
#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace guarded_numerics {
namespace {

constexpr std::int64_t kBlockColumns = 128;  // that share an fp8 scale
constexpr std::int64_t kBlocksOfWord = 4;

void Require(bool fits, const char* kernel) {
  if (!fits) {
    throw std::invalid_argument(std::string(kernel) +
                                ": the tiles do not fit each other");
  }
}

using Floats = std::vector<float>;

float Dot(const Floats& a, const Floats& b, std::size_t begin,
          std::size_t end) {
  float sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void Embedding(Tile tokens, Tile table, Tile out) {
  Require(table.columns == out.columns && tokens.rows == out.rows, "Embedding");
  for (std::int64_t r = 0; r < out.rows; ++r) {
    const std::int64_t token = tokens.GetInteger(r, 0);
    for (std::int64_t c = 0; c < out.columns; ++c) {
      out.Set(r, c, table.Get(token, c));
    }
  }
}

void RmsNorm(Tile x, Tile weight, Tile out) {
  Require(x.rows == out.rows && x.columns == out.columns &&
              weight.columns == x.columns,
          "RmsNorm");
  constexpr float kEpsilon = 1e-6F;
  for (std::int64_t r = 0; r < x.rows; ++r) {
    float squares = 0;
    for (std::int64_t c = 0; c < x.columns; ++c) {
      squares += x.Get(r, c) * x.Get(r, c);
    }
    const float mean = squares / static_cast<float>(x.columns);
    const float scale = 1 / std::sqrt(mean + kEpsilon);
    for (std::int64_t c = 0; c < x.columns; ++c) {
      out.Set(r, c, x.Get(r, c) * scale * weight.Get(0, c));
    }
  }
}

void Linear(Tile x, Tile weight, const Tile* residual, Tile out) {
  Require(x.columns == weight.columns && weight.rows == out.columns &&
              x.rows == out.rows,
          "Linear");
  for (std::int64_t r = 0; r < out.rows; ++r) {
    const Floats row = x.RowValues(r);
    for (std::int64_t c = 0; c < out.columns; ++c) {
      const float added = residual != nullptr ? residual->Get(r, c) : 0;
      out.Set(r, c, added + Dot(row, weight.RowValues(c), 0, row.size()));
    }
  }
}

float ScaleOf(std::int64_t word, std::int64_t block) {
  const std::int64_t exponent = word >> (8 * (block % kBlocksOfWord)) & 0xff;
  return std::ldexp(1.0F, static_cast<int>(exponent) - 127);
}

void QuantizeFp8(Tile x, Tile values, Tile scales) {
  Require(x.rows == values.rows && x.columns == values.columns, "QuantizeFp8");
  constexpr float kLargest = 448;
  const std::int64_t words = scales.rows;
  for (std::int64_t r = 0; r < x.rows; ++r) {
    for (std::int64_t w = 0; w < words; ++w) scales.SetInteger(w, r, 0);
    for (std::int64_t first = 0; first < x.columns; first += kBlockColumns) {
      const std::int64_t end = std::min(first + kBlockColumns, x.columns);
      float largest = std::numeric_limits<float>::min();
      for (std::int64_t c = first; c < end; ++c) {
        largest = std::max(largest, std::fabs(x.Get(r, c)));
      }
      const auto exponent =
          static_cast<int>(std::ceil(std::log2(largest / kLargest)));
      const int biased = std::max(exponent + 127, 0);
      for (std::int64_t c = first; c < end; ++c) {
        values.Set(r, c, std::ldexp(x.Get(r, c), 127 - biased));
      }
      const std::int64_t block = first / kBlockColumns;
      const std::int64_t word = block / kBlocksOfWord;
      scales.SetInteger(
          word, r,
          scales.GetInteger(word, r) | static_cast<std::int64_t>(biased)
                                           << (8 * (block % kBlocksOfWord)));
    }
  }
}

void LinearFp8(Tile values, Tile scales, Tile weight, Tile weight_scales,
               const Tile* residual, Tile out) {
  Require(values.columns == weight.columns && weight.rows == out.columns &&
              values.rows == out.rows && weight_scales.rows == weight.rows,
          "LinearFp8");
  for (std::int64_t r = 0; r < out.rows; ++r) {
    constexpr auto kBlock = static_cast<std::size_t>(kBlockColumns);
    const Floats row = values.RowValues(r);
    for (std::int64_t c = 0; c < out.columns; ++c) {
      const Floats column = weight.RowValues(c);
      float sum = residual != nullptr ? residual->Get(r, c) : 0;
      for (std::size_t first = 0; first < row.size(); first += kBlock) {
        const std::size_t end = std::min(first + kBlock, row.size());
        const auto block = static_cast<std::int64_t>(first / kBlock);
        const std::int64_t word = block / kBlocksOfWord;
        sum += Dot(row, column, first, end) *
               ScaleOf(scales.GetInteger(word, r), block) *
               ScaleOf(weight_scales.GetInteger(c, word), block);
      }
      out.Set(r, c, sum);
    }
  }
}

void Rope(Tile x, Tile cos, Tile sin, std::int64_t position) {
  Require(x.rows == 1 && x.columns % 2 == 0 && x.columns == cos.columns &&
              x.columns == sin.columns,
          "Rope");
  const std::int64_t half = x.columns / 2;
  for (std::int64_t i = 0; i < half; ++i) {
    const float a = x.Get(0, i);
    const float b = x.Get(0, i + half);
    x.Set(0, i, a * cos.Get(position, i) - b * sin.Get(position, i));
    x.Set(0, i + half,
          b * cos.Get(position, i + half) + a * sin.Get(position, i + half));
  }
}

void DecodeSplit(Tile q, Tile cache, std::int64_t count, std::int64_t split,
                 Tile partial, Tile lse) {
  const std::int64_t heads = lse.columns;
  const std::int64_t latent = partial.columns / heads;
  Require(q.columns == heads * cache.columns && count <= cache.rows,
          "DecodeSplit");
  const std::int64_t share = (count + partial.rows - 1) / partial.rows;
  const std::int64_t begin = std::min(split * share, count);
  const std::int64_t end = std::min(begin + share, count);
  const float scale = 1 / std::sqrt(static_cast<float>(cache.columns));
  std::vector<Floats> keys;
  for (std::int64_t row = begin; row < end; ++row) {
    keys.push_back(cache.RowValues(row));
  }
  for (std::int64_t head = 0; head < heads; ++head) {
    const Floats query =
        q.Columns(head * cache.columns, cache.columns).RowValues(0);
    Floats weights;
    float largest = -std::numeric_limits<float>::infinity();
    for (const Floats& key : keys) {
      weights.push_back(Dot(query, key, 0, query.size()) * scale);
      largest = std::max(largest, weights.back());
    }
    float sum = 0;
    for (float& weight : weights) sum += weight = std::exp(weight - largest);
    for (std::int64_t c = 0; c < latent; ++c) {
      float value = 0;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        value += weights[i] / sum * keys[i][static_cast<std::size_t>(c)];
      }
      partial.Set(split, head * latent + c, value);
    }
    lse.Set(split, head, largest + (sum > 0 ? std::log(sum) : 0));
  }
}

void MergeSplits(Tile partial, Tile lse, Tile out) {
  const std::int64_t heads = lse.columns;
  const std::int64_t latent = partial.columns / heads;
  Require(out.columns == partial.columns && lse.rows == partial.rows,
          "MergeSplits");
  for (std::int64_t head = 0; head < heads; ++head) {
    float largest = -std::numeric_limits<float>::infinity();
    for (std::int64_t s = 0; s < lse.rows; ++s) {
      largest = std::max(largest, lse.Get(s, head));
    }
    for (std::int64_t c = head * latent; c < (head + 1) * latent; ++c) {
      float value = 0, weights = 0;
      for (std::int64_t s = 0; s < lse.rows; ++s) {
        const float weight = std::exp(lse.Get(s, head) - largest);
        value += weight * partial.Get(s, c);
        weights += weight;
      }
      out.Set(0, c, value / weights);
    }
  }
}

void SiluMul(Tile mid, Tile out) {
  Require(mid.columns == 2 * out.columns && mid.rows == out.rows, "SiluMul");
  for (std::int64_t r = 0; r < out.rows; ++r) {
    for (std::int64_t c = 0; c < out.columns; ++c) {
      const float gate = mid.Get(r, c);
      const float up = mid.Get(r, c + out.columns);
      out.Set(r, c, gate / (1 + std::exp(-gate)) * up);
    }
  }
}

void ArgmaxPartial(Tile scores, Tile value, Tile index) {
  for (std::int64_t r = 0; r < scores.rows; ++r) {
    std::int64_t best = 0;
    for (std::int64_t c = 1; c < scores.columns; ++c) {
      if (scores.Get(r, c) > scores.Get(r, best)) best = c;
    }
    value.Set(r, 0, scores.Get(r, best));
    index.SetInteger(r, 0, scores.first_column + best);
  }
}

void ArgmaxReduce(Tile values, Tile indices, Tile out) {
  Require(values.columns == indices.columns, "ArgmaxReduce");
  for (std::int64_t r = 0; r < values.rows; ++r) {
    std::int64_t best = 0;
    for (std::int64_t c = 1; c < values.columns; ++c) {
      if (values.Get(r, c) > values.Get(r, best)) best = c;
    }
    out.SetInteger(r, 0, indices.GetInteger(r, best));
  }
}

}  // namespace guarded_numerics
