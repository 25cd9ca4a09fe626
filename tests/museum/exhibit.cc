// SPDX-License-Identifier: Apache-2.0
#include "tests/museum/exhibit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "graph_coverage/contract.h"
#include "graph_coverage/synthetic/write.h"

namespace graph_coverage::museum {
namespace {

void AppendLines(const Finding& finding, std::size_t ranks,
                 const std::string& indent, std::vector<std::string>* lines) {
  std::string line =
      fmt::format("{}{} {}", indent, ToString(finding.severity), finding.rule);
  for (const std::string& subject : {finding.tensor, finding.task_type}) {
    if (!subject.empty()) line += " " + subject;
  }
  if (finding.event) line += fmt::format(" event {}", *finding.event);
  if (!finding.layers.empty()) {
    line += fmt::format(" layers {}", fmt::join(finding.layers, ","));
  }
  if (!finding.ranks.empty() && finding.ranks.size() < ranks) {
    line += " ranks";
    for (const RankId rank : finding.ranks) {
      line += fmt::format(" {}", Index(rank));
    }
  }
  lines->push_back(std::move(line));
  for (const Finding& consequence : finding.consequences) {
    AppendLines(consequence, ranks, indent + "  -> ", lines);
  }
}

// A file that is gone with the object.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::string name = std::filesystem::temp_directory_path() / "museum-XXXXXX";
    const int fd = ::mkstemp(name.data());
    if (fd < 0) throw std::runtime_error("no temporary file");
    ::close(fd);
    path_ = std::move(name);
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  void Write(const std::string& text) const { std::ofstream(path_) << text; }

 private:
  std::string path_;
};

AuditOptions OptionsOf(const Specimen& specimen) {
  AuditOptions options;
  options.policy = specimen.policy;
  return options;
}

}  // namespace

const std::vector<Exhibit>& Exhibits() {
  static const std::vector<Exhibit> all = [] {
    std::vector<Exhibit> exhibits;
    for (const auto room : {WiringExhibits, SiblingExhibits, EventExhibits,
                            MemoryExhibits, PolicyExhibits}) {
      for (Exhibit& exhibit : room()) exhibits.push_back(std::move(exhibit));
    }
    std::stable_sort(
        exhibits.begin(), exhibits.end(),
        [](const Exhibit& a, const Exhibit& b) { return a.row < b.row; });
    return exhibits;
  }();
  return all;
}

Report AuditHealthy(const Specimen& specimen) {
  return Audit(synthetic::MakeGendir(specimen.healthy(), "healthy"),
               OptionsOf(specimen));
}

FaultyAudit AuditFaulty(const Specimen& specimen, const Site& site) {
  synthetic::Program program = specimen.healthy();
  if (specimen.edit_program != nullptr) specimen.edit_program(program, site);
  AuditOptions options = OptionsOf(specimen);
  if (!specimen.later.empty()) options.policy.today = specimen.later;
  const TemporaryFile contract;
  if (specimen.contract) {
    contract.Write(WriteContract(RecordContract(
        synthetic::MakeGendir(specimen.healthy(), "healthy"), options)));
    options.contract = contract.path();
  }
  const std::vector<Rank> ranks =
      ReadRanks(synthetic::MakeGendir(program, "faulty"), options);
  FaultyAudit audit;
  std::deque<Edit> edits;  // views point into them
  std::vector<View> views;
  for (const Rank& rank : ranks) {
    Edit& edit = edits.emplace_back(rank);
    if (specimen.edit_rank != nullptr) specimen.edit_rank(edit, site);
    if (edit.left_out()) continue;
    views.emplace_back(rank, edit.overlay());
    audit.mutations.insert(audit.mutations.end(), edit.mutations().begin(),
                           edit.mutations().end());
  }
  audit.report = AuditViews("faulty", views, options);
  return audit;
}

bool IsNew(const Finding& finding, const Report& twin) {
  return std::none_of(twin.findings.begin(), twin.findings.end(),
                      [&finding](const Finding& other) {
                        return other.rule == finding.rule &&
                               other.tensor == finding.tensor &&
                               other.task_type == finding.task_type &&
                               other.event == finding.event &&
                               other.layers == finding.layers;
                      });
}

std::vector<std::string> LinesOf(const Report& report) {
  std::vector<std::string> lines;
  for (const InputError& error : report.errors)
    lines.emplace_back(error.what());
  for (const Finding& finding : report.findings) {
    AppendLines(finding, report.ranks.size(), "", &lines);
  }
  return lines;
}

}  // namespace graph_coverage::museum
