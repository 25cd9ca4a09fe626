// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/policy.h"

#include <algorithm>

namespace graph_coverage {

const char* ToString(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "unknown";
}

std::optional<Severity> ParseSeverity(const std::string& text) {
  for (const Severity severity :
       {Severity::kNote, Severity::kWarning, Severity::kError}) {
    if (text == ToString(severity)) return severity;
  }
  return std::nullopt;
}

bool IsOff(const Policy& policy, std::string_view rule) {
  return std::find(policy.off.begin(), policy.off.end(), rule) !=
         policy.off.end();
}

bool MatchesGlob(const std::string& pattern, const std::string& name) {
  // The last '*' met, and the part of the name it has taken so far: on a
  // mismatch it takes one more byte.
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string::npos;
  std::size_t taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace graph_coverage
