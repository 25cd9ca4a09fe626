// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/discover.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

#include "graph_coverage/error.h"

namespace graph_coverage {
namespace {

namespace fs = std::filesystem;

enum class FileKind { kKernel, kGraph };

// The forms of file names: what stands before and after the rank. A form
// without a number is rank 0.
struct NameForm {
  std::string_view before;
  std::string_view after;
  bool numbered;
  FileKind kind;
};
constexpr NameForm kNameForms[] = {
    {"kernel_", ".cu", true, FileKind::kKernel},
    {"test_rank", ".cu", true, FileKind::kKernel},
    {"test", ".cu", false, FileKind::kKernel},
    {"kernel", ".cu", false, FileKind::kKernel},
    {"task_graph_", ".json", true, FileKind::kGraph},
    {"task_graph_rank", ".json", true, FileKind::kGraph},
    {"task_graph", ".json", false, FileKind::kGraph},
};
constexpr std::uint32_t kMaxRank = 65535;  // an event id holds 16 bits of it

struct Named {
  FileKind kind;
  RankId rank;
};

// What a file name says it is, if it is an artifact.
std::optional<Named> ParseName(std::string_view name) {
  for (const NameForm& form : kNameForms) {
    if (name.size() < form.before.size() + form.after.size() ||
        name.substr(0, form.before.size()) != form.before ||
        name.substr(name.size() - form.after.size()) != form.after) {
      continue;
    }
    const std::string_view number =
        name.substr(form.before.size(),
                    name.size() - form.before.size() - form.after.size());
    if (!form.numbered) {
      if (number.empty()) return Named{form.kind, RankId(0)};
      continue;
    }
    std::uint32_t rank = 0;
    const auto [end, error] =
        std::from_chars(number.begin(), number.end(), rank);
    if (error == std::errc() && end == number.end() && rank <= kMaxRank) {
      return Named{form.kind, RankId(rank)};
    }
  }
  return std::nullopt;
}

std::vector<Artifact> ListFiles(const Gendir& gendir) {
  std::vector<Artifact> files;
  if (gendir.in_memory()) {
    for (const MemoryFile& file : gendir.files()) {
      files.push_back({file.name, &file});
    }
    return files;
  }
  std::error_code error;
  const fs::file_status status = fs::status(gendir.name(), error);
  if (!fs::exists(status)) {
    throw InputError::Of(gendir.name(),
                         error && status.type() == fs::file_type::none
                             ? "cannot be read: " + error.message()
                             : "no such directory; give the one that holds "
                               "kernel_<rank>.cu and task_graph_<rank>.json");
  }
  if (!fs::is_directory(status)) {
    throw InputError::Of(gendir.name(),
                         "is not a directory; give the directory that holds "
                         "kernel_<rank>.cu and task_graph_<rank>.json");
  }
  fs::directory_iterator entries(gendir.name(), error);
  while (!error && entries != fs::directory_iterator()) {
    files.push_back({entries->path().string(), nullptr});
    entries.increment(error);
  }
  if (error) {
    throw InputError::Of(gendir.name(), "cannot be read: " + error.message());
  }
  return files;
}

std::string BaseName(const std::string& file) {
  return fs::path(file).filename().string();
}

std::string ListRanks(const std::vector<RankFiles>& ranks) {
  std::string list;
  for (const RankFiles& files : ranks) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", Index(files.rank));
  }
  return list;
}

}  // namespace

std::unique_ptr<ByteSource> Artifact::Open() const {
  return memory != nullptr ? OpenMemory(file, memory->content) : OpenFile(file);
}

std::vector<RankFiles> DiscoverRanks(const Gendir& gendir) {
  std::vector<Artifact> files = ListFiles(gendir);
  std::sort(
      files.begin(), files.end(),
      [](const Artifact& a, const Artifact& b) { return a.file < b.file; });

  std::map<RankId, std::map<FileKind, Artifact>> by_rank;
  for (const Artifact& file : files) {
    const std::optional<Named> named = ParseName(BaseName(file.file));
    if (!named) continue;
    const auto [at, added] = by_rank[named->rank].emplace(named->kind, file);
    if (!added) {
      throw InputError::Of(
          gendir.name(),
          fmt::format(
              "{} and {} are both the {} of rank {}; keep one",
              BaseName(at->second.file), BaseName(file.file),
              named->kind == FileKind::kKernel ? "kernel source" : "task graph",
              Index(named->rank)));
    }
  }
  if (by_rank.empty()) {
    throw InputError::Of(
        gendir.name(),
        fmt::format(
            "{}; looked for kernel_<rank>.cu with task_graph_<rank>.json, "
            "test_rank<rank>.cu with task_graph_rank<rank>.json, and "
            "test.cu or kernel.cu with task_graph.json",
            files.empty() ? "is empty" : "holds no artifacts"));
  }

  std::vector<RankFiles> ranks;
  for (const auto& [rank, pair] : by_rank) {
    const auto kernel = pair.find(FileKind::kKernel);
    const auto graph = pair.find(FileKind::kGraph);
    if (graph == pair.end()) {
      throw InputError::Of(
          kernel->second.file,
          fmt::format("has no task graph beside it; rank {0} needs "
                      "task_graph_{0}.json or task_graph_rank{0}.json",
                      Index(rank)));
    }
    if (kernel == pair.end()) {
      throw InputError::Of(
          graph->second.file,
          fmt::format("has no kernel source beside it; rank {0} needs "
                      "kernel_{0}.cu or test_rank{0}.cu",
                      Index(rank)));
    }
    ranks.push_back({rank, kernel->second, graph->second});
  }
  return ranks;
}

std::vector<RankFiles> SelectRanks(const Gendir& gendir,
                                   const std::vector<RankFiles>& found,
                                   const std::vector<RankId>& asked) {
  if (asked.empty()) {
    throw InputError::Of(gendir.name(), "no rank is asked for");
  }
  std::vector<RankId> wanted = asked;
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::vector<RankFiles> selected;
  for (const RankId rank : wanted) {
    const auto at =
        std::find_if(found.begin(), found.end(),
                     [rank](const RankFiles& f) { return f.rank == rank; });
    if (at == found.end()) {
      throw InputError::Of(
          gendir.name(),
          fmt::format("rank {} is asked for and absent; the gendir has ranks "
                      "{}",
                      Index(rank), ListRanks(found)));
    }
    selected.push_back(*at);
  }
  return selected;
}

}  // namespace graph_coverage
