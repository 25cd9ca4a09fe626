// SPDX-License-Identifier: Apache-2.0
//
// A gendir: a directory of generated artifacts, on disk or in memory.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace graph_coverage {

// A file held in memory; `name` is a file name without folders.
struct MemoryFile {
  std::string name;
  std::string content;
};

// Where a megakernel's artifacts are. Making one reads nothing.
class Gendir {
 public:
  // A directory on disk.
  Gendir(std::string path) : name_(std::move(path)) {}  // NOLINT: a path is one
  // The same; a null pointer, as std::getenv gives for what is not set, is an
  // InputError of whatever reads the gendir.
  Gendir(const char* path)  // NOLINT: likewise
      : name_(path == nullptr ? "(null)" : path), is_null_(path == nullptr) {}
  // Artifacts in memory; `name` is what reports call the gendir.
  Gendir(std::string name, std::vector<MemoryFile> files)
      : name_(std::move(name)), in_memory_(true), files_(std::move(files)) {}

  const std::string& name() const { return name_; }
  bool is_null() const { return is_null_; }
  bool in_memory() const { return in_memory_; }
  const std::vector<MemoryFile>& files() const { return files_; }

 private:
  std::string name_;
  bool is_null_ = false;
  bool in_memory_ = false;
  std::vector<MemoryFile> files_;
};

// GoogleTest prints these types with one line each.
void PrintTo(const MemoryFile& file, std::ostream* out);
void PrintTo(const Gendir& gendir, std::ostream* out);

}  // namespace graph_coverage
