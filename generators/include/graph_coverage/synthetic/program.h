// SPDX-License-Identifier: Apache-2.0
//
// A program: what a synthetic megakernel computes, before it becomes tasks and
// events. Tensors are declared, operators appended in the order in which their
// tasks shall lie in the task graph; everything else is derived from these.
//
//   Program program;
//   const auto bf16 = DataType::kBf16;
//   const auto x = program.Attach("x", bf16, {8, 64});
//   const auto w = program.Attach("w", bf16, {64});
//   const auto y = program.Scratch("y", bf16, {8, 64});
//   program.Add({"TASK_RMS_NORM", {8},
//                {Tile(x, {0}), Tile(w)}, {Tile(y, {0})}});
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph_coverage/model/ids.h"
#include "graph_coverage/model/kernel_source.h"
#include "graph_coverage/model/task_graph.h"

namespace graph_coverage::synthetic {

// A tensor of one program.
enum class TensorRef : std::uint32_t {};
// The operand that stands for "no tensor".
inline constexpr TensorRef kNoTensor{0xffffffff};

// A part of a fused or shuffled tensor: `rows` of its outermost dimension.
struct Piece {
  std::string name;
  std::int64_t rows = 0;
};

struct Tensor {
  std::string name;
  TensorKind kind = TensorKind::kAttached;
  DataType data_type = DataType::kBf16;
  std::vector<std::int64_t> dims;     // elements
  std::vector<std::int64_t> strides;  // elements
  // Shuffled: the attached tensors copied into it. Attached: the tensors of
  // which it is a fused view; then only these have declarations and operands.
  // Both: every group of rows holds an equal share of each piece, in order.
  std::vector<Piece> pieces;
  std::int64_t groups = 1;
  std::string alias_of;  // kAlias only

  std::int64_t elements() const;
  std::int64_t bytes() const;
  bool fused() const {
    return kind == TensorKind::kAttached && !pieces.empty();
  }
};

inline constexpr std::size_t kGridAxes = 3;

// How the tasks of an operator share a tensor: grid axis i cuts dimension
// split[i] of it into equal tiles; kWhole: the axis does not cut it.
struct Use {
  static constexpr int kWhole = -1;

  TensorRef tensor = kNoTensor;
  std::array<int, kGridAxes> split = {kWhole, kWhole, kWhole};
  // The tile starts this many elements further on each higher rank.
  std::int64_t rank_stride = 0;
  // The operand only orders tasks: no kernel touches it.
  bool order_only = false;
};
Use Tile(TensorRef tensor, std::vector<int> split = {});
Use NoTensor();

// What tells the tasks of one operator apart, x, y and z being the task's
// place in the grid.
enum class Indexing {
  kBlock,    // request_id x
  kRequest,  // request_id y
  kExpert,   // expert_offset (and task_offset) x
  kSplit,    // request_id x, kv_idx y
  kMerge,    // request_id x, kv_idx y, merge_task_offset z
};

// One layer call of the generator: the tasks of a grid, z running fastest.
struct Operator {
  std::string type;  // "TASK_RMS_NORM"
  std::vector<std::int64_t> grid;
  std::vector<Use> inputs;
  std::vector<Use> outputs;
  Indexing indexing = Indexing::kBlock;
  std::vector<std::uint32_t> written_inputs;  // slots
};

class Program {
 public:
  // Declares a tensor, row-major where no strides are given. A second
  // declaration of the same name returns the first; throws
  // std::invalid_argument where the two differ.
  TensorRef Attach(const std::string& name, DataType type,
                   std::vector<std::int64_t> dims,
                   std::vector<std::int64_t> strides = {});
  TensorRef Scratch(const std::string& name, DataType type,
                    std::vector<std::int64_t> dims);
  TensorRef Nvshmem(const std::string& name, DataType type,
                    std::vector<std::int64_t> dims);
  // Pieces [rows, columns] as one tensor, `groups` equal shares interleaved.
  TensorRef Shuffle(const std::string& name, DataType type,
                    std::vector<Piece> pieces, std::int64_t groups,
                    std::int64_t columns);
  TensorRef Fuse(const std::string& name, DataType type,
                 std::vector<Piece> pieces, std::int64_t groups,
                 std::int64_t columns);
  TensorRef Alias(const std::string& name, TensorRef of);

  // Appends an operator. Throws std::invalid_argument where a grid does not
  // divide what it cuts, or a tile of a fused tensor spans two pieces.
  void Add(Operator op);
  // Puts these in place of all operators. Throws as Add does, and then
  // changes nothing. For programs that differ from a model's in a few places.
  void Replace(std::vector<Operator> operators);

  const std::vector<Tensor>& tensors() const { return tensors_; }
  const std::vector<Operator>& operators() const { return operators_; }
  const Tensor& tensor(TensorRef ref) const { return tensors_[Index(ref)]; }

  // Ranks the model is spread over; the program is the same on each.
  std::uint32_t ranks = 1;
  // Numbers of task types that a fork of the generator added or moved.
  std::map<std::string, std::uint32_t> type_numbers;

 private:
  TensorRef Declare(Tensor tensor);

  std::vector<Tensor> tensors_;
  std::unordered_map<std::string, TensorRef> by_name_;
  std::vector<Operator> operators_;
};

}  // namespace graph_coverage::synthetic
