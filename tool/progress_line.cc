// SPDX-License-Identifier: Apache-2.0
#include "tool/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

ProgressLine::ProgressLine(std::function<std::string()> text)
    : text_(std::move(text)) {
  if (::isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { Run(); });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void ProgressLine::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  bool shown = false;
  while (!changed_.wait_for(lock, std::chrono::seconds(1),
                            [this] { return done_; })) {
    fmt::print(stderr, "\r{}\x1b[K", text_());
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\x1b[K");
}
