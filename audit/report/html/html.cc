// SPDX-License-Identifier: Apache-2.0
//
// The page of an audit.
#include "graph_coverage/html.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "audit/report/html/page.h"
#include "audit/report/html/page_text.h"
#include "audit/report/html/report_data.h"
#include "graph_coverage/dot.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::ordered_json;

// Of findings, the first.
constexpr std::size_t kShownDrawings = 50;
constexpr std::size_t kBytesOfDrawings = 1 << 20;

void AddDrawn(const std::vector<Finding>& findings,
              std::vector<const Finding*>* all) {
  for (const Finding& finding : findings) {
    if (all->size() == kShownDrawings) return;
    all->push_back(&finding);
    AddDrawn(finding.consequences, all);
  }
}

// SVG by id of the finding, of the first few.
std::map<std::string, std::string> Draw(const AuditedGendir& audited,
                                        const HtmlOptions& options) {
  std::map<std::string, std::string> drawings;
  if (!options.draw || audited.ranks.empty()) return drawings;
  std::vector<const Finding*> findings;
  AddDrawn(audited.report.findings, &findings);
  std::vector<std::string> texts;
  for (const Finding* finding : findings) {
    texts.push_back(WriteDot(audited.ranks, *finding));
  }
  const std::vector<std::string> drawn = options.draw(texts);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < std::min(drawn.size(), findings.size()); ++i) {
    bytes += drawn[i].size();
    if (bytes > kBytesOfDrawings) break;
    if (!drawn[i].empty()) drawings[findings[i]->id] = drawn[i];
  }
  return drawings;
}

}  // namespace

std::string WriteHtml(const std::vector<AuditedGendir>& audited,
                      const HtmlOptions& options) {
  Json reports = Json::array();
  for (const AuditedGendir& one : audited) {
    const std::vector<View> views(one.ranks.begin(), one.ranks.end());
    reports.push_back(ReportData(one.report, views, Draw(one, options)));
  }
  return MakePage("Graph coverage", kReportScript,
                  {{"reports", std::move(reports)}});
}

}  // namespace graph_coverage
