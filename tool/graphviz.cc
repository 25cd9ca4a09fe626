// SPDX-License-Identifier: Apache-2.0
#include "tool/graphviz.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>
#include <utility>

namespace {

// A file without a name, which is gone when it is closed.
class TemporaryFile {
 public:
  TemporaryFile() : file_(std::tmpfile()) {}
  ~TemporaryFile() {
    if (file_ != nullptr) std::fclose(file_);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool ok() const { return file_ != nullptr; }
  int descriptor() const { return ::fileno(file_); }

  bool Write(std::string_view text) {
    return std::fwrite(text.data(), 1, text.size(), file_) == text.size();
  }
  // Makes what was written readable from the start.
  bool Rewind() {
    return std::fflush(file_) == 0 && std::fseek(file_, 0, SEEK_SET) == 0;
  }
  std::string Read() {
    std::string text;
    char buffer[1 << 16];
    while (const std::size_t size =
               std::fread(buffer, 1, sizeof buffer, file_)) {
      text.append(buffer, size);
    }
    return text;
  }

 private:
  std::FILE* file_;
};

// Whether `dot -Tsvg` ran well.
bool RunDot(const TemporaryFile& input, const TemporaryFile& output) {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return false;
  ::posix_spawn_file_actions_adddup2(&actions, input.descriptor(),
                                     STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output.descriptor(),
                                     STDOUT_FILENO);
  // What it says of fonts and sizes is for no one.
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
  char program[] = "dot";
  char format[] = "-Tsvg";
  char* arguments[] = {program, format, nullptr};
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, program, &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return false;
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

// The SVG without comments and titles, which are half of it.
std::string Trimmed(std::string_view svg) {
  constexpr std::pair<std::string_view, std::string_view> kParts[] = {
      {"<!--", "-->"}, {"<title>", "</title>"}};
  std::string trimmed(svg);
  for (const auto& [first, last] : kParts) {
    std::size_t start = 0;
    while ((start = trimmed.find(first, start)) != std::string::npos) {
      const std::size_t end = trimmed.find(last, start);
      if (end == std::string::npos) break;
      trimmed.erase(start, end + last.size() - start);
    }
  }
  return trimmed;
}

}  // namespace

std::vector<std::string> DrawWithGraphviz(
    const std::vector<std::string>& drawings) {
  constexpr std::string_view kStart = "<svg";
  constexpr std::string_view kEnd = "</svg>";
  const std::vector<std::string> none(drawings.size());
  TemporaryFile input;
  TemporaryFile output;
  if (drawings.empty() || !input.ok() || !output.ok()) return none;
  for (const std::string& drawing : drawings) {
    if (!input.Write(drawing)) return none;
  }
  if (!input.Rewind() || !RunDot(input, output) || !output.Rewind()) {
    return none;
  }
  const std::string text = output.Read();
  std::vector<std::string> drawn;
  std::size_t end = 0;
  while (true) {
    const std::size_t start = text.find(kStart, end);
    if (start == std::string::npos) break;
    end = text.find(kEnd, start);
    if (end == std::string::npos) return none;
    end += kEnd.size();
    drawn.push_back(Trimmed(std::string_view(text).substr(start, end - start)));
  }
  return drawn.size() == drawings.size() ? drawn : none;
}
