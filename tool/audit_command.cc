// SPDX-License-Identifier: Apache-2.0
//
// audit: the audit of one or several gendirs.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/progress.h"
#include "graph_coverage/write.h"
#include "tool/commands.h"
#include "tool/output.h"

namespace {

using graph_coverage::AuditOptions;
using graph_coverage::Progress;
using graph_coverage::Report;
using graph_coverage::Verdict;

// Says on a terminal how far an audit is, from its second second on.
class ProgressLine {
 public:
  explicit ProgressLine(const Progress& progress) : progress_(progress) {
    if (::isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { Run(); });
  }
  ~ProgressLine() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void Run() {
    std::unique_lock<std::mutex> lock(mutex_);
    bool shown = false;
    while (!changed_.wait_for(lock, std::chrono::seconds(1),
                              [this] { return done_; })) {
      fmt::print(stderr, "\rread {} of {} ranks …", progress_.ranks_read.load(),
                 progress_.ranks.load());
      std::fflush(stderr);
      shown = true;
    }
    if (shown) fmt::print(stderr, "\r\x1b[K");
  }

  const Progress& progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

AuditOptions OptionsOf(const AuditArguments& arguments) {
  AuditOptions options;
  if (!arguments.critical.empty()) {
    options.policy.critical = arguments.critical;
  }
  options.policy.require = arguments.require;
  options.policy.fail_on = *graph_coverage::ParseSeverity(arguments.fail_on);
  if (!arguments.ranks.empty()) {
    options.ranks.emplace();
    for (const std::uint32_t rank : arguments.ranks) {
      options.ranks->push_back(graph_coverage::RankId(rank));
    }
  }
  options.runtime_header = arguments.runtime_header;
  options.semantics = arguments.semantics;
  options.jobs = arguments.jobs;
  return options;
}

bool UseColour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 &&
         (no_colour == nullptr || *no_colour == '\0');
}

std::string Render(const std::vector<Report>& reports,
                   const std::string& format, bool colour) {
  if (format == "json") return graph_coverage::WriteJson(reports);
  std::string text;
  for (const Report& report : reports) {
    if (!text.empty()) text += "\n";
    text += graph_coverage::WriteText(report, {colour});
  }
  return text;
}

int ExitCodeOf(const std::vector<Report>& reports) {
  int code = kExitPass;
  for (const Report& report : reports) {
    code = std::max(code, report.verdict == Verdict::kInvalid ? kExitBadInput
                          : report.verdict == Verdict::kFail  ? kExitFail
                                                              : kExitPass);
  }
  return code;
}

}  // namespace

int RunAudit(const AuditArguments& arguments) {
  std::vector<std::string> gendirs = arguments.gendirs;
  if (gendirs.empty()) gendirs.push_back(".");

  AuditOptions options = OptionsOf(arguments);
  Progress progress;
  options.progress = &progress;
  std::vector<Report> reports;
  {
    const ProgressLine line(progress);
    for (const std::string& gendir : gendirs) {
      reports.push_back(graph_coverage::Audit(gendir, options));
    }
  }
  for (const Report& report : reports) {
    for (const graph_coverage::InputError& error : report.errors) {
      fmt::print(stderr, "error: {}\n", error.what());
    }
  }
  if (arguments.output.empty()) {
    WriteToStandardOutput(Render(reports, arguments.format, UseColour()));
  } else {
    WriteToFile(arguments.output, Render(reports, arguments.format, false));
  }
  return ExitCodeOf(reports);
}
