// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/audited.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "graph_coverage/policy_file.h"

namespace graph_coverage {
namespace {

namespace fs = std::filesystem;

// What a gendir's files looked like at some time.
struct Stamp {
  std::string text;  // names, sizes and times of all files
  fs::file_time_type newest = fs::file_time_type::min();
};

// File times tick more slowly than code runs: a file that is written twice
// within this time may show the same time twice.
constexpr std::chrono::milliseconds kFileClockTick{50};

void AddFile(const fs::path& file, std::vector<std::string>* lines,
             fs::file_time_type* newest) {
  std::error_code no_size, no_time;
  const auto size = fs::file_size(file, no_size);
  const auto time = fs::last_write_time(file, no_time);
  if (no_time) return;
  lines->push_back(fmt::format("{} {} {}\n", file.string(), no_size ? 0 : size,
                               time.time_since_epoch().count()));
  *newest = std::max(*newest, time);
}

Stamp StampOf(const fs::path& folder, const AuditOptions& options) {
  Stamp stamp;
  std::vector<std::string> lines;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    AddFile(entry.path(), &lines, &stamp.newest);
  }
  for (const std::string& file :
       {options.runtime_header, options.semantics, options.contract}) {
    if (!file.empty()) AddFile(file, &lines, &stamp.newest);
  }
  std::sort(lines.begin(), lines.end());
  for (const std::string& line : lines) stamp.text += line;
  return stamp;
}

// Texts that hold any string one after the other, each with its length.
class Key {
 public:
  Key& Add(std::string_view text) {
    text_ += fmt::format("{}:{}", text.size(), text);
    return *this;
  }
  template <typename Number>
  Key& AddNumber(Number number) {
    return Add(fmt::format("{}", static_cast<std::uint64_t>(number)));
  }
  template <typename Range, typename AddItem>
  Key& AddAll(const Range& range, AddItem&& add_item) {
    AddNumber(range.size());
    for (const auto& item : range) add_item(item);
    return *this;
  }
  Key& AddTexts(const std::vector<std::string>& texts) {
    return AddAll(texts, [this](const std::string& text) { Add(text); });
  }
  template <typename Number>
  Key& AddNumbers(const std::vector<Number>& numbers) {
    return AddAll(numbers, [this](Number number) { AddNumber(number); });
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Everything a report depends on but the files. The bindings name each member,
// so that a new one does not compile until it is added here.
std::string KeyOf(const fs::path& folder, const AuditOptions& options) {
  Key key;
  key.Add(folder.string());
  const auto& [policy, ranks, runtime_header, semantics, contract, jobs,
               progress] = options;
  static_cast<void>(jobs);  // the report is the same for any
  static_cast<void>(progress);
  key.AddNumber(ranks.has_value());
  if (ranks) key.AddNumbers(*ranks);
  key.Add(runtime_header).Add(semantics).Add(contract);

  const auto& [critical, runtime_buffers, required, layer_prefixes, layer_kinds,
               own_semantics, severities, off, waivers, require, fail_on, file,
               today] = policy;
  key.AddNumber(critical.has_value());
  if (critical) key.AddTexts(*critical);
  key.AddTexts(runtime_buffers).AddTexts(required);
  key.AddNumber(layer_prefixes.has_value());
  if (layer_prefixes) key.AddTexts(*layer_prefixes);
  key.AddAll(layer_kinds, [&key](const LayerKind& kind) {
    const auto& [layers, reason, prefix] = kind;
    key.AddNumbers(layers).Add(reason).Add(prefix);
  });
  key.Add(own_semantics).Add(file).Add(today);
  key.AddAll(severities, [&key](const auto& severity) {
    key.Add(severity.first).AddNumber(severity.second);
  });
  key.AddTexts(off);
  key.AddAll(waivers, [&key](const Waiver& waiver) {
    const auto& [rule, tensor, layers, waived_ranks, reason, expires] = waiver;
    key.Add(rule).Add(tensor).AddNumbers(layers).AddNumbers(waived_ranks);
    key.Add(reason).Add(expires);
  });
  key.AddTexts(require).AddNumber(fail_on);
  return key.text();
}

struct Entry {
  std::mutex busy;  // held while the gendir is audited
  std::string stamp;
  bool settled = false;  // an unchanged stamp means unchanged files
  std::shared_ptr<const Report> report;
};

std::shared_ptr<Entry> EntryOf(const std::string& key) {
  static std::mutex busy;
  static std::map<std::string, std::shared_ptr<Entry>> entries;
  const std::lock_guard<std::mutex> lock(busy);
  std::shared_ptr<Entry>& entry = entries[key];
  if (entry == nullptr) entry = std::make_shared<Entry>();
  return entry;
}

}  // namespace

std::shared_ptr<const Report> Audited(const Gendir& gendir,
                                      const AuditOptions& given) {
  if (gendir.in_memory()) {
    return std::make_shared<const Report>(Audit(gendir, given));
  }
  AuditOptions options = given;
  try {
    options.policy = PolicyFor(gendir, given.policy);
  } catch (const InputError&) {  // which the report then says
    return std::make_shared<const Report>(Audit(gendir, given));
  }
  std::error_code error;
  fs::path folder = fs::weakly_canonical(gendir.name(), error);
  if (error) folder = gendir.name();

  const std::shared_ptr<Entry> entry = EntryOf(KeyOf(folder, options));
  const std::lock_guard<std::mutex> lock(entry->busy);
  const auto now = fs::file_time_type::clock::now();
  Stamp stamp = StampOf(folder, options);
  if (entry->report == nullptr || !entry->settled ||
      entry->stamp != stamp.text) {
    entry->report = std::make_shared<const Report>(Audit(gendir, options));
    entry->settled = stamp.newest < now - kFileClockTick;
    entry->stamp = std::move(stamp.text);
  }
  return entry->report;
}

}  // namespace graph_coverage
