// SPDX-License-Identifier: Apache-2.0
//
// The JSON output of a campaign; docs/mutation.md describes it.
#include <nlohmann/json.hpp>
#include <string>

#include "graph_coverage/campaign/campaign_result.h"
#include "graph_coverage/mutation/mutation.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

Json CountsJson(const OutcomeCounts& counts) {
  return {{"caught", counts.caught},
          {"survived", counts.survived},
          {"equivalent", counts.equivalent},
          {"oracle_gap", counts.oracle_gap},
          {"error", counts.error}};
}

Json ScoreJson(const Score& score) {
  return {{"caught", score.caught}, {"of", score.of}};
}

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

Json OperatorJson(const OperatorResult& op) {
  Json json = {{"operator", op.op}};
  if (const MutationOperator* info = FindMutationOperator(op.op)) {
    json["title"] = info->title;
    json["extent"] = ToString(info->extent);
  }
  json["places"] = op.places;
  json["chosen"] = op.chosen;
  json["counts"] = CountsJson(op.counts);
  json["without_shape_rules"] = ScoreJson(op.without_shape_rules);
  json["rules"] = Json(op.rules);
  json["alone"] = Json(op.alone);
  return json;
}

}  // namespace

std::string WriteCampaignJson(const CampaignResult& result) {
  Json json;
  json["schema_version"] = kSchemaVersion;
  json["gendir"] = result.gendir;
  json["errors"] = Json::array();
  for (const InputError& error : result.errors) {
    json["errors"].push_back(error.what());
  }
  json["seed"] = result.seed;
  json["off"] = result.off;
  json["baseline"] = {{"verdict", ToString(result.baseline.verdict)},
                      {"errors", result.baseline.errors},
                      {"warnings", result.baseline.warnings},
                      {"notes", result.baseline.notes},
                      {"findings", result.baseline.findings}};
  json["counts"] = CountsJson(result.counts());
  json["scores"] = {
      {"all_rules", ScoreJson(result.all_rules())},
      {"without_shape_rules", ScoreJson(result.without_shape_rules())},
      {"whole", ScoreJson(result.whole())}};
  json["by_operator"] = Json::array();
  for (const OperatorResult& op : result.operators) {
    json["by_operator"].push_back(OperatorJson(op));
  }
  json["survivors"] = MutantsJson(result, Outcome::kSurvived);
  json["equivalent"] = MutantsJson(result, Outcome::kEquivalent);
  json["oracle_gaps"] = MutantsJson(result, Outcome::kOracleGap);
  json["failed"] = MutantsJson(result, Outcome::kError);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace graph_coverage
