// SPDX-License-Identifier: Apache-2.0
//
// The page of a campaign: the data that campaign.js draws.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "audit/report/html/page.h"
#include "generators/campaign/html/campaign_script.h"
#include "generators/campaign/json_parts.h"
#include "graph_coverage/campaign/campaign_result.h"
#include "graph_coverage/catalogue.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

// Mutants of one operator and outcome that the page lists at most.
constexpr std::uint64_t kMostMutants = 200;

// The rules that caught anything, in the order of the catalogue.
Json RulesData(const CampaignResult& result) {
  Json rules = Json::array();
  for (const RuleInfo& rule : Catalogue()) {
    const std::string id(rule.id);
    if (std::any_of(result.operators.begin(), result.operators.end(),
                    [&id](const OperatorResult& op) {
                      return op.rules.count(id) > 0;
                    })) {
      rules.push_back(id);
    }
  }
  return rules;
}

Json MutantData(const CampaignResult& result, const OperatorResult& op,
                const Mutant& mutant) {
  return {{"id", mutant.id},
          {"operator", op.op},
          {"outcome", ToString(mutant.outcome)},
          {"rules", mutant.rules},
          {"reason", mutant.reason},
          {"before", mutant.before},
          {"after", mutant.after},
          {"replay", ReplayCommand(result, mutant)}};
}

// Adds the operator's mutants to the list and says how many it leaves out.
Json OperatorData(const CampaignResult& result, const OperatorResult& op,
                  Json* mutants) {
  std::map<std::string, std::uint64_t> seen;
  Json left_out = Json::object();
  for (const Mutant& mutant : op.mutants) {
    const std::string outcome = ToString(mutant.outcome);
    const std::uint64_t before = seen[outcome]++;
    if (before < kMostMutants) {
      mutants->push_back(MutantData(result, op, mutant));
    } else {
      left_out[outcome] = before + 1 - kMostMutants;
    }
  }
  Json json = CampaignOperatorJson(op);
  json["left_out"] = std::move(left_out);
  return json;
}

}  // namespace

std::string WriteCampaignHtml(const CampaignResult& result) {
  Json json = CampaignSummaryJson(result);
  json["passed"] = result.passed();
  json["rules"] = RulesData(result);
  Json mutants = Json::array();
  json["operators"] = Json::array();
  for (const OperatorResult& op : result.operators) {
    json["operators"].push_back(OperatorData(result, op, &mutants));
  }
  json["mutants"] = std::move(mutants);
  return MakePage("Mutants", kCampaignScript, json);
}

}  // namespace graph_coverage
