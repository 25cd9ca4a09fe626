// SPDX-License-Identifier: Apache-2.0
//
// What tasks do with each declared tensor, layer by layer: the facts behind
// the cells of the page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph_coverage/model/view.h"

namespace graph_coverage {

// The first few of many, and how many there are.
template <typename T>
struct Examples {
  static constexpr std::size_t kMost = 3;

  std::vector<T> first;
  std::uint64_t count = 0;

  void Add(const T& item) {
    if (++count <= kMost) first.push_back(item);
  }
  bool operator==(const Examples&) const = default;
};

// The tasks of one (type, variant) that name a tensor in one slot.
struct Use {
  std::string type;
  std::uint32_t variant = 0;
  std::uint32_t slot = 0;
  bool output = false;
  std::vector<std::uint32_t> lines;  // of the branches they may run
  std::uint64_t count = 0;           // operands, which is tasks
  // First and last ids of stretches of tasks, both inclusive.
  Examples<std::pair<std::uint32_t, std::uint32_t>> tasks;
  Examples<std::uint32_t> waits;     // positions in all_events, ascending
  Examples<std::uint32_t> triggers;  // likewise

  bool operator==(const Use&) const = default;
};

// The uses in one layer: that of the tensor's name if it has one, else that
// of the tasks. No layer: of tasks before the first and after the last.
struct LayerUses {
  std::optional<std::string> layer;
  std::vector<Use> uses;

  bool operator==(const LayerUses&) const = default;
};

struct TensorUses {
  std::uint32_t line = 0;  // of the declaration
  std::optional<std::string> own_layer;
  std::vector<LayerUses> layers;  // in the order of their first tasks

  bool operator==(const TensorUses&) const = default;
};

// Of each declaration, in the order of the source.
std::vector<TensorUses> UsesOf(const View& view);

}  // namespace graph_coverage
