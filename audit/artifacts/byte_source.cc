// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

namespace graph_coverage {
namespace {

[[noreturn]] void FailToRead(const std::string& path, int error) {
  throw InputError::Of(
      path, "cannot be read: " + std::generic_category().message(error));
}

class OpenedFile {
 public:
  explicit OpenedFile(std::string path) : path_(std::move(path)) {
    // O_NONBLOCK: opening a FIFO must not wait for a writer.
    fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd_ < 0) FailToRead(path_, errno);
    struct stat facts {};
    if (::fstat(fd_, &facts) != 0 || !S_ISREG(facts.st_mode)) {
      ::close(fd_);
      throw InputError::Of(path_, "is not a regular file");
    }
    size_ = static_cast<std::uint64_t>(facts.st_size);
  }
  ~OpenedFile() { ::close(fd_); }
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;

  std::size_t ReadAt(std::uint64_t byte, char* to, std::size_t size) const {
    for (;;) {
      const ssize_t got = ::pread(fd_, to, size, static_cast<off_t>(byte));
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) FailToRead(path_, errno);
    }
  }
  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }

 private:
  std::string path_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

class FileSource final : public ByteSource {
 public:
  explicit FileSource(std::shared_ptr<const OpenedFile> file)
      : file_(std::move(file)) {}

  std::size_t Read(char* to, std::size_t size) override {
    const std::size_t got = file_->ReadAt(at_, to, size);
    at_ += got;
    return got;
  }
  void Seek(std::uint64_t byte) override { at_ = byte; }
  std::unique_ptr<ByteSource> Reopen() const override {
    return std::make_unique<FileSource>(file_);
  }
  const std::string& name() const override { return file_->path(); }
  std::uint64_t size() const override { return file_->size(); }

 private:
  std::shared_ptr<const OpenedFile> file_;
  std::uint64_t at_ = 0;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string name, std::string_view bytes)
      : name_(std::move(name)), bytes_(bytes), rest_(bytes) {}

  std::size_t Read(char* to, std::size_t size) override {
    const std::size_t got = std::min(size, rest_.size());
    if (got != 0) std::memcpy(to, rest_.data(), got);
    rest_.remove_prefix(got);
    return got;
  }
  void Seek(std::uint64_t byte) override {
    rest_ = bytes_.substr(std::min<std::uint64_t>(byte, bytes_.size()));
  }
  std::unique_ptr<ByteSource> Reopen() const override {
    return std::make_unique<MemorySource>(name_, bytes_);
  }
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return bytes_.size(); }

 private:
  std::string name_;
  std::string_view bytes_;
  std::string_view rest_;
};

}  // namespace

Place ByteSource::Locate(std::uint64_t byte) const {
  const std::unique_ptr<ByteSource> again = Reopen();
  std::vector<char> block(std::size_t{1} << 16);
  Place place{name(), 1, 1, byte};
  for (std::uint64_t at = 0; at < byte;) {
    const std::size_t want = static_cast<std::size_t>(
        std::min<std::uint64_t>(block.size(), byte - at));
    const std::size_t got = again->Read(block.data(), want);
    if (got == 0) break;
    for (std::size_t i = 0; i < got; ++i) {
      if (block[i] == '\n') {
        ++place.line;
        place.column = 1;
      } else {
        ++place.column;
      }
    }
    at += got;
  }
  return place;
}

std::unique_ptr<ByteSource> OpenFile(const std::string& path) {
  return std::make_unique<FileSource>(std::make_shared<OpenedFile>(path));
}

std::unique_ptr<ByteSource> OpenMemory(std::string name,
                                       std::string_view bytes) {
  return std::make_unique<MemorySource>(std::move(name), bytes);
}

std::string ReadAll(ByteSource& source, std::size_t limit) {
  const auto check = [&source, limit](std::uint64_t bytes) {
    if (bytes <= limit) return;
    throw InputError::Of(source.name(),
                         fmt::format("is larger than {} bytes, the most that "
                                     "is read of such a file",
                                     limit));
  };
  check(source.size());
  std::string all;
  std::vector<char> block(std::size_t{1} << 16);
  while (const std::size_t got = source.Read(block.data(), block.size())) {
    all.append(block.data(), got);
    check(all.size());  // it may have grown
  }
  return all;
}

}  // namespace graph_coverage
