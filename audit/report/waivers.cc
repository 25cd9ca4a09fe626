// SPDX-License-Identifier: Apache-2.0
//
// A report's findings as waivers to decide on.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "audit/analysis/families.h"
#include "audit/artifacts/utf8.h"
#include "audit/policy_check.h"
#include "graph_coverage/policy_file.h"

namespace graph_coverage {
namespace {

constexpr const char* kHead = R"({
  // Waivers for what the audit of %
  // found. Each is a decision that is yours; there are three:
  //   1. mend it, and delete the lines of the waiver;
  //   2. keep it for good: take the comment marks off, say why, and delete
  //      the line "expires";
  //   3. keep it for now: take the comment marks off, say why, and say until
  //      when; after that day the audit fails.
  "waivers": [
)";

// The rules that say something about the policy itself.
bool IsAboutWaivers(const Finding& finding) {
  return finding.rule == "stale-waiver" || finding.rule == "expired-waiver";
}

std::string InJson(const std::string& text) {
  return PrintableJson(nlohmann::json(text).dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace));
}

// The glob that matches each member: what they have in common at both ends.
std::string GlobOf(const std::vector<std::string>& names) {
  const std::string& first = names.front();
  std::size_t head = first.size();
  std::size_t tail = head;
  for (const std::string& name : names) {
    const auto common = [](auto a, auto a_end, auto b, auto b_end) {
      std::size_t length = 0;
      for (; a != a_end && b != b_end && *a == *b; ++a, ++b) ++length;
      return length;
    };
    head = std::min(
        head, common(first.begin(), first.end(), name.begin(), name.end()));
    tail = std::min(
        tail, common(first.rbegin(), first.rend(), name.rbegin(), name.rend()));
    if (name.size() < head + tail) tail = name.size() - head;
  }
  return first.substr(0, head) + "*" + first.substr(first.size() - tail);
}

// What a waiver's `tensor` must be to accept the parts of a finding.
std::vector<std::string> SubjectsOf(const Finding& finding) {
  if (finding.tensor.empty() || finding.members.size() <= 1) {
    return {finding.members.size() == 1 && !finding.tensor.empty()
                ? finding.members.front()
                : SubjectOf(finding)};
  }
  if (finding.layers.empty()) return finding.members;
  return {GlobOf(finding.members)};
}

class WaiverWriter {
 public:
  explicit WaiverWriter(const Report& report) : report_(report) {}

  std::string Write() {
    std::string text = kHead;
    text.replace(text.find('%'), 1, Printable(report_.gendir));
    for (const Finding& finding : report_.findings) {
      if (IsAboutWaivers(finding) ||
          finding.severity < std::min(Severity::kWarning, report_.fail_on)) {
        continue;
      }
      for (const std::string& subject : SubjectsOf(finding)) {
        AddCandidate(finding, subject, &text);
      }
    }
    return text + "  ]\n}\n";
  }

 private:
  void AddCandidate(const Finding& finding, const std::string& subject,
                    std::string* text) {
    std::string waiver = fmt::format("    // {{\"rule\": {}, \"tensor\": {},\n",
                                     InJson(finding.rule), InJson(subject));
    if (!finding.layers.empty()) {
      waiver +=
          fmt::format("    //  \"layers\": [{}],\n", RangeList(finding.layers));
    }
    if (!finding.ranks.empty() && finding.ranks.size() < report_.ranks.size()) {
      std::vector<std::uint32_t> ranks;
      for (const RankId rank : finding.ranks) {
        ranks.push_back(static_cast<std::uint32_t>(rank));
      }
      waiver += fmt::format("    //  \"ranks\": [{}],\n", RangeList(ranks));
    }
    // One waiver may accept several findings.
    if (!written_.insert(waiver).second) return;
    *text += fmt::format("\n    // {} {}: {}\n", ToString(finding.severity),
                         finding.rule, Printable(finding.message()));
    *text += waiver;
    *text +=
        "    //  \"expires\": \"YYYY-MM-DD\",\n"
        "    //  \"reason\": \"\"},\n";
  }

  // `0, "3-60"`.
  static std::string RangeList(const std::vector<std::uint32_t>& numbers) {
    std::vector<std::uint32_t> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    std::string list;
    const std::string ranges = RangesText(sorted) + ", ";
    for (std::size_t start = 0; start < ranges.size();) {
      const std::size_t end = ranges.find(", ", start);
      const std::string range = ranges.substr(start, end - start);
      if (!list.empty()) list += ", ";
      list += range.find('-') == std::string::npos ? range : '"' + range + '"';
      start = end + 2;
    }
    return list;
  }

  const Report& report_;
  std::set<std::string> written_;
};

}  // namespace

std::string WriteWaivers(const Report& report) {
  return WaiverWriter(report).Write();
}

}  // namespace graph_coverage
