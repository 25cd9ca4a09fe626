// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/task_graph_parts.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "audit/artifacts/json_members.h"
#include "audit/artifacts/task_reader.h"

namespace graph_coverage {
namespace {

// What stands between two tasks: "}," and what the first task is set off by,
// which must be a line end at least. Strings hold none.
std::optional<std::string> Separator(ByteSource& source, std::uint64_t open,
                                     std::uint64_t first) {
  constexpr std::uint64_t kMostGap = 64;
  if (first - open > kMostGap) return std::nullopt;
  std::string gap(first - open, ' ');
  source.Seek(open);
  if (source.Read(gap.data(), gap.size()) != gap.size() ||
      gap.find('\n') == std::string::npos) {
    return std::nullopt;
  }
  return "}," + gap + "{";
}

// Where the first task behind a byte seems to begin.
std::optional<std::uint64_t> Beginning(ByteSource& source, std::uint64_t byte,
                                       const std::string& separator) {
  std::string block(std::size_t{1} << 16, '\0');
  source.Seek(byte);
  const std::size_t got = source.Read(block.data(), block.size());
  const std::size_t at = std::string_view(block).substr(0, got).find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  return byte + at + separator.size() - 1;
}

}  // namespace

TaskGraphPart::TaskGraphPart(std::unique_ptr<ByteSource> source,
                             std::uint64_t begin, std::uint64_t limit)
    : source_(std::move(source)),
      begin_(begin),
      limit_(limit),
      in_(*source_, begin),
      out_(source_->name(), std::min(limit, source_->size() + begin) - begin),
      thread_([this] { Read(); }) {}

TaskGraphPart::~TaskGraphPart() {
  unwanted_ = true;
  if (thread_.joinable()) thread_.join();
}

bool TaskGraphPart::Finish() {
  thread_.join();
  return good_;
}

void TaskGraphPart::Read() {
  try {
    TaskReader tasks(in_, out_, unknown_);
    do {
      if (unwanted_) return;
      tasks.ReadTask();
      closed_ = !in_.Next(']');
      end_ = closed_ ? in_.Position() : in_.Mark();
    } while (!closed_ && end_ < limit_);
    has_work_ = tasks.has_work();
    graph_ = out_.Build();
    good_ = true;
  } catch (const std::exception&) {
    // The reader before this one comes to the fault itself.
  }
}

TaskGraphParts::TaskGraphParts(const ByteSource& source, std::uint64_t open,
                               std::uint64_t first, unsigned threads,
                               std::uint64_t least) {
  const std::uint64_t size = source.size();
  if (size < first) return;
  const std::uint64_t count = std::min<std::uint64_t>(
      threads, (size - first) / std::max<std::uint64_t>(least, 1));
  if (count < 2) return;
  const std::unique_ptr<ByteSource> look = source.Reopen();
  const auto separator = Separator(*look, open, first);
  if (!separator) return;
  std::vector<std::uint64_t> begins;
  for (std::uint64_t i = 1; i < count; ++i) {
    const auto begin =
        Beginning(*look, first + (size - first) / count * i, *separator);
    if (begin && (begins.empty() || begins.back() < *begin)) {
      begins.push_back(*begin);
    }
  }
  begins.push_back(std::numeric_limits<std::uint64_t>::max());
  try {
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
      parts_.push_back(std::make_unique<TaskGraphPart>(
          source.Reopen(), begins[i], begins[i + 1]));
    }
  } catch (const std::system_error&) {
    // No more threads: the reader does the rest.
  }
}

const TaskGraphPart* TaskGraphParts::At(std::uint64_t byte,
                                        const std::set<std::string>& unknown) {
  while (next_ < parts_.size() && parts_[next_]->begin() < byte) {
    parts_[next_++].reset();
  }
  if (next_ == parts_.size() || parts_[next_]->begin() != byte) return nullptr;
  TaskGraphPart& part = *parts_[next_++];
  if (!part.Finish()) return nullptr;
  std::set<std::string> all = unknown;
  all.insert(part.unknown().begin(), part.unknown().end());
  return all.size() < JsonMembers::kMaxUnknownKeys ? &part : nullptr;
}

}  // namespace graph_coverage
