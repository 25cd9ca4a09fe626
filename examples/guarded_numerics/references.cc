// SPDX-License-Identifier: Apache-2.0
#include "references.h"

#include <cmath>
#include <complex>
#include <numeric>

namespace guarded_numerics::reference {
namespace {

double Dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

Vector RmsNorm(const Vector& x, const Vector& weight) {
  const double mean = Dot(x, x) / static_cast<double>(x.size());
  Vector out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    out.push_back(x[i] / std::sqrt(mean + 1e-6) * weight[i]);
  }
  return out;
}

Vector Linear(const Vector& x, const Rows& weight) {
  Vector out;
  for (const Vector& row : weight) out.push_back(Dot(row, x));
  return out;
}

Vector Rope(const Vector& x, const Vector& angles) {
  const std::size_t half = x.size() / 2;
  Vector out(x.size());
  for (std::size_t i = 0; i < half; ++i) {
    const auto turned =
        std::complex<double>(x[i], x[i + half]) * std::polar(1.0, angles[i]);
    out[i] = turned.real();
    out[i + half] = turned.imag();
  }
  return out;
}

Vector Attention(const Vector& query, const Rows& cache, std::size_t values) {
  Vector weights;
  for (const Vector& key : cache) {
    weights.push_back(std::exp(Dot(query, key) /
                               std::sqrt(static_cast<double>(query.size()))));
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  Vector out(values);
  for (std::size_t row = 0; row < cache.size(); ++row) {
    for (std::size_t i = 0; i < values; ++i) {
      out[i] += weights[row] / sum * cache[row][i];
    }
  }
  return out;
}

Vector SiluMul(const Vector& gate, const Vector& up) {
  Vector out;
  for (std::size_t i = 0; i < gate.size(); ++i) {
    out.push_back(gate[i] * up[i] / (1 + std::exp(-gate[i])));
  }
  return out;
}

}  // namespace guarded_numerics::reference
