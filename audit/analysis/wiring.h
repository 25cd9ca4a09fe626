// SPDX-License-Identifier: Apache-2.0
//
// Which tensors are read and written, by operands and by copies.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/analysis/runs.h"
#include "graph_coverage/model/ids.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// How the operands of a rank use one tensor.
struct Usage {
  std::uint64_t input_refs = 0;
  std::uint64_t output_refs = 0;
  std::vector<std::uint32_t> consumer_types;  // ascending, once each
  std::vector<std::uint32_t> producer_types;
};

class Wiring {
 public:
  Wiring(const View& view, const Runs& runs);

  const Usage& usage(TensorId id) const { return usage_[Index(id)]; }
  // Whether a task reads it: under its own name, under an alias, or as the
  // source of a copy into a shuffled tensor that is read.
  bool consumed(TensorId id) const { return consumed_[Index(id)]; }
  // Whether an output slot names it or an alias of it.
  bool written(TensorId id) const { return written_[Index(id)]; }

 private:
  std::vector<Usage> usage_;
  std::vector<bool> consumed_;
  std::vector<bool> written_;
};

}  // namespace graph_coverage
