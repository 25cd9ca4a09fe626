// SPDX-License-Identifier: Apache-2.0
#include "audit/report/coverage.h"

#include <string_view>
#include <unordered_map>

#include "audit/rules/wiring_rules.h"

namespace graph_coverage {
namespace {

bool SameFacts(const TensorCoverage& a, const TensorCoverage& b) {
  return a.kind == b.kind && a.critical == b.critical &&
         a.consumed == b.consumed && a.input_refs == b.input_refs &&
         a.output_refs == b.output_refs &&
         a.consumer_task_types == b.consumer_task_types &&
         a.producer_task_types == b.producer_task_types;
}

}  // namespace

std::vector<TensorCoverage> CoverageOf(const RankContext& rank) {
  std::vector<TensorCoverage> rows;
  rows.reserve(rank.view.declaration_count());
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
                    usage.producer_types});
  }
  return rows;
}

std::vector<TensorCoverage> MergeCoverage(
    const std::vector<std::vector<TensorCoverage>>& ranks) {
  std::vector<TensorCoverage> merged;
  std::unordered_map<std::string, std::vector<std::size_t>> rows_of;
  for (const std::vector<TensorCoverage>& rows : ranks) {
    for (const TensorCoverage& row : rows) {
      std::vector<std::size_t>& known = rows_of[row.name];
      bool found = false;
      for (const std::size_t at : known) {
        if (!SameFacts(merged[at], row)) continue;
        merged[at].ranks.push_back(row.ranks.front());
        found = true;
        break;
      }
      if (!found) {
        known.push_back(merged.size());
        merged.push_back(row);
      }
    }
  }
  return merged;
}

}  // namespace graph_coverage
