// SPDX-License-Identifier: Apache-2.0
//
// The bytes that tasks touch: each tracked tensor's tiles, by class.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "audit/analysis/accesses.h"
#include "audit/analysis/region_classes.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

class Memory {
 public:
  Memory(const View& view, const Accesses& accesses);

  std::size_t class_count() const { return bytes_.size(); }
  // The classes of a tile of Accesses::tiles(); none of a tensor left out.
  Span<std::uint32_t> classes(std::uint32_t tile) const {
    return {classes_.data() + of_tile_[tile].first, of_tile_[tile].count};
  }
  const ByteRange& bytes(std::uint32_t region) const { return bytes_[region]; }
  TensorId tensor(std::uint32_t region) const { return tensor_[region]; }
  // Tensors left out, and why.
  const std::map<TensorId, std::string>& left_out() const { return left_out_; }

 private:
  // Where a tile's classes lie in classes_.
  struct Place {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  std::vector<Place> of_tile_;
  std::vector<std::uint32_t> classes_;
  std::vector<ByteRange> bytes_;
  std::vector<TensorId> tensor_;
  std::map<TensorId, std::string> left_out_;
};

}  // namespace graph_coverage
