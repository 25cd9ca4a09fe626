// SPDX-License-Identifier: Apache-2.0
//
// A line on a terminal that says how far a command is.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

// Shows what `text` says, from the second second on, until it is destroyed;
// nothing where the standard error is no terminal. `text` is called from a
// thread of the line's own.
class ProgressLine {
 public:
  explicit ProgressLine(std::function<std::string()> text);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void Run();

  const std::function<std::string()> text_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};
