// SPDX-License-Identifier: Apache-2.0
//
// Rules about the tasks of one operator: indistinct-siblings, twin-tasks.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "audit/analysis/order.h"
#include "audit/rules/event_rules.h"
#include "audit/rules/memory_rules.h"

namespace graph_coverage {
namespace {

constexpr const char* kNoMetadata =
    "tasks of this version of the format carry no metadata";

// The operands by which siblings are compared: they name the same tensors.
template <typename Visit>
void EachOperand(const Task& task, bool outputs, const Visit& visit) {
  for (const Operand& operand : task.inputs) visit(operand);
  if (!outputs) return;
  for (const Operand& operand : task.outputs) visit(operand);
}

bool HasRemote(const SlotUse& use) {
  return (use.remote[0] | use.remote[1]) != 0;
}

std::uint64_t HashOf(const Task& task, bool outputs) {
  std::uint64_t hash = 0;
  EachOperand(task, outputs, [&hash](const Operand& operand) {
    hash = (hash ^ Index(operand.layout)) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ static_cast<std::uint64_t>(operand.offset)) *
           0xc4ceb9fe1a85ec53u;
    hash ^= hash >> 29;
  });
  return hash;
}

bool SameOperands(const Task& a, const Task& b, bool outputs) {
  return a.inputs == b.inputs && (!outputs || a.outputs == b.outputs);
}

bool Precedes(Span<Operand> a, Span<Operand> b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const Operand& x, const Operand& y) {
        return std::tuple(x.layout, static_cast<std::uint64_t>(x.offset)) <
               std::tuple(y.layout, static_cast<std::uint64_t>(y.offset));
      });
}

// Whether the offset in one slot grows from each of the siblings to the next:
// then no two name the same, and mostly that is so.
bool AscendInASlot(const View& view, const std::vector<TaskId>& tasks,
                   bool outputs) {
  const Task first = view.task(tasks.front());
  const std::size_t inputs = first.inputs.size();
  const std::size_t slots = inputs + (outputs ? first.outputs.size() : 0);
  const auto offset = [&](TaskId id, std::size_t slot) {
    const Task task = view.task(id);
    return slot < inputs ? task.inputs[slot].offset
                         : task.outputs[slot - inputs].offset;
  };
  for (std::size_t slot = 0; slot < slots; ++slot) {
    std::size_t i = 1;
    while (i < tasks.size() &&
           offset(tasks[i - 1], slot) < offset(tasks[i], slot)) {
      ++i;
    }
    if (i == tasks.size()) return true;
  }
  return false;
}

// The siblings that name the same as others: by inputs, or by all operands.
std::vector<std::vector<TaskId>> Repeated(const View& view,
                                          const std::vector<TaskId>& tasks,
                                          bool outputs) {
  if (AscendInASlot(view, tasks, outputs)) return {};
  std::vector<std::pair<std::uint64_t, TaskId>> hashes;
  hashes.reserve(tasks.size());
  for (const TaskId id : tasks) {
    hashes.push_back({HashOf(view.task(id), outputs), id});
  }
  std::sort(hashes.begin(), hashes.end());
  // Those of one hash that are indeed the same.
  std::vector<std::vector<TaskId>> parts;
  for (std::size_t first = 0; first < hashes.size();) {
    std::size_t last = first + 1;
    while (last < hashes.size() && hashes[last].first == hashes[first].first) {
      ++last;
    }
    const std::size_t parts_before = parts.size();
    for (std::size_t i = first; last - first > 1 && i < last; ++i) {
      const TaskId id = hashes[i].second;
      const auto part = std::find_if(
          parts.begin() + static_cast<std::ptrdiff_t>(parts_before),
          parts.end(), [&](const std::vector<TaskId>& of) {
            return SameOperands(view.task(of.front()), view.task(id), outputs);
          });
      part == parts.end() ? parts.push_back({id}) : part->push_back(id);
    }
    first = last;
  }
  parts.erase(std::remove_if(parts.begin(), parts.end(),
                             [](const std::vector<TaskId>& part) {
                               return part.size() < 2;
                             }),
              parts.end());
  std::sort(parts.begin(), parts.end(),
            [&](const std::vector<TaskId>& a, const std::vector<TaskId>& b) {
              const Task x = view.task(a.front());
              const Task y = view.task(b.front());
              if (!(x.inputs == y.inputs)) return Precedes(x.inputs, y.inputs);
              return Precedes(x.outputs, y.outputs);
            });
  return parts;
}

bool SameMetadata(const View& view, const std::vector<TaskId>& tasks) {
  const std::uint64_t first = view.task(tasks.front()).metadata.Bits();
  return std::all_of(tasks.begin(), tasks.end(), [&](TaskId task) {
    return view.task(task).metadata.Bits() == first;
  });
}

// Whether the metadata grows from each of the tasks to the next: then no two
// are the same in all.
bool AscendInMetadata(const View& view, const std::vector<TaskId>& tasks) {
  const auto bits = [&](TaskId task) {
    return view.task(task).metadata.Bits();
  };
  return std::adjacent_find(tasks.begin(), tasks.end(),
                            [&](TaskId a, TaskId b) {
                              return bits(a) >= bits(b);
                            }) == tasks.end();
}

bool SameWork(const View& view, const std::vector<TaskId>& tasks) {
  const Task first = view.task(tasks.front());
  return std::all_of(tasks.begin(), tasks.end(), [&](TaskId task) {
    return SameOperands(view.task(task), first, true);
  });
}

// Finds the tasks of a group whose written tiles differ and yet share bytes.
class Overlaps {
 public:
  explicit Overlaps(Order& order)
      : order_(order),
        newest_(order.memory().class_count()),
        seen_in_(order.accesses().tiles().size(), kNone) {}

  // Ascending. Each group once.
  std::vector<TaskId> Of(std::uint32_t group) {
    std::vector<TaskId> overlapping;
    for (const TaskId task : order_.groups().tasks(group)) {
      for (const Access& access : order_.accesses().of(task)) {
        if (!access.writes || access.accumulates || access.partial ||
            access.state || seen_in_[access.tile] == group) {
          continue;
        }
        seen_in_[access.tile] = group;
        for (const std::uint32_t region :
             order_.memory().classes(access.tile)) {
          Written& newest = newest_[region];
          if (newest.group != group) {
            newest = {group, access.tile, task};
          } else if (newest.tile != access.tile) {
            overlapping.push_back(task);
            overlapping.push_back(newest.task);
          }
        }
      }
    }
    std::sort(overlapping.begin(), overlapping.end());
    overlapping.erase(std::unique(overlapping.begin(), overlapping.end()),
                      overlapping.end());
    return overlapping;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // The newest group to write a class, and the first of its tiles there.
  struct Written {
    std::uint32_t group = kNone;
    std::uint32_t tile = 0;
    TaskId task{};
  };

  Order& order_;
  std::vector<Written> newest_;         // by class
  std::vector<std::uint32_t> seen_in_;  // by tile: the newest group
};

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
  Overlaps overlaps(order);
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
    for (const std::vector<TaskId>& same : Repeated(rank.view, tasks, true)) {
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
    for (const std::vector<TaskId>& same : Repeated(rank.view, tasks, false)) {
      if (SameWork(rank.view, same) || first.inputs.empty() ||
          reported.count(same.front()) > 0) {
        continue;
      }
      reported.insert(same.begin(), same.end());
      found.Add(same,
                "has tasks with the same inputs and different outputs, and its "
                "branch reads no task_metadata: each computes the same",
                "that inputs or task_metadata tell siblings apart",
                "Give each task the tile of the input that its output is of");
    }
    std::vector<TaskId> overlapping = overlaps.Of(group);
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
    if (AscendInMetadata(rank.view, tasks)) continue;
    for (const std::vector<TaskId>& same : Repeated(rank.view, tasks, true)) {
      if (!SameMetadata(rank.view, same)) continue;
      found.Add(same, "has tasks that are the same in all", "one of them",
                "Drop the others: they do the same work again");
    }
  }
}

}  // namespace graph_coverage
