// SPDX-License-Identifier: Apache-2.0
#include "numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

namespace guarded_numerics {
namespace {

float DecodeFp8(int bits) {
  const int exponent = bits >> 3 & 15;
  const int mantissa = bits & 7;
  if (exponent == 15 && mantissa == 7) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  const int eighths = exponent == 0 ? mantissa : 8 + mantissa;
  const float size =
      std::ldexp(static_cast<float>(eighths), std::max(exponent, 1) - 10);
  return (bits & 0x80) != 0 ? -size : size;
}

}  // namespace

std::uint16_t ToBf16(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  const std::uint32_t ties_to_even = 0x7fff + (bits >> 16 & 1);
  return static_cast<std::uint16_t>((bits + ties_to_even) >> 16);
}

float FromBf16(std::uint16_t bits) {
  const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
  float value = 0;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

std::uint8_t ToFp8(float value) {
  constexpr float kLargest = 448;
  constexpr std::uint8_t kNan = 0x7f;
  if (std::isnan(value)) return kNan;
  const std::uint8_t sign = std::signbit(value) ? 0x80 : 0;
  const float size = std::min(std::fabs(value), kLargest);
  // Below 2^-6 numbers are evenly spaced, 2^-9 apart.
  const int exponent = size < 0x1p-6F ? -6 : std::ilogb(size);
  const auto eighths =
      static_cast<int>(std::nearbyint(std::ldexp(size, 3 - exponent)));
  // Eight of them are the leading one; what rounds up to 16 carries over.
  const int code = (exponent + 6) * 8 + eighths;
  return static_cast<std::uint8_t>(sign | code);
}

float FromFp8(std::uint8_t bits) {
  static const std::array<float, 256> values = [] {
    std::array<float, 256> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = DecodeFp8(static_cast<int>(i));
    }
    return all;
  }();
  return values[bits];
}

double RelL2(const std::vector<double>& actual,
             const std::vector<double>& expected) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (actual.size() != expected.size()) return infinity;
  double distance = 0, size = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    distance += (actual[i] - expected[i]) * (actual[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  if (distance == 0) return 0;
  return size == 0 ? infinity : std::sqrt(distance / size);
}

}  // namespace guarded_numerics
