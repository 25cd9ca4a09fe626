// SPDX-License-Identifier: Apache-2.0
//
// From an operator's grid to the tiles that its tasks touch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "graph_coverage/synthetic/program.h"

namespace graph_coverage::synthetic {

std::vector<std::int64_t> RowMajor(const std::vector<std::int64_t>& dims);

std::int64_t TaskCount(const Operator& op);
// The place in the grid of an operator's n-th task.
std::array<std::int64_t, kGridAxes> Block(const Operator& op, std::int64_t n);

// Throws std::invalid_argument where the grid does not divide the tensor.
void CheckTiling(const Program& program, const Operator& op, const Use& use);

// The extents of every tile of a use, in elements.
std::vector<std::int64_t> TileDims(const Program& program, const Operator& op,
                                   const Use& use);

// Where the tile of one task starts, in each dimension, in elements.
std::vector<std::int64_t> TileStart(
    const Program& program, const Operator& op, const Use& use,
    const std::array<std::int64_t, kGridAxes>& block);

// A tile as an operand names it.
struct TilePlace {
  std::uint32_t piece = 0;  // of a fused tensor
  std::int64_t offset = 0;  // bytes from the start of the tensor or piece
};

// Computes the places of one use's tiles, task after task.
class TilePlacer {
 public:
  TilePlacer(const Program& program, const Operator& op, const Use& use,
             std::uint32_t rank);
  TilePlace At(const std::array<std::int64_t, kGridAxes>& block) const;

 private:
  const Tensor* tensor_ = nullptr;              // set for fused tensors only
  std::array<std::int64_t, kGridAxes> step_{};  // elements a grid step
  std::array<std::int64_t, kGridAxes> rows_{};  // outermost, fused only
  std::int64_t start_ = 0;
  std::int64_t element_ = 0;
};

// Whether a task of one operator and a task of another touch common elements
// of the tensor that both uses name.
bool TilesMeet(const Program& program, const Operator& a, const Use& use_a,
               std::int64_t task_a, const Operator& b, const Use& use_b,
               std::int64_t task_b);

}  // namespace graph_coverage::synthetic
