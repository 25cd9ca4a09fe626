// SPDX-License-Identifier: Apache-2.0
#include "audit/report/coverage.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "audit/rules/wiring_rules.h"

namespace graph_coverage {
namespace {

bool SameFacts(const TensorCoverage& a, const TensorCoverage& b) {
  return a.kind == b.kind && a.critical == b.critical &&
         a.consumed == b.consumed && a.input_refs == b.input_refs &&
         a.output_refs == b.output_refs &&
         a.consumer_task_types == b.consumer_task_types &&
         a.producer_task_types == b.producer_task_types &&
         a.consumer_type_names == b.consumer_type_names &&
         a.reads_by_layer == b.reads_by_layer;
}

std::string NameOf(const Layers& layers, const Section& section) {
  return std::string(layers.axes()[section.axis]) +
         std::to_string(section.layer);
}

// The layers that read each tensor, ascending.
class ReadsByLayer {
 public:
  explicit ReadsByLayer(const RankContext& rank)
      : layers_(rank.analyses.layers()), reads_(rank.view.tensor_count()) {
    const Runs& runs = rank.analyses.runs();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto section = layers_.of_run(i);
      if (!section) continue;
      for (const Operand& input : runs.task(i).inputs) {
        Add(reads_[Index(input.tensor)], *section, runs[i].count);
      }
    }
  }

  std::vector<LayerReads> Of(TensorId tensor) const {
    std::vector<LayerReads> named;
    for (const auto& [section, refs] : reads_[Index(tensor)]) {
      named.push_back({NameOf(layers_, section), refs});
    }
    return named;
  }

 private:
  using Reads = std::vector<std::pair<Section, std::uint64_t>>;

  static void Add(Reads& reads, const Section& section, std::uint64_t refs) {
    const auto at = std::lower_bound(
        reads.begin(), reads.end(), section,
        [](const auto& entry, const Section& s) { return entry.first < s; });
    if (at != reads.end() && at->first == section) {
      at->second += refs;
    } else {
      reads.insert(at, {section, refs});
    }
  }

  const Layers& layers_;
  std::vector<Reads> reads_;  // by tensor
};

}  // namespace

std::vector<TensorCoverage> CoverageOf(const RankContext& rank) {
  std::vector<TensorCoverage> rows;
  rows.reserve(rank.view.declaration_count());
  const ReadsByLayer reads(rank);
  for (std::size_t i = 0; i < rank.view.declaration_count(); ++i) {
    const Declaration& declaration = rank.view.declaration_at(i);
    const TensorId tensor = rank.view.declared_tensor(i);
    const Usage& usage = rank.analyses.wiring().usage(tensor);
    rows.push_back({declaration.name,
                    rank.analyses.families().of(tensor).family,
                    declaration.kind,
                    IsCritical(rank, declaration),
                    rank.analyses.wiring().consumed(tensor),
                    {rank.view.rank()},
                    usage.input_refs,
                    usage.output_refs,
                    usage.consumer_types,
                    usage.producer_types,
                    {},
                    reads.Of(tensor),
                    declaration.line});
    for (const std::uint32_t type : usage.consumer_types) {
      rows.back().consumer_type_names.push_back(rank.view.TypeName(type));
    }
  }
  return rows;
}

std::vector<std::string> LayerNames(const std::vector<RankContext>& ranks) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const RankContext& rank : ranks) {
    for (const LayerForm& form : rank.analyses.layer_forms().all()) {
      std::string name = NameOf(rank.analyses.layers(), form.section);
      if (seen.insert(name).second) names.push_back(std::move(name));
    }
  }
  return names;
}

std::vector<TensorCoverage> MergeCoverage(
    const std::vector<std::vector<TensorCoverage>>& ranks) {
  std::vector<TensorCoverage> merged;
  std::unordered_map<std::string, std::vector<std::size_t>> rows_of;
  for (const std::vector<TensorCoverage>& rows : ranks) {
    for (const TensorCoverage& row : rows) {
      std::vector<std::size_t>& known = rows_of[row.name];
      const auto same = std::find_if(
          known.begin(), known.end(),
          [&](std::size_t at) { return SameFacts(merged[at], row); });
      if (same != known.end()) {
        merged[*same].ranks.push_back(row.ranks.front());
        continue;
      }
      known.push_back(merged.size());
      merged.push_back(row);
    }
  }
  return merged;
}

}  // namespace graph_coverage
