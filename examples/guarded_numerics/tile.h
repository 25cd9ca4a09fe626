// SPDX-License-Identifier: Apache-2.0
//
// What kernels compute on: a matrix of elements somewhere in memory, as an
// operand of a task describes one.
#pragma once

#include <graph_coverage/model/task_graph.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace guarded_numerics {

using graph_coverage::DataType;

// Refers to memory that it does not own.
struct Tile {
  DataType type = DataType::kUnknown;
  std::byte* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_stride = 0;  // elements
  std::int64_t column_stride = 1;
  std::int64_t first_column = 0;  // where in the tensor's row the tile starts

  // Floating point elements: float, bf16 or fp8. Writing rounds.
  float Get(std::int64_t row, std::int64_t column) const;
  void Set(std::int64_t row, std::int64_t column, float value) const;
  // Integer elements: i64 or u32.
  std::int64_t GetInteger(std::int64_t row, std::int64_t column) const;
  void SetInteger(std::int64_t row, std::int64_t column,
                  std::int64_t value) const;

  // Parts of it. Throw std::out_of_range where they do not lie within.
  Tile Row(std::int64_t row) const;
  Tile Columns(std::int64_t first, std::int64_t count) const;

  // All elements, row by row; or those of one row, read at once for speed.
  std::vector<double> Values() const;
  std::vector<float> RowValues(std::int64_t row) const;

 private:
  std::byte* At(std::int64_t row, std::int64_t column) const;
};

// A matrix with memory of its own, zeros at first.
class Matrix {
 public:
  Matrix(DataType type, std::int64_t rows, std::int64_t columns);
  Tile tile();

 private:
  DataType type_;
  std::int64_t rows_, columns_;
  std::vector<std::byte> bytes_;
};

}  // namespace guarded_numerics
