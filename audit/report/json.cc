// SPDX-License-Identifier: Apache-2.0
//
// The JSON output: docs/report.schema.json is its description.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "audit/artifacts/utf8.h"
#include "audit/report/rank_json.h"
#include "graph_coverage/write.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

// A report that could not judge fails: see its errors.
const char* VerdictText(Verdict verdict) {
  return ToString(verdict == Verdict::kPass ? Verdict::kPass : Verdict::kFail);
}

Json RankIds(const std::vector<RankId>& ranks) {
  Json list = Json::array();
  for (const RankId rank : ranks) list.push_back(Index(rank));
  return list;
}

Json PlaceJson(const Place& place) {
  Json json = {{"file", place.file}};
  if (place.line != 0) {
    json["line"] = place.line;
    if (place.column != 0) {
      json["column"] = place.column;
      json["byte"] = place.byte;
    }
  }
  return json;
}

Json FindingJson(const Finding& finding) {
  Json json;
  json["id"] = finding.id;
  json["rule"] = finding.rule;
  json["severity"] = ToString(finding.severity);
  json["ranks"] = RankIds(finding.ranks);
  if (!finding.tensor.empty()) json["tensor"] = finding.tensor;
  if (!finding.task_type.empty()) json["task_type"] = finding.task_type;
  if (finding.event) json["event"] = *finding.event;
  json["count"] = finding.count;
  json["members"] = finding.members;
  json["layers"] = finding.layers;
  json["message"] = finding.message();
  json["found"] = finding.found;
  if (!finding.expected.empty()) json["expected"] = finding.expected;
  if (!finding.siblings.empty()) json["siblings"] = finding.siblings;
  if (!finding.advice.empty()) json["advice"] = finding.advice;
  json["places"] = Json::array();
  for (const Place& place : finding.places) {
    json["places"].push_back(PlaceJson(place));
  }
  json["tasks"] = Json::array();
  for (const TaskRange& range : finding.tasks) {
    json["tasks"].push_back(
        {{"first", Index(range.first)}, {"last", Index(range.last)}});
  }
  json["consequences"] = Json::array();
  for (const Finding& consequence : finding.consequences) {
    json["consequences"].push_back(FindingJson(consequence));
  }
  return json;
}

Json TotalsJson(const Report& report) {
  RankSummary sum;
  for (const RankSummary& rank : report.ranks) {
    sum.tasks += rank.tasks;
    sum.operands += rank.operands;
    sum.events += rank.events;
    sum.declarations += rank.declarations;
    sum.branches += rank.branches;
  }
  return {{"ranks", report.ranks.size()},
          {"tasks", sum.tasks},
          {"operands", sum.operands},
          {"events", sum.events},
          {"declarations", sum.declarations},
          {"branches", sum.branches},
          {"errors", report.Count(Severity::kError)},
          {"warnings", report.Count(Severity::kWarning)},
          {"notes", report.Count(Severity::kNote)},
          {"waived", report.waived.size()}};
}

Json TensorJson(const TensorCoverage& tensor) {
  Json by_layer = Json::object();
  for (const LayerReads& reads : tensor.reads_by_layer) {
    by_layer[reads.layer] = reads.input_refs;
  }
  return {{"name", tensor.name},
          {"family", tensor.family},
          {"kind", ToString(tensor.kind)},
          {"critical", tensor.critical},
          {"consumed", tensor.consumed},
          {"ranks", RankIds(tensor.ranks)},
          {"input_refs", tensor.input_refs},
          {"output_refs", tensor.output_refs},
          {"consumer_task_types", tensor.consumer_task_types},
          {"producer_task_types", tensor.producer_task_types},
          {"reads_by_layer", std::move(by_layer)}};
}

Json OutcomeJson(const RuleOutcome& outcome) {
  Json reasons = Json::array();
  for (const auto& [reason, count] : outcome.could_not_judge) {
    reasons.push_back({{"reason", reason}, {"count", count}});
  }
  return {{"id", outcome.rule},
          {"judged", outcome.judged},
          {"could_not_judge", std::move(reasons)}};
}

Json ErrorJson(const InputError& error) {
  Json json = PlaceJson(error.place());
  json["message"] = error.what();
  return json;
}

Json PolicyJson(const PolicySummary& policy) {
  Json json = {{"file", nullptr},
               {"off", policy.off},
               {"waivers", policy.waivers},
               {"layer_kinds", policy.layer_kinds},
               {"contract", nullptr}};
  if (!policy.file.empty()) json["file"] = policy.file;
  if (!policy.contract.empty()) json["contract"] = policy.contract;
  return json;
}

Json WaivedJson(const WaivedFinding& waived) {
  Json json = {{"finding", FindingJson(waived.finding)},
               {"reason", waived.reason}};
  if (!waived.expires.empty()) json["expires"] = waived.expires;
  return json;
}

Json ReportJson(const Report& report) {
  Json json;
  json["schema_version"] = kSchemaVersion;
  json["verdict"] = VerdictText(report.verdict);
  json["fail_on"] = ToString(report.fail_on);
  json["errors"] = Json::array();
  for (const InputError& error : report.errors) {
    json["errors"].push_back(ErrorJson(error));
  }
  json["gendir"] = report.gendir;
  json["policy"] = PolicyJson(report.policy);
  json["ranks"] = Json::array();
  for (const RankSummary& rank : report.ranks) {
    json["ranks"].push_back(RankJson(rank));
  }
  json["totals"] = TotalsJson(report);
  json["task_types"] = Json::object();
  for (const auto& [number, name] : report.type_names) {
    json["task_types"][std::to_string(number)] = name;
  }
  json["tensors"] = Json::array();
  for (const TensorCoverage& tensor : report.tensors) {
    json["tensors"].push_back(TensorJson(tensor));
  }
  json["rules"] = Json::array();
  for (const RuleOutcome& outcome : report.rules) {
    json["rules"].push_back(OutcomeJson(outcome));
  }
  json["findings"] = Json::array();
  for (const Finding& finding : report.findings) {
    json["findings"].push_back(FindingJson(finding));
  }
  json["waived"] = Json::array();
  for (const WaivedFinding& waived : report.waived) {
    json["waived"].push_back(WaivedJson(waived));
  }
  return json;
}

}  // namespace

std::string WriteJson(const std::vector<Report>& reports) {
  Json json;
  if (reports.size() == 1) {
    json = ReportJson(reports.front());
  } else {
    bool pass = !reports.empty();
    Json list = Json::array();
    for (const Report& report : reports) {
      pass = pass && report.verdict == Verdict::kPass;
      list.push_back(ReportJson(report));
    }
    json["schema_version"] = kSchemaVersion;
    json["verdict"] = VerdictText(pass ? Verdict::kPass : Verdict::kFail);
    json["reports"] = std::move(list);
  }
  // Names need not be valid UTF-8 in a kernel source; JSON must be.
  return PrintableJson(
             json.dump(2, ' ', false, Json::error_handler_t::replace)) +
         "\n";
}

}  // namespace graph_coverage
