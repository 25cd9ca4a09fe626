// SPDX-License-Identifier: Apache-2.0
//
// Where the bytes of an artifact come from: a file or a memory buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "graph_coverage/error.h"

namespace graph_coverage {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Copies the next bytes, at most `size`; 0 at the end. Throws InputError
  // where reading fails.
  virtual std::size_t Read(char* to, std::size_t size) = 0;
  // Goes on reading at a byte, counted from the start.
  virtual void Seek(std::uint64_t byte) = 0;
  // The same bytes from the start, which may be read at the same time.
  virtual std::unique_ptr<ByteSource> Reopen() const = 0;
  virtual const std::string& name() const = 0;
  // Bytes in all, as far as that is known beforehand.
  virtual std::uint64_t size() const = 0;

  // Line and column of a byte; reads the source again up to there.
  Place Locate(std::uint64_t byte) const;
};

// Opens a regular file. Throws InputError where it cannot be read.
std::unique_ptr<ByteSource> OpenFile(const std::string& path);

// Bytes in memory, which must outlive the source.
std::unique_ptr<ByteSource> OpenMemory(std::string name,
                                       std::string_view bytes);

// Everything a source has, at most `limit` bytes; more is an InputError.
std::string ReadAll(ByteSource& source, std::size_t limit);

}  // namespace graph_coverage
