// SPDX-License-Identifier: Apache-2.0
#include "audit/analysis/layers.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace graph_coverage {
namespace {

// The most frequent of the sections, the first of them where several are.
std::optional<Section> MostFrequent(const std::vector<Section>& sections) {
  std::optional<Section> best;
  std::ptrdiff_t most = 0;
  for (const Section& section : sections) {
    const auto count = std::count(sections.begin(), sections.end(), section);
    if (count > most) {
      best = section;
      most = count;
    }
  }
  return best;
}

}  // namespace

Layers::Layers(const View& view, const Families& families, const Runs& runs) {
  NameTensors(view, families);
  named_.reserve(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    named_.push_back(NamedBy(runs.task(i)));
  }
  PlaceRuns();
}

void Layers::NameTensors(const View& view, const Families& families) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  std::vector<bool> output(view.tensor_count());
  for (std::uint32_t i = 0; i < view.tensor_count(); ++i) {
    const auto id = TensorId(i);
    const FamilyName& name = families.of(id);
    families_.push_back(
        numbers
            .try_emplace(name.family,
                         static_cast<std::uint32_t>(numbers.size()))
            .first->second);
    const auto uses = view.references(id);
    output[i] = std::any_of(uses.begin(), uses.end(),
                            [](const Reference& use) { return use.output; });
    const Declaration* declaration = view.declaration(id);
    weights_.push_back(declaration != nullptr && !output[i] &&
                       (declaration->kind == TensorKind::kAttached ||
                        declaration->kind == TensorKind::kShuffled));
    if (!name.layer) {
      tensors_.push_back(std::nullopt);
      continue;
    }
    const std::string_view axis =
        std::string_view(name.family).substr(0, name.family.find('#'));
    auto at = std::find(axes_.begin(), axes_.end(), axis);
    if (at == axes_.end()) at = axes_.insert(at, axis);
    tensors_.push_back(
        Section{static_cast<std::uint32_t>(at - axes_.begin()), *name.layer});
  }
}

std::optional<Section> Layers::NamedBy(const Task& task) const {
  const auto sections_of = [this](Span<Operand> operands, bool weights) {
    std::vector<Section> sections;
    for (const Operand& operand : operands) {
      const auto section = of_tensor(operand.tensor);
      if (section && is_weight(operand.tensor) == weights) {
        sections.push_back(*section);
      }
    }
    return sections;
  };
  // A layer's results are read in the next layer, its weights are not.
  if (auto named = MostFrequent(sections_of(task.inputs, true))) return named;
  if (auto named = MostFrequent(sections_of(task.outputs, false))) return named;
  return MostFrequent(sections_of(task.inputs, false));
}

void Layers::PlaceRuns() {
  // Axes come in the order in which tasks first use them.
  std::vector<std::uint32_t> order;
  for (const auto& named : named_) {
    if (named &&
        std::find(order.begin(), order.end(), named->axis) == order.end()) {
      order.push_back(named->axis);
    }
  }
  const auto key_of = [&order](Section section) {
    const auto at = std::find(order.begin(), order.end(), section.axis);
    return std::pair(at - order.begin(), section.layer);
  };
  // The longest part of the runs whose layers never decrease: by patience,
  // with the run before each in such a part.
  std::vector<std::size_t> tails;
  std::vector<std::ptrdiff_t> before(named_.size(), -1);
  for (std::size_t i = 0; i < named_.size(); ++i) {
    if (!named_[i]) continue;
    const auto key = key_of(*named_[i]);
    const auto at = std::upper_bound(tails.begin(), tails.end(), key,
                                     [&](const auto& k, std::size_t run) {
                                       return k < key_of(*named_[run]);
                                     });
    if (at != tails.begin()) before[i] = static_cast<std::ptrdiff_t>(*(at - 1));
    if (at == tails.end()) {
      tails.push_back(i);
    } else {
      *at = i;
    }
  }
  runs_.assign(named_.size(), std::nullopt);
  for (std::ptrdiff_t i =
           tails.empty() ? -1 : static_cast<std::ptrdiff_t>(tails.back());
       i >= 0; i = before[static_cast<std::size_t>(i)]) {
    runs_[static_cast<std::size_t>(i)] = named_[static_cast<std::size_t>(i)];
  }
  // What comes after the last of them is of no layer.
  const std::size_t end = tails.empty() ? 0 : tails.back();
  for (std::size_t i = 1; i < end; ++i) {
    if (!runs_[i]) runs_[i] = runs_[i - 1];
  }
}

}  // namespace graph_coverage
