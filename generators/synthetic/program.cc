// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/synthetic/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "generators/synthetic/tiling.h"

namespace graph_coverage::synthetic {

std::int64_t Tensor::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : dims) count *= extent;
  return count;
}

std::int64_t Tensor::bytes() const {
  return elements() * static_cast<std::int64_t>(ElementBytes(data_type));
}

Use Tile(TensorRef tensor, std::vector<int> split) {
  if (split.size() > kGridAxes) {
    throw std::invalid_argument("a grid has at most three axes");
  }
  Use use;
  use.tensor = tensor;
  std::copy(split.begin(), split.end(), use.split.begin());
  return use;
}

Use NoTensor() { return {}; }

TensorRef Program::Declare(Tensor tensor) {
  if (tensor.strides.empty()) tensor.strides = RowMajor(tensor.dims);
  const auto [found, fresh] =
      by_name_.emplace(tensor.name, TensorRef(tensors_.size()));
  if (fresh) {
    tensors_.push_back(std::move(tensor));
    return found->second;
  }
  const Tensor& known = this->tensor(found->second);
  if (known.kind != tensor.kind || known.data_type != tensor.data_type ||
      known.dims != tensor.dims || known.strides != tensor.strides) {
    throw std::invalid_argument(
        fmt::format("tensor {} is declared twice, differently", tensor.name));
  }
  return found->second;
}

TensorRef Program::Attach(const std::string& name, DataType type,
                          std::vector<std::int64_t> dims,
                          std::vector<std::int64_t> strides) {
  return Declare({name,
                  TensorKind::kAttached,
                  type,
                  std::move(dims),
                  std::move(strides),
                  {},
                  1,
                  {}});
}

TensorRef Program::Scratch(const std::string& name, DataType type,
                           std::vector<std::int64_t> dims) {
  return Declare(
      {name, TensorKind::kScratch, type, std::move(dims), {}, {}, 1, {}});
}

TensorRef Program::Nvshmem(const std::string& name, DataType type,
                           std::vector<std::int64_t> dims) {
  return Declare(
      {name, TensorKind::kNvshmem, type, std::move(dims), {}, {}, 1, {}});
}

namespace {

Tensor OfPieces(const std::string& name, TensorKind kind, DataType type,
                std::vector<Piece> pieces, std::int64_t groups,
                std::int64_t columns) {
  std::int64_t rows = 0;
  for (const Piece& piece : pieces) {
    if (groups < 1 || piece.rows % groups != 0) {
      throw std::invalid_argument(
          fmt::format("{}: {} rows of {} are no {} equal groups", name,
                      piece.rows, piece.name, groups));
    }
    rows += piece.rows;
  }
  return {name, kind, type, {rows, columns}, {}, std::move(pieces), groups, {}};
}

}  // namespace

TensorRef Program::Shuffle(const std::string& name, DataType type,
                           std::vector<Piece> pieces, std::int64_t groups,
                           std::int64_t columns) {
  return Declare(OfPieces(name, TensorKind::kShuffled, type, std::move(pieces),
                          groups, columns));
}

TensorRef Program::Fuse(const std::string& name, DataType type,
                        std::vector<Piece> pieces, std::int64_t groups,
                        std::int64_t columns) {
  return Declare(OfPieces(name, TensorKind::kAttached, type, std::move(pieces),
                          groups, columns));
}

TensorRef Program::Alias(const std::string& name, TensorRef of) {
  Tensor tensor = this->tensor(of);
  tensor.alias_of = std::exchange(tensor.name, name);
  tensor.kind = TensorKind::kAlias;
  return Declare(std::move(tensor));
}

void Program::Add(Operator op) {
  if (op.grid.size() > kGridAxes || op.grid.empty()) {
    throw std::invalid_argument(op.type + ": a grid has one to three axes");
  }
  op.grid.resize(kGridAxes, 1);
  for (const std::int64_t extent : op.grid) {
    if (extent < 1) throw std::invalid_argument(op.type + ": an empty grid");
  }
  for (const std::vector<Use>* uses : {&op.inputs, &op.outputs}) {
    for (const Use& use : *uses) CheckTiling(*this, op, use);
  }
  for (const std::uint32_t slot : op.written_inputs) {
    if (slot >= op.inputs.size()) {
      throw std::invalid_argument(op.type + ": no such written input slot");
    }
  }
  operators_.push_back(std::move(op));
}

void Program::Replace(std::vector<Operator> operators) {
  std::vector<Operator> before = std::exchange(operators_, {});
  try {
    for (Operator& op : operators) Add(std::move(op));
  } catch (...) {
    operators_ = std::move(before);
    throw;
  }
}

}  // namespace graph_coverage::synthetic
