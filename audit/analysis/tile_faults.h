// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with tiles by themselves, found in one look at each operand.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/analysis/runs.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

struct OperandPlace {
  TaskId task{};
  std::uint32_t slot = 0;
  bool output = false;
};

class TileFaults {
 public:
  TileFaults(const View& view, const Runs& runs);

  // Operands that are tensors.
  std::uint64_t operands() const { return operands_; }
  // Those whose offset or element size is not known.
  std::uint64_t without_offset() const { return without_offset_; }
  // Those whose tensor has a known size, or that lie before their tensor.
  std::uint64_t bounded() const { return bounded_; }

  // All in the order of the tasks, inputs before outputs.
  // A dim is 0, or dims and strides do not fit.
  const std::vector<OperandPlace>& empty() const { return empty_; }
  const std::vector<OperandPlace>& overlapping() const { return overlapping_; }
  const std::vector<OperandPlace>& misaligned() const { return misaligned_; }
  // Not within the tensor, all dims taken.
  const std::vector<OperandPlace>& outside() const { return outside_; }

 private:
  std::uint64_t operands_ = 0, without_offset_ = 0, bounded_ = 0;
  std::vector<OperandPlace> empty_, overlapping_, misaligned_, outside_;
};

// The bytes of the tensors that say how many they have.
class TensorSizes {
 public:
  explicit TensorSizes(const View& view);

  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};

  std::uint64_t of(TensorId tensor) const { return bytes_[Index(tensor)]; }
  // Whether `extent` bytes from `offset` on lie in the tensor, whose size must
  // be known unless the offset is negative.
  bool Holds(TensorId tensor, std::int64_t offset, std::uint64_t extent) const {
    return Holds(of(tensor), offset, extent);
  }
  // The same of a tensor of `size` bytes.
  static bool Holds(std::uint64_t size, std::int64_t offset,
                    std::uint64_t extent) {
    return offset >= 0 && extent <= size &&
           static_cast<std::uint64_t>(offset) <= size - extent;
  }

 private:
  std::vector<std::uint64_t> bytes_;
};

}  // namespace graph_coverage
