// SPDX-License-Identifier: Apache-2.0
//
// The campaign in the report schema of mutation-testing-elements, version 1,
// for its viewers: https://github.com/stryker-mutator/mutation-testing-elements
//
// The schema shows mutants in source files. A task graph is no text to read, so
// each operator is a file here, a line a mutant: what it changed, as it was.
#include <nlohmann/json.hpp>
#include <string>

#include "audit/artifacts/utf8.h"
#include "generators/campaign/text.h"
#include "graph_coverage/campaign/campaign_result.h"
#include "graph_coverage/mutation/mutation.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

const char* StatusOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kCaught:
      return "Killed";
    case Outcome::kSurvived:
      return "Survived";
    case Outcome::kEquivalent:
      return "Ignored";
    // The schema knows no such thing: an error of the audit, not of the edit.
    case Outcome::kOracleGap:
    case Outcome::kError:
      return "RuntimeError";
  }
  return "Pending";
}

std::string ReasonOf(const Mutant& mutant) {
  std::string rules;
  for (const std::string& rule : mutant.rules) {
    rules += (rules.empty() ? "" : ", ") + rule;
  }
  if (mutant.outcome == Outcome::kOracleGap) {
    return "fires where nothing changed: " + rules;
  }
  return mutant.reason.empty() ? rules : mutant.reason;
}

}  // namespace

std::string WriteCampaignElements(const CampaignResult& result) {
  Json files = Json::object();
  for (const OperatorResult& op : result.operators) {
    if (op.mutants.empty()) continue;
    std::string source;
    Json mutants = Json::array();
    for (const Mutant& mutant : op.mutants) {
      const std::string line = Printable(mutant.before);
      const std::size_t number = mutants.size() + 1;
      Json json = {{"id", mutant.id},
                   {"mutatorName", op.op},
                   {"replacement", Printable(mutant.after)},
                   {"location",
                    {{"start", {{"line", number}, {"column", 1}}},
                     {"end", {{"line", number}, {"column", line.size() + 1}}}}},
                   {"status", StatusOf(mutant.outcome)},
                   {"description", ReplayCommand(result, mutant)}};
      const std::string reason = ReasonOf(mutant);
      if (!reason.empty()) json["statusReason"] = reason;
      mutants.push_back(std::move(json));
      source += line + "\n";
    }
    files[op.op] = {{"language", "plaintext"},
                    {"mutants", std::move(mutants)},
                    {"source", source}};
  }
  const Json json = {{"schemaVersion", "1"},
                     {"thresholds", {{"high", 98}, {"low", 80}}},
                     {"projectRoot", result.gendir},
                     {"files", std::move(files)}};
  return PrintableJson(
             json.dump(2, ' ', false, Json::error_handler_t::replace)) +
         "\n";
}

}  // namespace graph_coverage
