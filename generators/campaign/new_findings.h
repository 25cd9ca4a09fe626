// SPDX-License-Identifier: Apache-2.0
//
// Holds the findings of a mutant against those of the gendir as it is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "generators/campaign/edit.h"
#include "graph_coverage/report.h"

namespace graph_coverage {

class NewFindings {
 public:
  explicit NewFindings(const Report& baseline);

  // The findings of severity warning and error that the baseline lacks and that
  // name an edit; consequences without their root stand alone. The baseline has
  // one if there the rule accuses the same subject in no fewer places, or at
  // all of its tasks: races name a few tasks of many, others where an edit
  // changes their order. `edits` are those of the report's ranks, in their
  // order.
  std::vector<Finding> In(const Report& mutant,
                          const std::vector<Edit>& edits) const;

 private:
  // Rule, rank, tensor, task type, event, what was found of the event.
  using Subject = std::tuple<std::string, RankId, std::string, std::string,
                             std::optional<std::uint32_t>, std::string>;
  struct Known {
    std::vector<TaskRange> tasks;  // ascending, disjoint
    double count = 0;              // places, a member's share of a fold's
  };
  using Findings = std::map<Subject, Known>;

  // Adds all findings; names and tasks as the unchanged ranks have them, if
  // edits are given.
  static void Learn(const std::vector<Finding>& findings,
                    const std::map<RankId, const Edit*>& edits,
                    Findings* known);
  bool IsNew(const Finding& finding, RankId rank, const Edit& edit,
             const Findings& mutant) const;
  void Collect(const std::vector<Finding>& findings, const Findings& mutant,
               const std::map<RankId, const Edit*>& edits,
               std::vector<Finding>* found) const;

  Findings known_;
};

}  // namespace graph_coverage
