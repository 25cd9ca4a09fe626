// SPDX-License-Identifier: Apache-2.0
//
// The JSON output of a campaign; docs/mutation.md describes it.
#include <nlohmann/json.hpp>
#include <string>

#include "audit/artifacts/utf8.h"
#include "generators/campaign/json_parts.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

Json MutantJson(const CampaignResult& result, const Mutant& mutant) {
  Json json = {{"id", mutant.id}, {"outcome", ToString(mutant.outcome)}};
  if (!mutant.rules.empty()) json["rules"] = mutant.rules;
  if (!mutant.reason.empty()) json["reason"] = mutant.reason;
  json["before"] = mutant.before;
  json["after"] = mutant.after;
  json["replay"] = ReplayCommand(result, mutant);
  return json;
}

// The listed mutants of one outcome, over all operators.
Json MutantsJson(const CampaignResult& result, Outcome outcome) {
  Json list = Json::array();
  for (const OperatorResult& op : result.operators) {
    for (const Mutant& mutant : op.mutants) {
      if (mutant.outcome == outcome) {
        list.push_back(MutantJson(result, mutant));
      }
    }
  }
  return list;
}

}  // namespace

std::string WriteCampaignJson(const CampaignResult& result) {
  Json json = {{"schema_version", kSchemaVersion}};
  json.update(CampaignSummaryJson(result));
  json["by_operator"] = Json::array();
  for (const OperatorResult& op : result.operators) {
    json["by_operator"].push_back(CampaignOperatorJson(op));
  }
  json["survivors"] = MutantsJson(result, Outcome::kSurvived);
  json["equivalent"] = MutantsJson(result, Outcome::kEquivalent);
  json["oracle_gaps"] = MutantsJson(result, Outcome::kOracleGap);
  json["failed"] = MutantsJson(result, Outcome::kError);
  return PrintableJson(
             json.dump(2, ' ', false, Json::error_handler_t::replace)) +
         "\n";
}

}  // namespace graph_coverage
