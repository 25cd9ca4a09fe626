// SPDX-License-Identifier: Apache-2.0
//
// What kernels should compute, written a second time from the textbook: in
// double precision, on plain vectors, sharing no code with kernels.cc.
#pragma once

#include <cstddef>
#include <vector>

namespace guarded_numerics::reference {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

Vector RmsNorm(const Vector& x, const Vector& weight);

// weight * x
Vector Linear(const Vector& x, const Rows& weight);

// Column i and column i + n/2 as one complex number, times e^(i * angle).
Vector Rope(const Vector& x, const Vector& angles);

// softmax(cache * query / sqrt(n)) * cache, of which the first `values` columns
Vector Attention(const Vector& query, const Rows& cache, std::size_t values);

// silu(gate) * up
Vector SiluMul(const Vector& gate, const Vector& up);

}  // namespace guarded_numerics::reference
