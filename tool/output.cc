// SPDX-License-Identifier: Apache-2.0
#include "tool/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

#include "tool/commands.h"

namespace {

[[noreturn]] void FailToWrite(const std::string& path, int error) {
  throw UsageError(
      path + ": cannot be written: " + std::generic_category().message(error));
}

// Zero, or the error number.
int WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

void WriteToStandardOutput(const std::string& text) {
  const int error = WriteAll(STDOUT_FILENO, text);
  if (error != 0) FailToWrite("standard output", error);
}

void WriteToFile(const std::string& path, const std::string& text) {
  // What is no regular file, /dev/stdout say, has no content to keep.
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const int error = fd < 0 ? errno : WriteAll(fd, text);
    if (fd >= 0) ::close(fd);
    if (error != 0) FailToWrite(path, error);
    return;
  }
  std::string temporary = path + ".XXXXXX";
  const int fd = ::mkstemp(temporary.data());
  if (fd < 0) FailToWrite(path, errno);
  int error = WriteAll(fd, text);
  // mkstemp makes a private file; a report is as readable as any other.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (error == 0 && ::fchmod(fd, 0666 & ~mask) != 0) error = errno;
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    ::unlink(temporary.c_str());
    FailToWrite(path, error);
  }
}

void Print(const std::string& text, const std::string& output) {
  if (output.empty()) {
    WriteToStandardOutput(text);
  } else {
    WriteToFile(output, text);
  }
}
