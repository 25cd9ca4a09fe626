// SPDX-License-Identifier: Apache-2.0
//
// Number formats of the model's tensors, and how far results are apart.
#pragma once

#include <cstdint>
#include <vector>

namespace guarded_numerics {

// Round to nearest, ties to even, as the hardware does.
std::uint16_t ToBf16(float value);
float FromBf16(std::uint16_t bits);

// fp8 with four exponent and three mantissa bits (e4m3). Values beyond 448
// become 448.
std::uint8_t ToFp8(float value);
float FromFp8(std::uint8_t bits);

// The relative distance in L2: |actual - expected| / |expected|. Infinite where
// the sizes differ, or only the expected values are all zero.
double RelL2(const std::vector<double>& actual,
             const std::vector<double>& expected);

}  // namespace guarded_numerics
