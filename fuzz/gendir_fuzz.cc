// SPDX-License-Identifier: Apache-2.0
//
// The whole audit, of kernel sources and task graphs with a line of "%%" behind
// each but the last: always a report, which every output can write.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "graph_coverage/audit.h"
#include "graph_coverage/write.h"

namespace graph_coverage::fuzz {
namespace {

// The parts between the separators, as the files of rank after rank.
std::vector<MemoryFile> FilesIn(std::string_view text) {
  constexpr std::string_view kBetween = "\n%%\n";
  std::vector<MemoryFile> files;
  for (bool more = true; more;) {
    const std::size_t end = text.find(kBetween);
    more = end != text.npos;
    const std::string rank = std::to_string(files.size() / 2);
    const bool graph = files.size() % 2 == 1;
    files.push_back(
        {graph ? "task_graph_" + rank + ".json" : "kernel_" + rank + ".cu",
         std::string(text.substr(0, end))});
    if (more) text.remove_prefix(end + kBetween.size());
  }
  return files;
}

void Check(std::string_view text) {
  const Report report = Audit(Gendir("fuzzed", FilesIn(text)));
  if ((report.verdict == Verdict::kInvalid) == report.errors.empty()) {
    Broken("an error without a reason, or a reason without an error");
  }
  if (!nlohmann::json::accept(WriteJson({report}))) {
    Broken("a report that is no JSON");
  }
  for (const char c : WriteText(report)) {
    if (c != '\n' && static_cast<unsigned char>(c) < ' ') {
      Broken("a control character in the text");
    }
  }
}

}  // namespace
}  // namespace graph_coverage::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  graph_coverage::fuzz::Check(graph_coverage::fuzz::TextOf(data, size));
  return 0;
}
