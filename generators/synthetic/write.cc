// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/synthetic/write.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "generators/synthetic/kernel_source_writer.h"
#include "generators/synthetic/schedule.h"
#include "generators/synthetic/sink.h"
#include "generators/synthetic/task_graph_writer.h"
#include "generators/synthetic/variants.h"

namespace graph_coverage::synthetic {
namespace {

void Refuse(const std::string& what, FormatVersion version) {
  throw std::invalid_argument(
      fmt::format("{} cannot be written in {}", what, ToString(version)));
}

// Whether tasks of the operator differ by metadata that the version lacks.
bool NeedsMetadata(const Operator& op, const FormatFacts& facts) {
  switch (op.indexing) {
    case Indexing::kBlock:
      return false;
    case Indexing::kRequest:
      return !facts.request_id && op.grid[1] > 1;
    case Indexing::kExpert:
      return !facts.expert_offset;
    case Indexing::kSplit:
    case Indexing::kMerge:
      return !facts.kv_idx;
  }
  return false;
}

bool IsCollective(const std::string& type) {
  return type == "TASK_REDUCE" || type.starts_with("TASK_NVSHMEM_");
}

void CheckVersion(const Program& program, const Schedule& schedule,
                  const WriteOptions& options) {
  const FormatFacts facts = FactsOf(options.version);
  for (const Tensor& tensor : program.tensors()) {
    if (tensor.kind == TensorKind::kShuffled && !facts.shuffled) {
      Refuse("the shuffled tensor " + tensor.name, options.version);
    }
    if (tensor.kind == TensorKind::kAlias && !facts.block_offsets) {
      Refuse("the alias " + tensor.name, options.version);
    }
  }
  for (const Operator& op : program.operators()) {
    if (IsCollective(op.type) && !facts.expert_offset) {
      Refuse("the collective " + op.type, options.version);
    }
    if (NeedsMetadata(op, facts)) {
      Refuse("the metadata of " + op.type, options.version);
    }
    for (const Use& use : op.inputs) {
      if (use.tensor == kNoTensor && !facts.null_operands) {
        Refuse("an absent operand of " + op.type, options.version);
      }
    }
  }
  const std::vector<std::uint64_t>& first = schedule.first_tasks;
  if (!facts.dependent_event &&
      first.back() - first.front() + 1 != first.size()) {
    Refuse("a program whose first tasks are no neighbours", options.version);
  }
  const bool numbered = options.naming == FileNaming::kDemo ||
                        options.naming == FileNaming::kCompile;
  if (options.only_rank.value_or(0) >= program.ranks) {
    throw std::invalid_argument(fmt::format("rank {} of {} cannot be written",
                                            *options.only_rank, program.ranks));
  }
  if (program.ranks != 1 && !numbered) {
    throw std::invalid_argument(
        "files without rank numbers can hold one rank only");
  }
}

// What all ranks have in common, and how each file is written.
class Artifacts {
 public:
  Artifacts(const Program& program, const WriteOptions& options)
      : program_(program),
        options_(options),
        schedule_(MakeSchedule(program)),
        variants_(FindVariants(program)) {
    CheckVersion(program, schedule_, options);
  }

  // Calls `open` with each file name; it returns where the text goes.
  void Write(const std::function<Sink::Receiver(const std::string&)>& open) {
    for (std::uint32_t rank = 0; rank < program_.ranks; ++rank) {
      if (options_.only_rank.value_or(rank) != rank) continue;
      open(KernelFileName(options_.naming, rank))(
          WriteKernelSource(program_, variants_, rank, options_.version));
      Sink sink(open(GraphFileName(options_.naming, rank)));
      WriteTaskGraph(program_, schedule_, variants_, rank, options_.version,
                     sink);
    }
  }

 private:
  const Program& program_;
  const WriteOptions& options_;
  const Schedule schedule_;
  const Variants variants_;
};

// A file that gets its name only once it is complete.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& path)
      : path_(path), partial_(path.string() + ".partial") {
    file_ = std::fopen(partial_.c_str(), "wb");
    if (file_ == nullptr) Fail();
  }
  ~NewFile() {
    if (file_ != nullptr) std::fclose(file_);
    std::error_code ignored;
    std::filesystem::remove(partial_, ignored);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void Append(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) Fail();
  }
  void Publish() {
    std::FILE* const file = std::exchange(file_, nullptr);
    if (std::fclose(file) != 0) Fail();
    std::filesystem::rename(partial_, path_);
  }

 private:
  [[noreturn]] void Fail() const {
    throw std::runtime_error(
        fmt::format("{}: cannot be written: {}", path_.string(),
                    std::generic_category().message(errno)));
  }

  std::filesystem::path path_;
  std::filesystem::path partial_;
  std::FILE* file_ = nullptr;
};

}  // namespace

Gendir MakeGendir(const Program& program, const std::string& name,
                  const WriteOptions& options) {
  std::vector<MemoryFile> files;
  Artifacts(program, options).Write([&](const std::string& file) {
    files.push_back({file, {}});
    return [&files, at = files.size() - 1](std::string_view text) {
      files[at].content += text;
    };
  });
  return {name, std::move(files)};
}

void WriteGendir(const Program& program, const std::string& directory,
                 const WriteOptions& options) {
  Artifacts artifacts(program, options);
  std::filesystem::create_directories(directory);
  std::vector<std::unique_ptr<NewFile>> files;
  artifacts.Write([&](const std::string& file) {
    files.push_back(
        std::make_unique<NewFile>(std::filesystem::path(directory) / file));
    return [out = files.back().get()](std::string_view text) {
      out->Append(text);
    };
  });
  for (const auto& file : files) file->Publish();
}

}  // namespace graph_coverage::synthetic
