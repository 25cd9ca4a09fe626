// SPDX-License-Identifier: Apache-2.0
#include "audit/report/html/report_data.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "audit/parallel.h"
#include "audit/report/html/example_tasks.h"
#include "audit/report/html/tensor_uses.h"
#include "audit/report/rank_json.h"
#include "graph_coverage/catalogue.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

// What the page shows at most, of each finding and of all.
constexpr std::size_t kShownPlaces = 20;
constexpr std::size_t kShownStretches = 20;
constexpr std::size_t kShownFindings = 500;
constexpr std::size_t kShownConsequences = 50;

// Values that stand once, in the order of first sight.
template <typename Key>
class Interned {
 public:
  std::size_t operator()(const Key& key) {
    const auto [at, added] = position_.emplace(key, position_.size());
    if (added) all_.push_back(key);
    return at->second;
  }
  const std::vector<Key>& all() const { return all_; }

 private:
  std::map<Key, std::size_t> position_;
  std::vector<Key> all_;
};

// A list's first few, and how many more there are: [[…], 17].
template <typename Items>
Json Some(const Items& first, std::uint64_t count) {
  return Json::array({first, count - first.size()});
}

class ReportDataMaker {
 public:
  ReportDataMaker(const Report& report, const std::vector<View>& views,
                  std::map<std::string, std::string> drawings)
      : report_(report),
        views_(views),
        drawings_(std::move(drawings)),
        uses_(views.size()) {
    for (const View& view : views_) examples_.emplace_back(view);
    InParallel(views_.size(), 0,
               [this](std::size_t i) { uses_[i] = UsesOf(views_[i]); });
    NameLayers();
    NumberTensors();
  }

  Json Make() {
    Json json;
    json["gendir"] = report_.gendir;
    json["verdict"] = ToString(report_.verdict);
    json["fail_on"] = ToString(report_.fail_on);
    json["errors"] = Json::array();
    for (const InputError& error : report_.errors) {
      json["errors"].push_back(error.what());
    }
    json["counts"] = {{"error", report_.Count(Severity::kError)},
                      {"warning", report_.Count(Severity::kWarning)},
                      {"note", report_.Count(Severity::kNote)},
                      {"waived", report_.waived.size()}};
    json["ranks"] = Json::array();
    for (const RankSummary& rank : report_.ranks) {
      json["ranks"].push_back(RankJson(rank));
    }
    json["layers"] = layers_;
    json["tensors"] = Json::array();
    for (const std::string& name : names_) {
      json["tensors"].push_back(TensorJson(name));
    }
    AddFindings(&json);
    json["rules"] = Json::array();
    for (const RuleOutcome& outcome : report_.rules) {
      json["rules"].push_back(RuleJson(outcome));
    }
    // Last: what the others have referred to.
    json["families"] = families_.all();
    json["rank_sets"] = rank_sets_.all();
    json["kinds"] = Json::array();
    for (const auto& [type, variant, lines] : kinds_.all()) {
      json["kinds"].push_back({type, variant, lines});
    }
    return json;
  }

 private:
  using RankSet = std::vector<std::uint32_t>;
  // Type, variant, lines of the branches.
  using KindKey =
      std::tuple<std::string, std::uint32_t, std::vector<std::uint32_t>>;

  // The report's layers, which have several weights of their own; in a smaller
  // model, those that tensors are named after.
  void NameLayers() {
    const auto add = [this](const std::string& layer) {
      if (columns_.emplace(layer, layers_.size()).second) {
        layers_.push_back(layer);
      }
    };
    for (const std::string& layer : report_.layers) add(layer);
    if (!layers_.empty()) return;
    for (const std::vector<TensorUses>& tensors : uses_) {
      for (const TensorUses& tensor : tensors) {
        if (tensor.own_layer) add(*tensor.own_layer);
      }
    }
  }

  void NumberTensors() {
    for (const TensorCoverage& row : report_.tensors) {
      if (rows_of_[row.name].empty()) {
        number_of_.emplace(row.name, names_.size());
        names_.push_back(row.name);
      }
      rows_of_[row.name].push_back(&row);
    }
    for (std::size_t i = 0; i < views_.size(); ++i) {
      for (std::size_t d = 0; d < uses_[i].size(); ++d) {
        const std::string& name = views_[i].declaration_at(d).name;
        uses_of_[name].emplace_back(views_[i].rank(), &uses_[i][d]);
      }
    }
  }

  std::size_t RanksJson(const std::vector<RankId>& ranks) {
    RankSet set;
    for (const RankId rank : ranks) {
      set.push_back(static_cast<std::uint32_t>(rank));
    }
    return rank_sets_(set);
  }

  // Groups the ranks by equal values: [[ranks, value], …].
  template <typename Value, typename Write>
  Json ByRanks(const std::vector<std::pair<RankId, Value>>& values,
               const Write& write) {
    std::vector<std::pair<Value, std::vector<RankId>>> groups;
    for (const auto& [rank, value] : values) {
      const auto at = std::find_if(
          groups.begin(), groups.end(),
          [&value = value](const auto& group) { return group.first == value; });
      if (at == groups.end()) {
        groups.push_back({value, {rank}});
      } else {
        at->second.push_back(rank);
      }
    }
    Json json = Json::array();
    for (const auto& [value, ranks] : groups) {
      json.push_back({RanksJson(ranks), write(value)});
    }
    return json;
  }

  Json TensorJson(const std::string& name) {
    const std::vector<const TensorCoverage*>& rows = rows_of_[name];
    Json json = {{"name", name}, {"family", families_(rows.front()->family)}};
    json["rows"] = Json::array();
    for (const TensorCoverage* row : rows) {
      json["rows"].push_back({{"ranks", RanksJson(row->ranks)},
                              {"kind", ToString(row->kind)},
                              {"critical", row->critical},
                              {"consumed", row->consumed},
                              {"reads", row->input_refs},
                              {"writes", row->output_refs}});
    }
    std::vector<std::pair<RankId, std::uint32_t>> lines;
    // By column; -1 stands for the tasks of no layer that is a column.
    std::map<int, std::vector<std::pair<RankId, std::vector<Use>>>> cells;
    for (const auto& [rank, uses] : uses_of_[name]) {
      lines.emplace_back(rank, uses->line);
      if (const int own = ColumnOf(uses->own_layer); own >= 0) {
        json["column"] = own;
        cells[own];
      }
      for (const LayerUses& layer : uses->layers) {
        auto& cell = cells[ColumnOf(layer.layer)];
        if (cell.empty() || cell.back().first != rank) {
          cell.emplace_back(rank, layer.uses);
        } else {
          cell.back().second.insert(cell.back().second.end(),
                                    layer.uses.begin(), layer.uses.end());
        }
      }
    }
    json["lines"] = ByRanks(lines, [](std::uint32_t line) { return line; });
    json["cells"] = Json::array();
    for (const auto& [column, values] : cells) {
      json["cells"].push_back(
          {column, ByRanks(values, [this](const std::vector<Use>& uses) {
             Json list = Json::array();
             for (const Use& use : uses) list.push_back(UseJson(use));
             return list;
           })});
    }
    return json;
  }

  int ColumnOf(const std::optional<std::string>& layer) const {
    const auto at = layer ? columns_.find(*layer) : columns_.end();
    return at == columns_.end() ? -1 : static_cast<int>(at->second);
  }

  // [kind, slot, output, count, tasks, waits, triggers].
  Json UseJson(const Use& use) {
    return Json::array({kinds_({use.type, use.variant, use.lines}), use.slot,
                        use.output ? 1 : 0, use.count,
                        Some(use.tasks.first, use.tasks.count),
                        Some(use.waits.first, use.waits.count),
                        Some(use.triggers.first, use.triggers.count)});
  }

  void AddFindings(Json* json) {
    const std::size_t shown = std::min(report_.findings.size(), kShownFindings);
    Json& findings = (*json)["findings"] = Json::array();
    for (std::size_t i = 0; i < shown; ++i) {
      findings.push_back(FindingJson(report_.findings[i]));
    }
    (*json)["findings_left_out"] = report_.findings.size() - shown;
    const std::size_t waived = std::min(report_.waived.size(), kShownFindings);
    Json& list = (*json)["waived"] = Json::array();
    for (std::size_t i = 0; i < waived; ++i) {
      list.push_back(
          {FindingJson(report_.waived[i].finding), report_.waived[i].reason});
    }
    (*json)["waived_left_out"] = report_.waived.size() - waived;
  }

  Json FindingJson(const Finding& finding) {
    Json json = {{"id", finding.id},
                 {"rule", finding.rule},
                 {"severity", ToString(finding.severity)},
                 {"ranks", RanksJson(finding.ranks)},
                 {"tensor", finding.tensor},
                 {"task_type", finding.task_type}};
    if (finding.event) json["event"] = *finding.event;
    json["count"] = finding.count;
    // A declared tensor by its number, another by its name.
    json["members"] = Json::array();
    for (const std::string& member : finding.members) {
      const auto at = number_of_.find(member);
      at == number_of_.end() ? json["members"].push_back(member)
                             : json["members"].push_back(at->second);
    }
    json["layers"] = finding.layers;
    json["found"] = finding.found;
    json["expected"] = finding.expected;
    json["siblings"] = finding.siblings;
    json["advice"] = finding.advice;
    Json places = Json::array();
    for (const Place& place : finding.places) {
      if (places.size() == kShownPlaces) break;
      places.push_back({place.file, place.line});
    }
    json["places"] = Some(places, finding.places.size());
    Json tasks = Json::array();
    for (const TaskRange& range : finding.tasks) {
      if (tasks.size() == kShownStretches) break;
      tasks.push_back({Index(range.first), Index(range.last)});
    }
    json["tasks"] = Some(tasks, finding.tasks.size());
    json["examples"] = ExamplesJson(finding);
    if (const auto at = drawings_.find(finding.id); at != drawings_.end()) {
      json["drawing"] = at->second;
    }
    Json consequences = Json::array();
    for (const Finding& consequence : finding.consequences) {
      if (consequences.size() == kShownConsequences) break;
      consequences.push_back(FindingJson(consequence));
    }
    json["consequences"] = Some(consequences, finding.consequences.size());
    return json;
  }

  Json ExamplesJson(const Finding& finding) const {
    Json json = Json::array();
    for (std::size_t i = 0; i < views_.size(); ++i) {
      if (finding.ranks.empty() || views_[i].rank() != finding.ranks.front()) {
        continue;
      }
      for (const ExampleTask& example : examples_[i].Of(finding)) {
        json.push_back({{"task", example.task},
                        {"type", example.type},
                        {"variant", example.variant},
                        {"line", example.line},
                        {"inputs", example.inputs},
                        {"outputs", example.outputs},
                        {"waits", EventJson(example.waits)},
                        {"triggers", EventJson(example.triggers)}});
      }
    }
    return json;
  }

  static Json EventJson(const std::optional<EventFacts>& event) {
    if (!event) return nullptr;
    return {{"index", event->index},
            {"num_triggers", event->num_triggers},
            {"triggered_by", event->triggered_by},
            {"waited_by", event->waited_by}};
  }

  static Json RuleJson(const RuleOutcome& outcome) {
    Json json = {{"id", outcome.rule},
                 {"judged", outcome.judged},
                 {"could_not_judge", Json::array()}};
    for (const auto& [reason, count] : outcome.could_not_judge) {
      json["could_not_judge"].push_back({reason, count});
    }
    if (const RuleInfo* rule = FindRule(outcome.rule)) {
      json["group"] = std::string(1, rule->group);
      json["title"] = rule->title;
      json["severity"] = ToString(rule->severity);
      json["judges"] = rule->judges;
      json["why"] = rule->why;
      json["mend"] = rule->mend;
      json["waive"] = rule->waive;
    }
    return json;
  }

  const Report& report_;
  const std::vector<View>& views_;
  const std::map<std::string, std::string> drawings_;        // by finding
  std::vector<ExampleTasks> examples_;                       // by view
  std::vector<std::vector<TensorUses>> uses_;                // by view
  std::vector<std::string> layers_;                          // the columns
  std::map<std::string, std::size_t, std::less<>> columns_;  // by layer
  std::vector<std::string> names_;  // of tensors, once each
  std::map<std::string, std::size_t> number_of_;
  std::map<std::string, std::vector<const TensorCoverage*>> rows_of_;
  std::map<std::string, std::vector<std::pair<RankId, const TensorUses*>>>
      uses_of_;
  Interned<std::string> families_;
  Interned<RankSet> rank_sets_;
  Interned<KindKey> kinds_;
};

}  // namespace

Json ReportData(const Report& report, const std::vector<View>& views,
                std::map<std::string, std::string> drawings) {
  return ReportDataMaker(report, views, std::move(drawings)).Make();
}

}  // namespace graph_coverage
