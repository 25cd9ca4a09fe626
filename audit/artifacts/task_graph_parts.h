// SPDX-License-Identifier: Apache-2.0
//
// Tasks of a large task graph, read by several threads at once. Where a task
// may begin is guessed from how the text is laid out. A part counts only if the
// reader before it comes to just that byte and would read a task there: then
// both would read the same, for what a task says does not depend on others.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "audit/artifacts/byte_source.h"
#include "audit/artifacts/json_scanner.h"
#include "audit/artifacts/task_graph_builder.h"
#include "graph_coverage/model/task_graph.h"

namespace graph_coverage {

// Tasks one after the other, from a byte where one may begin.
class TaskGraphPart {
 public:
  // Reads until a task begins at `limit` or later, or until the array closes.
  TaskGraphPart(std::unique_ptr<ByteSource> source, std::uint64_t begin,
                std::uint64_t limit);
  ~TaskGraphPart();
  TaskGraphPart(const TaskGraphPart&) = delete;
  TaskGraphPart& operator=(const TaskGraphPart&) = delete;

  std::uint64_t begin() const { return begin_; }
  // Waits for the end. Whether there was no fault; what follows says what was
  // read.
  bool Finish();

  const TaskGraph& graph() const { return graph_; }
  bool has_work() const { return has_work_; }
  const std::set<std::string>& unknown() const { return unknown_; }
  // Where the next task begins, or where the array ended.
  std::uint64_t end() const { return end_; }
  bool closed() const { return closed_; }

 private:
  void Read();

  std::unique_ptr<ByteSource> source_;
  std::uint64_t begin_;
  std::uint64_t limit_;
  // Made by the thread that starts the part: its heap has the larger pages.
  JsonScanner in_;
  TaskGraphBuilder out_;
  TaskGraph graph_;
  bool has_work_ = false;
  std::set<std::string> unknown_;
  std::uint64_t end_ = 0;
  bool closed_ = false;
  bool good_ = false;
  std::atomic<bool> unwanted_{false};
  std::thread thread_;
};

class TaskGraphParts {
 public:
  // Starts threads - 1 parts, or as many of at least `least` bytes as there
  // are. `open` is the byte behind the array's bracket, `first` where its first
  // task begins.
  TaskGraphParts(const ByteSource& source, std::uint64_t open,
                 std::uint64_t first, unsigned threads, std::uint64_t least);

  // The part that begins at a byte and has no fault, null where there is none.
  // Bytes count up. Nor is there one with more unknown keys, together with
  // those met before, than are noted.
  const TaskGraphPart* At(std::uint64_t byte,
                          const std::set<std::string>& unknown);

 private:
  std::vector<std::unique_ptr<TaskGraphPart>> parts_;  // by begin
  std::size_t next_ = 0;
};

}  // namespace graph_coverage
