// SPDX-License-Identifier: Apache-2.0
#include "generators/campaign/json_parts.h"

#include "graph_coverage/mutation/mutation.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

nlohmann::ordered_json CampaignSummaryJson(const CampaignResult& result) {
  Json json;
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
  return json;
}

nlohmann::ordered_json CampaignOperatorJson(const OperatorResult& op) {
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

}  // namespace graph_coverage
