// SPDX-License-Identifier: Apache-2.0
//
// Writes the first inputs of the fuzz targets: the smallest megakernels that
// the synthetic builder has, in every version of the format.
//
// usage: write_seeds CORPUS
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph_coverage/rapidcheck/healthy_model.h"

namespace {

using namespace graph_coverage;

void Write(const std::filesystem::path& file, const std::string& content) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << content;
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

// The first die chooses the version; all others at 0 choose the smallest.
HealthyModel SmallestModel(std::uint32_t version) {
  std::vector<std::uint32_t> dice(HealthyModel::kDice);
  dice[0] = version;
  return HealthyModel(dice);
}

void WriteSeed(const std::filesystem::path& corpus, std::uint32_t version) {
  const HealthyModel model = SmallestModel(version);
  const Gendir gendir = model.Make();
  const std::string name = synthetic::ToString(model.options().version);
  std::string source, graph;
  for (const MemoryFile& file : gendir.files()) {
    (file.name.ends_with(".cu") ? source : graph) = file.content;
  }
  Write(corpus / "kernel_source" / name, source);
  Write(corpus / "task_graph" / name, graph);
  Write(corpus / "gendir" / name, source + "\n%%\n" + graph);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("expected one argument, a folder");
    const std::size_t versions = synthetic::AllVersions().size();
    for (std::uint32_t version = 0; version < versions; ++version) {
      WriteSeed(argv[1], version);
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 2;
  }
}
