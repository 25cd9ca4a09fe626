// SPDX-License-Identifier: Apache-2.0
//
// A kernel against a reference in double precision. Nothing here mentions the
// audit: graph_coverage::gtest_main puts its gate before these tests.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace {

constexpr float kEpsilon = 1e-6f;

std::vector<double> Reference(const std::vector<float>& x) {
  double squares = 0;
  for (const float value : x) squares += double{value} * value;
  const double scale =
      1 / std::sqrt(squares / static_cast<double>(x.size()) + kEpsilon);
  std::vector<double> y;
  for (const float value : x) y.push_back(value * scale);
  return y;
}

std::vector<float> Ramp(std::size_t size) {
  std::vector<float> x;
  for (std::size_t i = 0; i < size; ++i) {
    x.push_back(static_cast<float>(i % 17) - 8);
  }
  return x;
}

TEST(RmsNorm, ReferenceHasUnitMeanSquare) {
  double squares = 0;
  for (const double value : Reference(Ramp(1024))) squares += value * value;
  EXPECT_NEAR(squares / 1024, 1, 1e-6);
}

#ifdef __CUDACC__
constexpr int kThreads = 256;

// One block; y = x / sqrt(mean(x^2) + epsilon).
__global__ void RmsNorm(const float* x, float* y, int size) {
  __shared__ float sums[kThreads];
  float sum = 0;
  for (int i = threadIdx.x; i < size; i += kThreads) sum += x[i] * x[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  const float scale = rsqrtf(sums[0] / size + kEpsilon);
  for (int i = threadIdx.x; i < size; i += kThreads) y[i] = x[i] * scale;
}

TEST(RmsNorm, OnTheDeviceIsTheReference) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    GTEST_SKIP() << "there is no CUDA device";
  }
  const std::vector<float> x = Ramp(5000);
  const std::size_t bytes = x.size() * sizeof(float);
  float* in = nullptr;
  float* out = nullptr;
  ASSERT_EQ(cudaMalloc(&in, bytes), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&out, bytes), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(in, x.data(), bytes, cudaMemcpyHostToDevice),
            cudaSuccess);
  RmsNorm<<<1, kThreads>>>(in, out, static_cast<int>(x.size()));
  std::vector<float> y(x.size());
  ASSERT_EQ(cudaMemcpy(y.data(), out, bytes, cudaMemcpyDeviceToHost),
            cudaSuccess);
  cudaFree(in);
  cudaFree(out);

  const std::vector<double> expected = Reference(x);
  for (std::size_t i = 0; i < y.size(); ++i) {
    ASSERT_NEAR(y[i], expected[i], 1e-5) << "element " << i;
  }
}
#else
TEST(RmsNorm, OnTheDeviceIsTheReference) {
  GTEST_SKIP() << "built without nvcc";
}
#endif

}  // namespace
