// SPDX-License-Identifier: Apache-2.0
//
// The audit as SARIF 2.1.0, for code scanning sites. The limits are those that
// GitHub documents; more than what it shows is not written.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "audit/artifacts/utf8.h"
#include "audit/model/one_line.h"
#include "audit/report/finding_text.h"
#include "audit/report/sarif_rules.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/write.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostResults = 5000;
constexpr std::size_t kMostLocations = 100;          // of one result
constexpr std::size_t kMostResultBytes = 8'000'000;  // of all; GitHub: 10 MB
constexpr std::size_t kMostMessageBytes = 4000;
constexpr const char* kRootBase = "%SRCROOT%";
constexpr const char* kGendirBase = "GENDIR";

// The path in a URI: all but letters, digits, -._~ and / is percent-encoded.
std::string UriPath(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string::npos;
    uri += plain ? std::string(1, c)
                 : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

// Text as a message shows it: on one line, not too long, and nothing in it
// taken for a placeholder ("{0}") or a link ("[…](…)").
std::string MessageText(const std::string& text) {
  std::string shown;
  const std::string printable = Printable(text);
  const bool links = printable.find("](") != std::string::npos;
  for (std::size_t i = 0; i < printable.size(); ++i) {
    const char c = printable[i];
    const std::size_t end = printable.find_first_not_of("0123456789", i + 1);
    const bool placeholder = c == '{' && end != std::string::npos &&
                             end > i + 1 && printable[end] == '}';
    if (links && (c == '[' || c == ']')) shown += '\\';
    if (!placeholder) {
      shown += c;
      continue;
    }
    shown += "{" + printable.substr(i, end - i) + "}}";
    i = end;
  }
  if (shown.size() <= kMostMessageBytes) return shown;
  std::size_t cut = kMostMessageBytes;
  while (Utf8Length(std::string_view(shown).substr(cut)) == 0) --cut;
  const std::size_t left_out = shown.size() - cut;
  shown.resize(cut);
  return shown + fmt::format("… ({} more bytes)", left_out);
}

class RunWriter {
 public:
  RunWriter(const Report& report, const SarifOptions& options)
      : report_(report), options_(options) {
    for (const TensorCoverage& tensor : report.tensors) {
      tensors_[tensor.name].push_back(&tensor);
    }
    for (std::size_t i = 0; i < Catalogue().size(); ++i) {
      rule_index_[Catalogue()[i].id] = i;
    }
  }

  Json Write(bool one_of_several) {
    Json results = Results();
    Json run;
    run["tool"]["driver"] = {{"name", "mk-graph-coverage-audit"},
                             {"informationUri", GRAPH_COVERAGE_HOME},
                             {"semanticVersion", GRAPH_COVERAGE_VERSION},
                             {"rules", SarifRules()}};
    if (one_of_several) {
      run["automationDetails"]["id"] =
          Printable(report_.gendir) + "/mk-graph-coverage-audit";
    }
    for (const InputError& error : report_.errors) {
      Json notification = Notification("error", error.what());
      if (!error.place().file.empty()) {
        notification["locations"] = {
            {{"physicalLocation", Physical(error.place())}}};
      }
      notifications_.push_back(std::move(notification));
    }
    run["invocations"] = Json::array();
    run["invocations"].push_back(
        {{"executionSuccessful", report_.verdict != Verdict::kInvalid},
         {"toolExecutionNotifications", notifications_}});
    run["originalUriBaseIds"][kRootBase]["description"]["text"] =
        "The folder that the audit ran in.";
    if (outside_) {
      run["originalUriBaseIds"][kGendirBase]["uri"] =
          "file://" + UriPath(GendirPath().string()) + "/";
    }
    run["results"] = std::move(results);
    run["properties"] = {{"gendir", Printable(report_.gendir)},
                         {"verdict", ToString(report_.verdict)}};
    return run;
  }

 private:
  static Json Notification(const char* level, const std::string& text) {
    return {{"level", level}, {"message", {{"text", MessageText(text)}}}};
  }

  Json Results() {
    Json results = Json::array();
    std::size_t bytes = 0;
    std::size_t left_out = 0;
    const auto add = [&](const Finding& finding, const std::string* reason) {
      if (left_out == 0 && results.size() < kMostResults) {
        Json result = Result(finding, reason);
        bytes +=
            result.dump(2, ' ', false, Json::error_handler_t::replace).size();
        if (bytes <= kMostResultBytes) {
          results.push_back(std::move(result));
          return;
        }
      }
      ++left_out;
    };
    for (const Finding& finding : report_.findings) add(finding, nullptr);
    if (options_.waived) {
      for (const WaivedFinding& waived : report_.waived) {
        add(waived.finding, &waived.reason);
      }
    }
    if (left_out > 0) {
      notifications_.push_back(Notification(
          "warning",
          fmt::format("{} of {} findings are left out: code scanning shows "
                      "{} results of a file below 10 MB.",
                      left_out, left_out + results.size(), kMostResults)));
    }
    return results;
  }

  // `reason`: why it is waived; null where it is not.
  Json Result(const Finding& finding, const std::string* reason) {
    std::string text = finding.message();
    if (!finding.consequences.empty()) {
      text += fmt::format(" Mend this and {} more {} gone.",
                          Counted(finding.consequences.size(), "finding"),
                          finding.consequences.size() == 1 ? "is" : "are");
    }
    Json result = {{"ruleId", finding.rule},
                   {"ruleIndex", rule_index_.at(finding.rule)},
                   {"level", ToString(finding.severity)},
                   {"message", {{"text", MessageText(text)}}},
                   {"locations", Locations(finding)}};
    Json related = Related(finding);
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    // The second is what GitHub goes by.
    result["partialFingerprints"] = {{"findingId/v1", finding.id},
                                     {"primaryLocationLineHash", finding.id}};
    if (options_.waived) {
      result["suppressions"] = Json::array();
      if (reason != nullptr) {
        result["suppressions"].push_back(
            {{"kind", "external"},
             {"status", "accepted"},
             {"justification", Printable(*reason)}});
      }
    }
    result["properties"] = Properties(finding);
    return result;
  }

  Json Locations(const Finding& finding) {
    Json locations = Json::array();
    for (const Place& place : finding.places) {
      if (locations.size() == kMostLocations) break;
      locations.push_back({{"physicalLocation", Physical(place)}});
    }
    if (locations.empty()) {
      locations.push_back({{"physicalLocation", Physical(KernelOf(finding))}});
    }
    if (locations.size() < finding.places.size()) {
      notifications_.push_back(Notification(
          "note",
          fmt::format("Of finding {}, {} of {} locations are given.",
                      finding.id, locations.size(), finding.places.size())));
    }
    locations[0]["logicalLocations"] = LogicalLocations(finding);
    if (locations[0]["logicalLocations"].empty()) {
      locations[0].erase("logicalLocations");
    }
    return locations;
  }

  static Json LogicalLocations(const Finding& finding) {
    Json logical = Json::array();
    const auto add = [&logical](const std::string& name, const char* kind) {
      if (logical.size() == kMostLocations) return;
      logical.push_back({{"name", Printable(name)}, {"kind", kind}});
    };
    for (const std::string& member : finding.members) add(member, "tensor");
    if (!finding.task_type.empty()) add(finding.task_type, "taskType");
    if (finding.event) add(fmt::format("event {}", *finding.event), "event");
    return logical;
  }

  // The declarations of its tensors, and what follows from it.
  Json Related(const Finding& finding) {
    Json related = Json::array();
    const auto add = [&](const Place& place, const std::string& text) {
      if (related.size() == kMostLocations) return;
      related.push_back({{"id", related.size() + 1},
                         {"physicalLocation", Physical(place)},
                         {"message", {{"text", MessageText(text)}}}});
    };
    std::set<std::pair<std::string_view, std::uint64_t>> known;
    for (const Place& place : finding.places) {
      known.emplace(place.file, place.line);
    }
    for (const std::string& member : finding.members) {
      const Place place = DeclarationOf(member, finding.ranks);
      if (place.line > 0 && known.count({place.file, place.line}) == 0) {
        add(place, member + " is declared here.");
      }
    }
    for (const Finding& consequence : finding.consequences) {
      add(consequence.places.empty() ? KernelOf(consequence)
                                     : consequence.places.front(),
          fmt::format("Follows from it, {}: {}", consequence.rule,
                      consequence.message()));
    }
    return related;
  }

  static Json Properties(const Finding& finding) {
    Json properties = {{"id", finding.id}, {"count", finding.count}};
    properties["ranks"] = Json::array();
    for (const RankId rank : finding.ranks) {
      properties["ranks"].push_back(Index(rank));
    }
    if (!finding.layers.empty()) properties["layers"] = finding.layers;
    if (!finding.tasks.empty()) {
      properties["tasks"] = TasksText(finding.tasks, kMostLocations);
    }
    return properties;
  }

  // A line is needed to be shown at all: a file as a whole is its first.
  Json Physical(const Place& place) {
    return {
        {"artifactLocation", Artifact(place.file)},
        {"region", {{"startLine", std::max<std::uint64_t>(place.line, 1)}}}};
  }

  // Named from the root where it lies beneath that, else from the gendir.
  Json Artifact(const std::string& file) {
    namespace fs = std::filesystem;
    const fs::path path = (fs::path(options_.root) / file).lexically_normal();
    const auto from = [&path](const fs::path& base) {
      const fs::path name = base.empty() ? path : path.lexically_relative(base);
      const bool beneath =
          !name.empty() && name.is_relative() && *name.begin() != "..";
      return beneath ? UriPath(name.generic_string()) : std::string();
    };
    if (std::string uri = from(options_.root); !uri.empty()) {
      return {{"uri", std::move(uri)}, {"uriBaseId", kRootBase}};
    }
    if (std::string uri = from(GendirPath()); !uri.empty()) {
      outside_ = true;
      return {{"uri", std::move(uri)}, {"uriBaseId", kGendirBase}};
    }
    return {{"uri", (path.is_absolute() ? "file://" : "") +
                        UriPath(path.generic_string())}};
  }

  std::filesystem::path GendirPath() const {
    return (std::filesystem::path(options_.root) / report_.gendir)
        .lexically_normal();
  }

  // The kernel source of the first rank that the finding is about.
  Place KernelOf(const Finding& finding) const {
    Place place{report_.gendir, 0, 0, 0};
    for (const RankSummary& rank : report_.ranks) {
      const bool its = std::find(finding.ranks.begin(), finding.ranks.end(),
                                 rank.rank) != finding.ranks.end();
      if (its || place.file == report_.gendir) place.file = rank.kernel_file;
      if (its) break;
    }
    return place;
  }

  // Line 0 where it is not declared there.
  Place DeclarationOf(const std::string& tensor,
                      const std::vector<RankId>& ranks) const {
    const auto rows = tensors_.find(tensor);
    if (rows == tensors_.end() || ranks.empty()) return {};
    for (const TensorCoverage* row : rows->second) {
      if (std::find(row->ranks.begin(), row->ranks.end(), ranks.front()) ==
          row->ranks.end()) {
        continue;
      }
      Finding first;
      first.ranks = {row->ranks.front()};
      return {KernelOf(first).file, row->line, 0, 0};
    }
    return {};
  }

  const Report& report_;
  const SarifOptions& options_;
  std::unordered_map<std::string, std::vector<const TensorCoverage*>> tensors_;
  std::unordered_map<std::string_view, std::size_t> rule_index_;
  Json notifications_ = Json::array();
  bool outside_ = false;  // a file lies outside the root
};

}  // namespace

std::string WriteSarif(const std::vector<Report>& reports,
                       const SarifOptions& options) {
  Json log;
  log["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  log["version"] = "2.1.0";
  log["runs"] = Json::array();
  for (const Report& report : reports) {
    log["runs"].push_back(RunWriter(report, options).Write(reports.size() > 1));
  }
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace graph_coverage
