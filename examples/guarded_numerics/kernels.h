// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a transformer layer, as plain CPU code: float arithmetic, and
// rounding to the element type of what they write. In place is fine where a
// comment says so. They throw where tiles do not fit each other.
#pragma once

#include <cstdint>

#include "tile.h"

namespace guarded_numerics {

// out[r] = table[tokens[r]]
void Embedding(Tile tokens, Tile table, Tile out);

// out = x / rms(x) * weight, row by row; in place is fine.
void RmsNorm(Tile x, Tile weight, Tile out);

// out = x * transpose(weight) (+ residual, which may be null)
void Linear(Tile x, Tile weight, const Tile* residual, Tile out);

// fp8 values with a scale for every 128 columns of a row. A scale is a power of
// two: its exponent plus 127 is one byte, four bytes lie in a word.
// `scales` has a row for every 512 columns and a column for each row of x.
void QuantizeFp8(Tile x, Tile values, Tile scales);

// Linear on such values; `weight_scales` has a row for each row of weight.
void LinearFp8(Tile values, Tile scales, Tile weight, Tile weight_scales,
               const Tile* residual, Tile out);
float ScaleOf(std::int64_t word, std::int64_t block);

// Turns one row by the angles of a position: column i and column i + n/2 are
// a point of the plane. The tables have a row a position. In place.
void Rope(Tile x, Tile cos, Tile sin, std::int64_t position);

// Attention of one query over the first `count` rows of the cache, in two
// steps. A cache row is a key; its first columns, the latent, are the value
// too. A split attends to its share of the rows: row `split` of `partial` has
// its result, of `lse` the logarithm of its sum of exponentials.
void DecodeSplit(Tile q, Tile cache, std::int64_t count, std::int64_t split,
                 Tile partial, Tile lse);
void MergeSplits(Tile partial, Tile lse, Tile out);

// out = silu(first half of mid) * second half, row by row
void SiluMul(Tile mid, Tile out);

// The largest score of a tile, and its column in the whole row; then the
// largest of these. Of equal ones the first.
void ArgmaxPartial(Tile scores, Tile value, Tile index);
void ArgmaxReduce(Tile values, Tile indices, Tile out);

}  // namespace guarded_numerics
