// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/mutation/write_mutant.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "generators/mutation/graph_writer.h"

namespace graph_coverage {
namespace {

std::string FileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

Gendir MakeMutant(const std::string& name, const std::vector<View>& views,
                  const MutantForm& form) {
  std::vector<MemoryFile> files;
  for (const View& view : views) {
    files.push_back({FileName(view.source_file()), SourceText(view)});
    files.push_back(
        {FileName(view.graph_file()), GraphText(view, form.compact)});
  }
  return {name, std::move(files)};
}

void WriteMutant(const std::string& directory, const std::vector<View>& views,
                 const MutantForm& form) {
  std::filesystem::create_directories(directory);
  for (const View& view : views) {
    const Gendir mutant = MakeMutant("", {view}, form);
    for (const MemoryFile& file : mutant.files()) {
      const auto path = std::filesystem::path(directory) / file.name;
      std::ofstream out(path, std::ios::binary);
      out.write(file.content.data(),
                static_cast<std::streamsize>(file.content.size()));
      out.close();
      if (!out) {
        throw std::runtime_error(path.string() + ": cannot be written");
      }
    }
  }
}

}  // namespace graph_coverage
