// SPDX-License-Identifier: Apache-2.0
//
// The page's data and its shell; how it is drawn, a browser tests:
// tests/tool/page_test.py.
#include "graph_coverage/html.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "audit/report/html/tensor_uses.h"
#include "graph_coverage/audit.h"
#include "tests/support/small_rank.h"

namespace graph_coverage {
namespace {

using Json = nlohmann::json;

constexpr const char* kMarkup = "</script><img src=x onerror=alert(1)>";

// Four layers; rank 1 lacks the wire of layer 2's norm, and names a tensor
// that no one declares there.
Rank SampleRank(std::uint32_t number) {
  constexpr std::uint32_t kNorm = 119;
  constexpr std::uint32_t kLinear = 120;
  SmallRank rank(number);
  rank.NumGpus(2).Attached("rope_cos").Attached("x").Attached("out");
  rank.Scratch("h");
  rank.Branch("TASK_RMS_NORM", {0, 1}, {0}).Branch("TASK_LINEAR", {0}, {0});
  for (int i = 0; i < 4; ++i) {
    const std::string layer = "layer_" + std::to_string(i);
    rank.Attached(layer + "_norm").Attached(layer + "_proj");
    const bool wired = number == 0 || i != 2;
    rank.Task(kNorm, {"x", wired ? layer + "_norm" : kMarkup}, {"h"});
    rank.Task(kLinear, {"h", layer + "_proj"}, {"out"});
  }
  return rank.Build();
}

AuditedGendir Sample() {
  AuditedGendir audited;
  audited.ranks.push_back(SampleRank(0));
  audited.ranks.push_back(SampleRank(1));
  audited.report = AuditRanks("out/<b>gendir</b>", audited.ranks);
  return audited;
}

std::string DataOf(const std::string& page) {
  const std::string start = "id=\"data\">";
  const std::size_t first = page.find(start) + start.size();
  return page.substr(first, page.find("</script>", first) - first);
}

Json Parsed(const std::string& page) { return Json::parse(DataOf(page)); }

const Json& TensorOf(const Json& report, const std::string& name) {
  for (const Json& tensor : report["tensors"]) {
    if (tensor["name"] == name) return tensor;
  }
  ADD_FAILURE() << "no tensor " << name;
  return report;
}

TEST(Html, NamesWithMarkupStayInTheData) {
  const std::string page = WriteHtml({Sample()});
  EXPECT_EQ(DataOf(page).find('<'), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  const Json report = Parsed(page)["reports"][0];
  EXPECT_EQ(report["gendir"], "out/<b>gendir</b>");
  bool found = false;
  for (const Json& finding : report["findings"]) {
    found |= finding["tensor"] == kMarkup;
  }
  EXPECT_TRUE(found);
}

TEST(Html, LoadsNothingFromElsewhere) {
  std::string page = WriteHtml({Sample()});
  EXPECT_EQ(page.find("{{"), std::string::npos);
  const std::string data = DataOf(page);
  page.erase(page.find(data), data.size());
  for (const char* word : {" src=", "@import", "url(", "fetch(", "https://"}) {
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  }
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(Html, CountsAreTheReports) {
  const AuditedGendir audited = Sample();
  const Json report = Parsed(WriteHtml({audited}))["reports"][0];
  EXPECT_EQ(report["verdict"], ToString(audited.report.verdict));
  EXPECT_EQ(report["counts"]["error"], audited.report.Count(Severity::kError));
  EXPECT_EQ(report["layers"],
            Json({"layer_0", "layer_1", "layer_2", "layer_3"}));
  EXPECT_EQ(report["findings"].size(), audited.report.findings.size());
  EXPECT_EQ(report["rules"].size(), audited.report.rules.size());
  for (const TensorCoverage& row : audited.report.tensors) {
    bool same = false;
    for (const Json& shown : TensorOf(report, row.name)["rows"]) {
      same |= shown["reads"] == row.input_refs &&
              shown["writes"] == row.output_refs &&
              shown["consumed"] == row.consumed;
    }
    EXPECT_TRUE(same) << row.name;
  }
}

TEST(Html, ACellHasItsTasksOnEachRank) {
  const Json report = Parsed(WriteHtml({Sample()}))["reports"][0];
  const Json& norm = TensorOf(report, "layer_2_norm");
  EXPECT_EQ(norm["column"], 2);
  ASSERT_EQ(norm["cells"].size(), 1u);
  // Rank 0 reads it, rank 1 does not name it.
  const Json& groups = norm["cells"][0][1];
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(report["rank_sets"][groups[0][0].get<int>()], Json({0}));
  // Kind, slot, output, count, tasks, waits, triggers.
  const Json& use = groups[0][1][0];
  EXPECT_EQ(report["kinds"][use[0].get<int>()][0], "TASK_RMS_NORM");
  EXPECT_EQ(use[1], 1);
  EXPECT_EQ(use[2], 0);
  EXPECT_EQ(use[3], 1);
}

TEST(Html, ATensorOfNoLayerHasTheReadsOfEach) {
  const Rank rank = SampleRank(0);
  const std::vector<TensorUses> uses = UsesOf(View(rank));
  const TensorUses& h = uses[3];
  ASSERT_EQ(h.layers.size(), 4u);
  for (const LayerUses& layer : h.layers) {
    ASSERT_EQ(layer.uses.size(), 2u);
    EXPECT_EQ(layer.uses[0].count, 1u);
    EXPECT_NE(layer.uses[0].output, layer.uses[1].output);
  }
  EXPECT_EQ(h.layers[3].layer, "layer_3");
  EXPECT_EQ(h.line, 4u);
}

TEST(Html, ExamplesAreFewAndTheirNumberIsKept) {
  Examples<int> examples;
  for (int i = 0; i < 10; ++i) examples.Add(i);
  EXPECT_EQ(examples.first, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(examples.count, 10u);
}

TEST(Html, DrawsByTheGivenProgram) {
  const auto draw = [](const std::vector<std::string>& texts) {
    std::vector<std::string> drawn;
    for (const std::string& text : texts) {
      drawn.push_back(text.find("rope_cos") != std::string::npos
                          ? "<svg>" + std::to_string(text.size()) + "</svg>"
                          : "");
    }
    return drawn;
  };
  const Json report = Parsed(WriteHtml({Sample()}, {draw}))["reports"][0];
  for (const Json& finding : report["findings"]) {
    if (finding["tensor"] == "rope_cos") {
      EXPECT_EQ(finding["drawing"].get<std::string>().find("<svg>"), 0u);
    } else if (finding["tensor"] == kMarkup) {
      EXPECT_FALSE(finding.contains("drawing"));
    }
  }
}

TEST(Html, WhatCouldNotBeAuditedIsSaid) {
  const Json data =
      Parsed(WriteHtml({AuditAndKeep(Gendir("out/empty", {})), Sample()}));
  ASSERT_EQ(data["reports"].size(), 2u);
  EXPECT_EQ(data["reports"][0]["verdict"], "invalid");
  EXPECT_EQ(data["reports"][0]["errors"].size(), 1u);
}

TEST(Html, IsTheSameForTheSameReport) {
  EXPECT_EQ(WriteHtml({Sample()}), WriteHtml({Sample()}));
}

}  // namespace
}  // namespace graph_coverage
