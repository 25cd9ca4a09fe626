// SPDX-License-Identifier: Apache-2.0
#include "tool/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

ProgressLine::ProgressLine(std::function<std::string()> text,
                           std::function<unsigned()> tenths)
    : text_(std::move(text)), tenths_(std::move(tenths)) {
  if (::isatty(STDERR_FILENO) != 0) {
    thread_ = std::thread([this] { Show(); });
  } else if (tenths_) {
    thread_ = std::thread([this] { Log(); });
  }
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

bool ProgressLine::DoneWithinASecond() {
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(1),
                           [this] { return done_; });
}

void ProgressLine::Show() {
  bool shown = false;
  while (!DoneWithinASecond()) {
    fmt::print(stderr, "\r{}\x1b[K", text_());
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\x1b[K");
}

void ProgressLine::Log() {
  unsigned logged = 0;
  while (!DoneWithinASecond()) {
    const unsigned tenths = tenths_();
    if (tenths > logged) fmt::print(stderr, "{}\n", text_());
    logged = tenths;
  }
}
