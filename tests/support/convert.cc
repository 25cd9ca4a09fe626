// SPDX-License-Identifier: Apache-2.0
#include "tests/support/convert.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tests/support/convert_parts.h"

namespace graph_coverage::test_support {
namespace {

constexpr std::string_view kSource = "kernel_";
constexpr std::string_view kGraph = "task_graph_";

bool IsGraph(const std::string& name) { return name.rfind(kGraph, 0) == 0; }

// The digits of "kernel_3.cu" or "task_graph_3.json".
std::string RankOf(const std::string& name) {
  const std::size_t start = IsGraph(name) ? kGraph.size() : kSource.size();
  return name.substr(start, name.find('.') - start);
}

void RequireOneRank(const std::string& rank) {
  if (rank != "0") {
    throw std::invalid_argument("names without a number have one rank, 0");
  }
}

std::string Renamed(const std::string& name, Form form) {
  const std::string rank = RankOf(name);
  switch (form) {
    case Form::kCompileNames:
      return IsGraph(name) ? "task_graph_rank" + rank + ".json"
                           : "test_rank" + rank + ".cu";
    case Form::kTempNames:
      RequireOneRank(rank);
      return IsGraph(name) ? "task_graph.json" : "test.cu";
    case Form::kOldTempNames:
      RequireOneRank(rank);
      return IsGraph(name) ? "task_graph.json" : "kernel.cu";
    default:
      return name;
  }
}

bool OnlyRenames(Form form) {
  return form == Form::kCompileNames || form == Form::kTempNames ||
         form == Form::kOldTempNames;
}

std::string Content(const MemoryFile& file, Form form) {
  if (OnlyRenames(form)) return file.content;
  return IsGraph(file.name) ? ConvertGraph(file.content, form)
                            : ConvertSource(file.content, form);
}

}  // namespace

const std::vector<Form>& AllForms() {
  static const std::vector<Form> forms = {
      Form::kCompileNames, Form::kTempNames, Form::kOldTempNames,
      Form::kF0,           Form::kF2,        Form::kF4,
      Form::kF9,           Form::kF13,       Form::kX1,
      Form::kX2,           Form::kReordered, Form::kAbsentKeys,
      Form::kUnknownKeys,
  };
  return forms;
}

const char* ToString(Form form) {
  switch (form) {
    case Form::kCompileNames:
      return "compile-names";
    case Form::kTempNames:
      return "temp-names";
    case Form::kOldTempNames:
      return "old-temp-names";
    case Form::kF0:
      return "F0";
    case Form::kF2:
      return "F2";
    case Form::kF4:
      return "F4";
    case Form::kF9:
      return "F9";
    case Form::kF13:
      return "F13";
    case Form::kX1:
      return "X1";
    case Form::kX2:
      return "X2";
    case Form::kReordered:
      return "reordered";
    case Form::kAbsentKeys:
      return "absent-keys";
    case Form::kUnknownKeys:
      return "unknown-keys";
  }
  return "unknown";
}

std::vector<MemoryFile> ReadArtifacts(const std::string& folder) {
  std::vector<MemoryFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!IsGraph(name) && name.rfind(kSource, 0) != 0) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + entry.path().string());
    files.push_back({name, std::string(std::istreambuf_iterator<char>(in),
                                       std::istreambuf_iterator<char>())});
  }
  std::sort(
      files.begin(), files.end(),
      [](const MemoryFile& a, const MemoryFile& b) { return a.name < b.name; });
  return files;
}

std::vector<MemoryFile> Convert(const std::vector<MemoryFile>& files,
                                Form form) {
  std::vector<MemoryFile> converted;
  for (const MemoryFile& file : files) {
    converted.push_back({Renamed(file.name, form), Content(file, form)});
    if (form == Form::kCompileNames && IsGraph(file.name)) {
      // Written beside the two; no task graph.
      converted.push_back({"kernel_metadata_rank" + RankOf(file.name) + ".json",
                           "{\"num_gpus\": 1}\n"});
    }
  }
  return converted;
}

}  // namespace graph_coverage::test_support
