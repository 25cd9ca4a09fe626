// SPDX-License-Identifier: Apache-2.0
//
// Holds the findings of a mutant against those of the gendir as it is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "generators/campaign/edit.h"
#include "graph_coverage/report.h"

namespace graph_coverage {

class NewFindings {
 public:
  explicit NewFindings(const Report& baseline);

  // The findings of severity warning and error, consequences among them, that
  // the baseline lacks and that name an edit. One is the baseline's if that
  // has the rule accuse the same subject at the same tasks and layers, at no
  // fewer places. `edits` are those of the report's ranks, in their order.
  std::vector<Finding> In(const Report& mutant,
                          const std::vector<Edit>& edits) const;

 private:
  // Rule, rank, tensor, task type, event, what was found of the event.
  using Subject = std::tuple<std::string, RankId, std::string, std::string,
                             std::optional<std::uint32_t>, std::string>;
  struct Known {
    std::vector<TaskRange> tasks;  // ascending, disjoint
    std::set<std::uint32_t> layers;
    std::uint64_t count = 0;
  };

  void Learn(const std::vector<Finding>& findings);
  bool IsNew(const Finding& finding, RankId rank, const Edit& edit) const;
  void Collect(const std::vector<Finding>& findings, const Report& mutant,
               const std::vector<Edit>& edits,
               std::vector<Finding>* found) const;

  std::map<Subject, Known> known_;
};

}  // namespace graph_coverage
