// SPDX-License-Identifier: Apache-2.0
#include "generators/synthetic/tiling.h"

#include <fmt/format.h>

#include <stdexcept>

namespace graph_coverage::synthetic {
namespace {

// Row `row` of a fused tensor, as a row of one of its pieces.
struct PieceRow {
  std::uint32_t piece;
  std::int64_t row;
  std::int64_t left;  // rows of that piece that follow in the same group
};

PieceRow Locate(const Tensor& tensor, std::int64_t row) {
  const std::int64_t group_rows = tensor.dims[0] / tensor.groups;
  const std::int64_t group = row / group_rows;
  std::int64_t within = row % group_rows;
  std::uint32_t piece = 0;
  while (within >= tensor.pieces[piece].rows / tensor.groups) {
    within -= tensor.pieces[piece].rows / tensor.groups;
    ++piece;
  }
  const std::int64_t share = tensor.pieces[piece].rows / tensor.groups;
  return {piece, group * share + within, share - within};
}

}  // namespace

std::vector<std::int64_t> RowMajor(const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * dims[i];
  }
  return strides;
}

std::int64_t TaskCount(const Operator& op) {
  return op.grid[0] * op.grid[1] * op.grid[2];
}

std::array<std::int64_t, kGridAxes> Block(const Operator& op, std::int64_t n) {
  return {n / op.grid[2] / op.grid[1], n / op.grid[2] % op.grid[1],
          n % op.grid[2]};
}

void CheckTiling(const Program& program, const Operator& op, const Use& use) {
  if (use.tensor == kNoTensor) return;
  const Tensor& tensor = program.tensor(use.tensor);
  std::vector<std::int64_t> dims = tensor.dims;
  for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
    const int dim = use.split[axis];
    if (dim == Use::kWhole) continue;
    if (dim < 0 || static_cast<std::size_t>(dim) >= dims.size() ||
        dims[static_cast<std::size_t>(dim)] % op.grid[axis] != 0) {
      throw std::invalid_argument(fmt::format(
          "{}: grid axis {} of {} does not divide dimension {} of {}", op.type,
          axis, op.grid[axis], dim, tensor.name));
    }
    dims[static_cast<std::size_t>(dim)] /= op.grid[axis];
  }
  if (!tensor.fused()) return;
  for (std::int64_t row = 0; row < tensor.dims[0]; row += dims[0]) {
    if (Locate(tensor, row).left < dims[0]) {
      throw std::invalid_argument(
          fmt::format("{}: a tile of {} rows spans two pieces of {}", op.type,
                      dims[0], tensor.name));
    }
  }
}

std::vector<std::int64_t> TileDims(const Program& program, const Operator& op,
                                   const Use& use) {
  std::vector<std::int64_t> dims = program.tensor(use.tensor).dims;
  for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
    if (use.split[axis] != Use::kWhole) {
      dims[static_cast<std::size_t>(use.split[axis])] /= op.grid[axis];
    }
  }
  return dims;
}

std::vector<std::int64_t> TileStart(
    const Program& program, const Operator& op, const Use& use,
    const std::array<std::int64_t, kGridAxes>& block) {
  const std::vector<std::int64_t>& dims = program.tensor(use.tensor).dims;
  std::vector<std::int64_t> start(dims.size(), 0);
  std::vector<std::int64_t> extent = dims;
  for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
    if (use.split[axis] == Use::kWhole) continue;
    const auto dim = static_cast<std::size_t>(use.split[axis]);
    extent[dim] /= op.grid[axis];
    start[dim] += block[axis] * extent[dim];
  }
  return start;
}

TilePlacer::TilePlacer(const Program& program, const Operator& op,
                       const Use& use, std::uint32_t rank) {
  const Tensor& tensor = program.tensor(use.tensor);
  element_ = ElementBytes(tensor.data_type);
  start_ = use.rank_stride * rank;
  if (tensor.fused()) tensor_ = &tensor;
  std::vector<std::int64_t> extent = tensor.dims;
  for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
    if (use.split[axis] == Use::kWhole) continue;
    const auto dim = static_cast<std::size_t>(use.split[axis]);
    extent[dim] /= op.grid[axis];
    if (tensor_ != nullptr && dim == 0) {
      rows_[axis] = extent[dim];
    } else {
      step_[axis] = extent[dim] * tensor.strides[dim];
    }
  }
}

TilePlace TilePlacer::At(
    const std::array<std::int64_t, kGridAxes>& block) const {
  TilePlace place;
  std::int64_t elements = start_;
  std::int64_t row = 0;
  for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
    elements += block[axis] * step_[axis];
    row += block[axis] * rows_[axis];
  }
  if (tensor_ != nullptr) {
    const PieceRow found = Locate(*tensor_, row);
    place.piece = found.piece;
    elements += found.row * tensor_->strides[0];
  }
  place.offset = elements * element_;
  return place;
}

bool TilesMeet(const Program& program, const Operator& a, const Use& use_a,
               std::int64_t task_a, const Operator& b, const Use& use_b,
               std::int64_t task_b) {
  const auto start_a = TileStart(program, a, use_a, Block(a, task_a));
  const auto start_b = TileStart(program, b, use_b, Block(b, task_b));
  const auto dims_a = TileDims(program, a, use_a);
  const auto dims_b = TileDims(program, b, use_b);
  for (std::size_t d = 0; d < start_a.size(); ++d) {
    if (start_a[d] >= start_b[d] + dims_b[d] ||
        start_b[d] >= start_a[d] + dims_a[d]) {
      return false;
    }
  }
  return true;
}

}  // namespace graph_coverage::synthetic
