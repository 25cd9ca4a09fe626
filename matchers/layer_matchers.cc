// SPDX-License-Identifier: Apache-2.0
//
// The matchers that ask about every layer.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph_coverage/matchers.h"
#include "graph_coverage/policy.h"
#include "matchers/list.h"

namespace graph_coverage {
namespace {

using ::testing::Matcher;
using ::testing::MatchResultListener;

// "layer_" of "layer_17".
std::string KindOf(const std::string& layer) {
  return layer.substr(0, layer.find_last_not_of("0123456789") + 1);
}

class ConsumesPerLayer : public internal::ReportQuestion {
 public:
  ConsumesPerLayer(std::string tensor, Matcher<std::uint64_t> count)
      : tensor_(std::move(tensor)), count_(std::move(count)) {}

  void Describe(std::ostream* out) const override {
    *out << "consumes " << tensor_
         << " in every layer, by a number of operands that ";
    count_.DescribeTo(out);
  }
  void DescribeNegation(std::ostream* out) const override {
    *out << "does not consume " << tensor_
         << " in some layer, by a number of operands that ";
    count_.DescribeTo(out);
  }

  bool Ask(const Report& report, MatchResultListener* listener) const override {
    std::vector<std::string> failing;
    std::size_t asked = 0;
    for (const TensorCoverage& tensor : report.tensors) {
      if (!MatchesGlob(tensor_, tensor.name)) continue;
      ++asked;
      AskTensor(report, tensor, &failing);
    }
    if (asked == 0) {
      *listener << "which declares no tensor " << tensor_;
      return false;
    }
    if (!failing.empty()) {
      *listener << "which reads" << ListTexts(failing, report);
      return false;
    }
    *listener << fmt::format("which has {} layers", report.layers.size());
    return true;
  }

 private:
  // A line for each layer that does not match.
  void AskTensor(const Report& report, const TensorCoverage& tensor,
                 std::vector<std::string>* failing) const {
    std::set<std::string> kinds;
    for (const LayerReads& reads : tensor.reads_by_layer) {
      kinds.insert(KindOf(reads.layer));
    }
    const std::string on = tensor.ranks == RanksOf(report)
                               ? ""
                               : fmt::format(" on rank {}", Text(tensor.ranks));
    bool any = false;
    for (const std::string& layer : report.layers) {
      if (kinds.count(KindOf(layer)) == 0) continue;
      any = true;
      const auto at = std::find_if(
          tensor.reads_by_layer.begin(), tensor.reads_by_layer.end(),
          [&](const LayerReads& reads) { return reads.layer == layer; });
      const std::uint64_t refs =
          at == tensor.reads_by_layer.end() ? 0 : at->input_refs;
      if (refs > 0 && count_.Matches(refs)) continue;
      failing->push_back(
          fmt::format("{} {} times in {}{}", tensor.name, refs, layer, on));
    }
    if (!any) {
      failing->push_back(fmt::format("{} in no layer{}", tensor.name, on));
    }
  }

  static std::vector<RankId> RanksOf(const Report& report) {
    std::vector<RankId> ranks;
    for (const RankSummary& rank : report.ranks) ranks.push_back(rank.rank);
    return ranks;
  }

  static std::string Text(const std::vector<RankId>& ranks) {
    std::string text;
    for (const RankId rank : ranks) {
      if (!text.empty()) text += ", ";
      text += std::to_string(Index(rank));
    }
    return text;
  }

  std::string tensor_;
  Matcher<std::uint64_t> count_;
};

}  // namespace

internal::ReportMatcher ConsumesInEveryLayer(const std::string& tensor,
                                             Matcher<std::uint64_t> count) {
  return internal::ReportMatcher(
      std::make_shared<const ConsumesPerLayer>(tensor, std::move(count)));
}

}  // namespace graph_coverage
