// SPDX-License-Identifier: Apache-2.0
#include "audit/report/finding_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace graph_coverage {
namespace {

// FNV-1a, 32 bits.
class NameHash {
 public:
  void Add(std::string_view text) {
    for (const char c : text) AddByte(static_cast<unsigned char>(c));
    AddByte(0xff);  // in no UTF-8 text: parts cannot run together
  }
  std::uint32_t value() const { return value_; }

 private:
  void AddByte(unsigned char byte) { value_ = (value_ ^ byte) * 0x01000193; }

  std::uint32_t value_ = 0x811c9dc5;
};

// Adds the words of a sentence but for its numbers, and the plural of what they
// count, which an edit elsewhere changes. Numbers of slots and variants stay.
void AddWithoutNumbers(std::string_view sentence, NameHash* hash) {
  bool numbered = false;
  bool counted = false;
  while (!sentence.empty()) {
    const std::string_view word = sentence.substr(0, sentence.find(' '));
    sentence.remove_prefix(std::min(word.size() + 1, sentence.size()));
    const std::size_t first = word.find_first_not_of("([{-");
    const bool number =
        first != std::string_view::npos &&
        std::isdigit(static_cast<unsigned char>(word[first])) != 0;
    if (!number || numbered) {
      const bool plural = counted && word.size() > 1 && word.back() == 's';
      hash->Add(word.substr(0, word.size() - (plural ? 1 : 0)));
    }
    counted = number;
    numbered = word == "slot" || word == "variant";
  }
}

class IdWriter {
 public:
  explicit IdWriter(const std::vector<View>& views) : views_(views) {}

  void Assign(Finding* finding) {
    std::string id = fmt::format("{:08x}", HashOf(*finding));
    const std::uint32_t use = ++uses_[id];
    if (use > 1) id += fmt::format("-{}", use);
    finding->id = std::move(id);
    for (Finding& consequence : finding->consequences) Assign(&consequence);
  }

 private:
  std::uint32_t HashOf(const Finding& finding) {
    NameHash hash;
    hash.Add(finding.rule);
    hash.Add(finding.task_type);
    for (const std::string& member : finding.members) hash.Add(member);
    for (const std::uint32_t layer : finding.layers) {
      hash.Add(std::to_string(layer));
    }
    AddWithoutNumbers(finding.found, &hash);
    if (finding.members.empty()) AddFirstTask(finding, &hash);
    return hash.value();
  }

  void AddFirstTask(const Finding& finding, NameHash* hash) {
    const auto view = std::find_if(
        views_.begin(), views_.end(), [&finding](const View& candidate) {
          return !finding.ranks.empty() &&
                 candidate.rank() == finding.ranks.front();
        });
    if (view == views_.end()) return;
    const std::optional<TaskId> id = FirstTask(*view, finding);
    if (!id) return;
    const Task task = view->task(*id);
    hash->Add(view->TypeName(task.type));
    for (const Operand& operand : task.inputs) {
      const Declaration* declaration = view->declaration(operand.tensor);
      if (declaration != nullptr &&
          (declaration->kind == TensorKind::kAttached ||
           declaration->kind == TensorKind::kShuffled)) {
        hash->Add(declaration->name);
      }
    }
  }

  // The first task that the finding names, else the first that triggers its
  // event or waits for it.
  std::optional<TaskId> FirstTask(const View& view, const Finding& finding) {
    if (!finding.tasks.empty()) {
      const TaskId first = finding.tasks.front().first;
      return Index(first) < view.task_count() ? std::optional(first)
                                              : std::nullopt;
    }
    if (!finding.event) return std::nullopt;
    const auto [of_events, added] = first_tasks_.try_emplace(&view);
    if (added) of_events->second = FirstTasks(view);
    const auto at = of_events->second.find(*finding.event);
    if (at == of_events->second.end()) return std::nullopt;
    return at->second;
  }

  // By event index, the first task that triggers the event or waits for it.
  static std::unordered_map<std::uint32_t, TaskId> FirstTasks(
      const View& view) {
    std::unordered_map<std::uint32_t, TaskId> first;
    for (std::size_t i = 0; i < view.task_count(); ++i) {
      const Task task = view.task(TaskId(i));
      for (const EventId event : {task.trigger, task.dependent}) {
        if (!event.none()) first.emplace(event.index(), TaskId(i));
      }
    }
    return first;
  }

  const std::vector<View>& views_;
  std::map<std::string, std::uint32_t> uses_;
  std::map<const View*, std::unordered_map<std::uint32_t, TaskId>> first_tasks_;
};

}  // namespace

void AssignFindingIds(const std::vector<View>& views, Report* report) {
  IdWriter writer(views);
  for (Finding& finding : report->findings) writer.Assign(&finding);
  for (WaivedFinding& waived : report->waived) writer.Assign(&waived.finding);
}

}  // namespace graph_coverage
