// SPDX-License-Identifier: Apache-2.0
//
// Tensor families: the same tensor of each layer. `layer_17_q_norm` is layer
// 17's member of `layer_#_q_norm`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/model/ids.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

struct FamilyName {
  std::string family;  // the name itself where it is of no layer
  std::optional<std::uint32_t> layer;
};

// Splits names into families. Only the first decimal run of a name can be a
// layer number, and only where the text before it comes with at least 3
// different numbers (2 where it says layer, block, stage or step) that fill
// at least half of their range: `fp8_input_7168_shared` is no layer 7168. Where
// the prefixes of layers are given, exactly these texts come before a layer.
class Families {
 public:
  using Prefixes = std::optional<std::vector<std::string>>;
  explicit Families(const View& view,
                    const Prefixes& layer_prefixes = std::nullopt);

  const FamilyName& of(TensorId id) const { return names_[Index(id)]; }

 private:
  std::vector<FamilyName> names_;
};

// The layer of a name on the axis of a family: the number it has where the
// family has its layer, if the text before agrees. `layer_3_v_proj` is layer 3
// on the axis of `layer_#_q_norm`.
std::optional<std::uint32_t> LayerOnAxis(std::string_view family,
                                         std::string_view name);

// The members of one family by a pattern: `layer_{0..16,18..35}_q_norm`. The
// family as Families gives it, the layers ascending; no layers: the family.
std::string FamilyPattern(std::string_view family,
                          const std::vector<std::uint32_t>& layers);

// "0-16, 18-35".
std::string RangesText(const std::vector<std::uint32_t>& numbers);

// The reverse, in the order of the text; nothing where it is none, or has a
// number above kMostInRanges.
inline constexpr std::uint32_t kMostInRanges = 65535;
std::optional<std::vector<std::uint32_t>> ParseRanges(std::string_view text);

}  // namespace graph_coverage
