// SPDX-License-Identifier: Apache-2.0
//
// Rules about the tasks of one operator: indistinct-siblings, twin-tasks.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "audit/analysis/order.h"
#include "audit/rules/event_rules.h"
#include "audit/rules/memory_rules.h"

namespace graph_coverage {
namespace {

constexpr const char* kNoMetadata =
    "tasks of this version of the format carry no metadata";

using Words = std::vector<std::uint64_t>;

void Append(Span<Operand> operands, Words* words) {
  for (const Operand& operand : operands) {
    words->push_back(Index(operand.tensor));
    words->push_back(Index(operand.layout));
    words->push_back(static_cast<std::uint64_t>(operand.offset));
  }
}

Words InputsOf(const Task& task) {
  Words words;
  Append(task.inputs, &words);
  return words;
}

Words OperandsOf(const Task& task) {
  Words words = InputsOf(task);
  Append(task.outputs, &words);
  return words;
}

bool HasRemote(const SlotUse& use) {
  return (use.remote[0] | use.remote[1]) != 0;
}

// Siblings by what they name.
std::map<Words, std::vector<TaskId>> Parted(const View& view,
                                            const std::vector<TaskId>& tasks,
                                            Words (*by)(const Task& task)) {
  std::map<Words, std::vector<TaskId>> parts;
  for (const TaskId task : tasks) parts[by(view.task(task))].push_back(task);
  return parts;
}

// Whether two tasks may name the same; a quick look before they are parted.
bool MayRepeat(const View& view, const std::vector<TaskId>& tasks,
               bool outputs) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(tasks.size());
  for (const TaskId id : tasks) {
    const Task task = view.task(id);
    std::uint64_t hash = 0;
    const auto add = [&hash](Span<Operand> operands) {
      for (const Operand& operand : operands) {
        hash = (hash ^ Index(operand.tensor)) * 0x9e3779b97f4a7c15u;
        hash = (hash ^ Index(operand.layout)) * 0xff51afd7ed558ccdu;
        hash = (hash ^ static_cast<std::uint64_t>(operand.offset)) *
               0xc4ceb9fe1a85ec53u;
        hash ^= hash >> 29;
      }
    };
    add(task.inputs);
    if (outputs) add(task.outputs);
    hashes.push_back(hash);
  }
  std::sort(hashes.begin(), hashes.end());
  return std::adjacent_find(hashes.begin(), hashes.end()) != hashes.end();
}

// The siblings that name the same as others: by inputs, or by all operands.
std::map<Words, std::vector<TaskId>> Repeated(const View& view,
                                              const std::vector<TaskId>& tasks,
                                              bool outputs) {
  if (!MayRepeat(view, tasks, outputs)) return {};
  auto parts = Parted(view, tasks, outputs ? OperandsOf : InputsOf);
  for (auto at = parts.begin(); at != parts.end();) {
    at = at->second.size() < 2 ? parts.erase(at) : std::next(at);
  }
  return parts;
}

bool SameMetadata(const View& view, const std::vector<TaskId>& tasks) {
  const std::uint64_t first = view.task(tasks.front()).metadata.Bits();
  return std::all_of(tasks.begin(), tasks.end(), [&](TaskId task) {
    return view.task(task).metadata.Bits() == first;
  });
}

// Whether siblings are alike in what they write, but for whole tiles. Tasks
// whose written tiles differ and yet share bytes.
std::vector<TaskId> Overlapping(const RankContext& rank,
                                const std::vector<TaskId>& tasks) {
  Order& order = rank.analyses.order();
  std::map<std::uint32_t, std::uint32_t> tile_of_class;
  std::set<TaskId> overlapping;
  std::map<std::uint32_t, TaskId> first_of_class;
  std::set<std::uint32_t> seen;
  for (const TaskId task : tasks) {
    for (const Access& access : order.accesses().of(task)) {
      if (!access.writes || access.accumulates || access.partial ||
          access.state || !seen.insert(access.tile).second) {
        continue;
      }
      for (const std::uint32_t region : order.memory().classes(access.tile)) {
        const auto [at, added] = tile_of_class.emplace(region, access.tile);
        if (added) {
          first_of_class.emplace(region, task);
        } else if (at->second != access.tile) {
          overlapping.insert(task);
          overlapping.insert(first_of_class.at(region));
        }
      }
    }
  }
  return {overlapping.begin(), overlapping.end()};
}

// Findings fold over operators of a type: one for each text.
class Collector {
 public:
  Collector(const RankContext& rank, Judgement& judgement)
      : rank_(rank), judgement_(judgement) {}

  void Add(const std::vector<TaskId>& tasks, const std::string& found,
           const char* expected, const char* advice) {
    const std::string type =
        rank_.view.TypeName(rank_.view.task(tasks.front()).type);
    const auto [at, added] =
        position_.emplace(std::pair(type, found), judgement_.findings().size());
    if (added) {
      Finding& finding = judgement_.Add();
      finding.task_type = type;
      finding.found = found;
      finding.expected = expected;
      finding.advice = advice;
      finding.count = 0;
      finding.places.push_back({rank_.view.graph_file(), 0, 0, 0});
    }
    Finding& finding = judgement_.findings()[at->second];
    finding.count += tasks.size();
    for (const TaskId task : tasks) finding.tasks.push_back({task, task});
  }

 private:
  const RankContext& rank_;
  Judgement& judgement_;
  std::map<std::pair<std::string, std::string>, std::size_t> position_;
};

}  // namespace

void JudgeIndistinctSiblings(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  Order& order = rank.analyses.order();
  Collector found(rank, judgement);
  for (std::uint32_t group = 0; group < order.groups().count(); ++group) {
    const std::vector<TaskId>& tasks = order.groups().tasks(group);
    if (tasks.size() < 2) continue;
    const Task first = rank.view.task(tasks.front());
    const SlotUse& use = order.accesses().use(first.type, first.variant);
    if (first.metadata.keys == 0) {
      judgement.CouldNotJudge(kNoMetadata);
      continue;
    }
    if (!use.branch) {
      judgement.CouldNotJudge("no dispatch branch of the type is known");
      continue;
    }
    if (!use.known) {
      judgement.CouldNotJudge("the semantics table lacks the type");
      continue;
    }
    judgement.Judged();
    // A put takes its target from the event it triggers.
    if (use.metadata || HasRemote(use)) continue;
    std::set<TaskId> reported;
    for (const auto& [words, same] : Repeated(rank.view, tasks, true)) {
      if (SameMetadata(rank.view, same)) continue;
      reported.insert(same.begin(), same.end());
      found.Add(same,
                "has tasks with the same operands and different request ids, "
                "and its branch reads no task_metadata: none can know which "
                "one it is",
                "that operands or task_metadata tell siblings apart",
                "Pass task_metadata.request_id to the kernel, or give each "
                "task its own tile");
    }
    for (const auto& [words, same] : Repeated(rank.view, tasks, false)) {
      if (Parted(rank.view, same, OperandsOf).size() < 2 ||
          first.inputs.empty() || reported.count(same.front()) > 0) {
        continue;
      }
      reported.insert(same.begin(), same.end());
      found.Add(same,
                "has tasks with the same inputs and different outputs, and its "
                "branch reads no task_metadata: each computes the same",
                "that inputs or task_metadata tell siblings apart",
                "Give each task the tile of the input that its output is of");
    }
    std::vector<TaskId> overlapping = Overlapping(rank, tasks);
    overlapping.erase(std::remove_if(overlapping.begin(), overlapping.end(),
                                     [&reported](TaskId task) {
                                       return reported.count(task) > 0;
                                     }),
                      overlapping.end());
    if (!overlapping.empty()) {
      found.Add(overlapping,
                "has tasks whose output tiles overlap: the last to run decides "
                "what is there",
                "that the tiles of one operator lie apart",
                "Mend the offsets or dims of the tiles");
    }
  }
}

void JudgeTwinTasks(const RankContext& rank, Judgement& judgement) {
  if (!HasEvents(rank, judgement)) return;
  Order& order = rank.analyses.order();
  Collector found(rank, judgement);
  for (std::uint32_t group = 0; group < order.groups().count(); ++group) {
    const std::vector<TaskId>& tasks = order.groups().tasks(group);
    if (tasks.size() < 2) continue;
    const Task first = rank.view.task(tasks.front());
    if (HasRemote(order.accesses().use(first.type, first.variant))) continue;
    if (first.metadata.keys == 0) {
      judgement.CouldNotJudge(kNoMetadata);
      continue;
    }
    judgement.Judged();
    for (const auto& [words, same] : Repeated(rank.view, tasks, true)) {
      if (!SameMetadata(rank.view, same)) continue;
      found.Add(same, "has tasks that are the same in all", "one of them",
                "Drop the others: they do the same work again");
    }
  }
}

}  // namespace graph_coverage
