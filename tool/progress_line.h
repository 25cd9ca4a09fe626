// SPDX-License-Identifier: Apache-2.0
//
// A line that says how far a command is: on a terminal all the time, in a log
// now and then.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

// Shows what `text` says, from the second second on, until it is destroyed.
// Where the standard error is no terminal it writes a line each time that
// `tenths` of the work are done, or without `tenths` nothing. Both are called
// from a thread of the line's own.
class ProgressLine {
 public:
  explicit ProgressLine(std::function<std::string()> text,
                        std::function<unsigned()> tenths = nullptr);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void Show();
  void Log();
  // False after a second in which the line was not destroyed.
  bool DoneWithinASecond();

  const std::function<std::string()> text_;
  const std::function<unsigned()> tenths_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};
