// SPDX-License-Identifier: Apache-2.0
#include "audit/report/rank_json.h"

namespace graph_coverage {

nlohmann::ordered_json RankJson(const RankSummary& rank) {
  return {
      {"rank", Index(rank.rank)},          {"kernel_file", rank.kernel_file},
      {"graph_file", rank.graph_file},     {"tasks", rank.tasks},
      {"operands", rank.operands},         {"events", rank.events},
      {"declarations", rank.declarations}, {"branches", rank.branches},
      {"type_binding", rank.type_binding}, {"remarks", rank.remarks}};
}

}  // namespace graph_coverage
