// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/task_graph_reader.h"

#include <cstdint>
#include <limits>
#include <set>
#include <string>

#include "audit/artifacts/json_members.h"
#include "audit/artifacts/json_scanner.h"
#include "audit/artifacts/nothing_to_audit.h"
#include "audit/artifacts/task_graph_builder.h"
#include "audit/artifacts/task_graph_parts.h"
#include "audit/artifacts/task_reader.h"

namespace graph_coverage {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();

enum TopKey { kAllEvents, kAllTasks, kFirstTasks };
constexpr KeyList kTopKeys = {
    "graph", "a graph", 1,
    0b111,   3,         {"\"all_events\"", "\"all_tasks\"", "\"first_tasks\""}};

class Reader {
 public:
  Reader(ByteSource& source, unsigned threads, std::uint64_t least_part)
      : source_(source),
        threads_(threads),
        least_part_(least_part),
        in_(source),
        out_(source.name(), source.size()) {}

  TaskGraph Read() {
    KeyOrder keys(kTopKeys);
    JsonMembers members(in_, keys, unknown_);
    for (std::size_t key; (key = members.Next()) != JsonMembers::kEnd;) {
      switch (key) {
        case kAllEvents:
          ReadArray(in_, [this] { tasks_.ReadEvent(); });
          break;
        case kAllTasks:
          ReadTasks();
          break;
        case kFirstTasks:
          ReadArray(in_, [this] {
            out_.AddFirstTask(TaskId(in_.Unsigned("a task id", kMost)));
          });
          break;
      }
    }
    in_.ExpectEnd();
    RefuseEmptyGraph(source_.name(), has_work_ || tasks_.has_work(),
                     out_.operand_count());
    out_.format().unknown_keys.assign(unknown_.begin(), unknown_.end());
    return out_.Build();
  }

 private:
  void ReadTasks() {
    in_.Expect('[', "an array, \"[\"");
    const std::uint64_t open = in_.Position();
    if (in_.Consume(']')) return;
    TaskGraphParts parts(source_, open, in_.Mark(), threads_, least_part_);
    for (;;) {
      if (const TaskGraphPart* part = parts.At(in_.Mark(), unknown_)) {
        Take(*part);
        if (part->closed()) return;
        continue;
      }
      tasks_.ReadTask();
      RefuseTooMany();
      if (!in_.Next(']')) return;
    }
  }

  void Take(const TaskGraphPart& part) {
    out_.Append(part.graph());
    RefuseTooMany();
    has_work_ |= part.has_work();
    unknown_.insert(part.unknown().begin(), part.unknown().end());
    in_.SeekTo(part.end());
  }

  void RefuseTooMany() {
    if (out_.task_count() <= kMost && out_.operand_count() <= kMost) return;
    throw InputError::Of(source_.name(),
                         "has more than 4294967295 tasks or operands");
  }

  ByteSource& source_;
  unsigned threads_;
  std::uint64_t least_part_;
  JsonScanner in_;
  TaskGraphBuilder out_;
  std::set<std::string> unknown_;
  TaskReader tasks_{in_, out_, unknown_};
  bool has_work_ = false;  // of parts
};

}  // namespace

TaskGraph ReadTaskGraph(ByteSource& source, unsigned threads,
                        std::uint64_t least_part) {
  return Reader(source, threads, least_part).Read();
}

}  // namespace graph_coverage
