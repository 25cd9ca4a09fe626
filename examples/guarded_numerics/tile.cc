// SPDX-License-Identifier: Apache-2.0
#include "tile.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "numbers.h"

namespace guarded_numerics {
namespace {

template <typename T>
T Load(const std::byte* at) {
  T value{};
  std::memcpy(&value, at, sizeof(value));
  return value;
}

template <typename T>
void Store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof(value));
}

float Widen(float value) { return value; }
float Widen(std::uint16_t bits) { return FromBf16(bits); }
float Widen(std::uint8_t bits) { return FromFp8(bits); }

// Elements that lie `stride` bytes apart.
template <typename T>
std::vector<float> LoadAll(const std::byte* at, std::int64_t count,
                           std::int64_t stride) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(Widen(Load<T>(at + i * stride)));
  }
  return values;
}

[[noreturn]] void Refuse(DataType type, const char* wanted) {
  throw std::invalid_argument("a tile of " + ToString(type) +
                              " elements where a kernel expects " + wanted);
}

}  // namespace

std::byte* Tile::At(std::int64_t row, std::int64_t column) const {
  if (row < 0 || row >= rows || column < 0 || column >= columns) {
    throw std::out_of_range("element " + std::to_string(row) + ", " +
                            std::to_string(column) + " of a tile of " +
                            std::to_string(rows) + " x " +
                            std::to_string(columns));
  }
  const std::int64_t element = row * row_stride + column * column_stride;
  return data + element * graph_coverage::ElementBytes(type);
}

float Tile::Get(std::int64_t row, std::int64_t column) const {
  const std::byte* at = At(row, column);
  switch (type) {
    case DataType::kF32:
      return Load<float>(at);
    case DataType::kBf16:
      return FromBf16(Load<std::uint16_t>(at));
    case DataType::kFp8:
      return FromFp8(Load<std::uint8_t>(at));
    default:
      Refuse(type, "floating point");
  }
}

void Tile::Set(std::int64_t row, std::int64_t column, float value) const {
  std::byte* at = At(row, column);
  switch (type) {
    case DataType::kF32:
      return Store(at, value);
    case DataType::kBf16:
      return Store(at, ToBf16(value));
    case DataType::kFp8:
      return Store(at, ToFp8(value));
    default:
      Refuse(type, "floating point");
  }
}

std::int64_t Tile::GetInteger(std::int64_t row, std::int64_t column) const {
  const std::byte* at = At(row, column);
  switch (type) {
    case DataType::kI64:
      return Load<std::int64_t>(at);
    case DataType::kU32:
      return Load<std::uint32_t>(at);
    default:
      Refuse(type, "integers");
  }
}

void Tile::SetInteger(std::int64_t row, std::int64_t column,
                      std::int64_t value) const {
  std::byte* at = At(row, column);
  switch (type) {
    case DataType::kI64:
      return Store(at, value);
    case DataType::kU32:
      return Store(at, static_cast<std::uint32_t>(value));
    default:
      Refuse(type, "integers");
  }
}

Tile Tile::Row(std::int64_t row) const {
  Tile part = *this;
  part.data = At(row, 0);
  part.rows = 1;
  return part;
}

Tile Tile::Columns(std::int64_t first, std::int64_t count) const {
  At(0, first + count - 1);
  Tile part = *this;
  part.data = At(0, first);
  part.columns = count;
  part.first_column += first;
  return part;
}

std::vector<double> Tile::Values() const {
  std::vector<double> values;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      values.push_back(Get(row, column));
    }
  }
  return values;
}

std::vector<float> Tile::RowValues(std::int64_t row) const {
  const std::byte* at = At(row, 0);
  const std::int64_t stride =
      column_stride * graph_coverage::ElementBytes(type);
  switch (type) {
    case DataType::kF32:
      return LoadAll<float>(at, columns, stride);
    case DataType::kBf16:
      return LoadAll<std::uint16_t>(at, columns, stride);
    case DataType::kFp8:
      return LoadAll<std::uint8_t>(at, columns, stride);
    default:
      Refuse(type, "floating point");
  }
}

Matrix::Matrix(DataType type, std::int64_t rows, std::int64_t columns)
    : type_(type),
      rows_(rows),
      columns_(columns),
      bytes_(static_cast<std::size_t>(rows * columns *
                                      graph_coverage::ElementBytes(type))) {}

Tile Matrix::tile() {
  Tile tile;
  tile.type = type_;
  tile.data = bytes_.data();
  tile.rows = rows_;
  tile.columns = columns_;
  tile.row_stride = columns_;
  return tile;
}

}  // namespace guarded_numerics
