// SPDX-License-Identifier: Apache-2.0
//
// Which layer each run of tasks belongs to, by the names of its operands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/analysis/families.h"
#include "audit/analysis/runs.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// A stretch of the graph that computes one layer.
struct Section {
  std::uint32_t axis = 0;   // position in Layers::axes()
  std::uint32_t layer = 0;  // its number on the axis

  friend bool operator==(Section a, Section b) {
    return a.axis == b.axis && a.layer == b.layer;
  }
  friend bool operator!=(Section a, Section b) { return !(a == b); }
  friend bool operator<(Section a, Section b) {
    return a.axis != b.axis ? a.axis < b.axis : a.layer < b.layer;
  }
};

class Layers {
 public:
  Layers(const View& view, const Families& families, const Runs& runs);

  // The texts before the layer number, such as "layer_", as they first appear.
  const std::vector<std::string_view>& axes() const { return axes_; }

  // Where a tensor belongs by its name.
  std::optional<Section> of_tensor(TensorId id) const {
    return tensors_[Index(id)];
  }
  // A number for the tensor's family: equal for the same tensor of each layer.
  std::uint32_t family(TensorId id) const { return families_[Index(id)]; }
  // Attached or shuffled, and in no task's output slot.
  bool is_weight(TensorId id) const { return weights_[Index(id)]; }

  // The layer that a run of tasks computes; nothing before the first layer and
  // after the last run that names one.
  // The name that says so may be that of a neighbour, where the run's own
  // operands are of no layer or of one out of order.
  std::optional<Section> of_run(std::size_t run) const { return runs_[run]; }
  // What the run's own operands say.
  std::optional<Section> named_by_run(std::size_t run) const {
    return named_[run];
  }

 private:
  void NameTensors(const View& view, const Families& families);
  std::optional<Section> NamedBy(const Task& task) const;
  void PlaceRuns();

  std::vector<std::string_view> axes_;
  std::vector<std::optional<Section>> tensors_;
  std::vector<std::uint32_t> families_;
  std::vector<bool> weights_;
  std::vector<std::optional<Section>> named_;
  std::vector<std::optional<Section>> runs_;
};

}  // namespace graph_coverage
