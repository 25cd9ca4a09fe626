// SPDX-License-Identifier: Apache-2.0
#include "audit/rules/task_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "audit/analysis/accesses.h"
#include "audit/model/one_line.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

bool SameEvent(EventId a, EventId b) {
  if (a.none() || b.none()) return a == b;
  return a.index() == b.index() && a.nvshmem() == b.nvshmem();
}

std::string KindText(const View& view, TaskId id) {
  const Task task = view.task(id);
  return fmt::format("{} variant {} as task {}", view.TypeName(task.type),
                     task.variant, Index(id));
}

std::string CountsText(const Task& task) {
  return fmt::format("{} and {}", Counted(task.inputs.size(), "input"),
                     Counted(task.outputs.size(), "output"));
}

std::string TaskEventsText(const Task& task) {
  std::ostringstream text;
  text << "waits for " << task.dependent << " and triggers " << task.trigger;
  return text.str();
}

class TaskComparison {
 public:
  TaskComparison(const RankContext& usual, const RankContext& odd,
                 RankDifferences& differences)
      : odd_(odd), a_(usual.view), b_(odd.view), differences_(differences) {
    tensors_.reserve(b_.tensor_count());
    for (std::uint32_t i = 0; i < b_.tensor_count(); ++i) {
      tensors_.push_back(a_.FindTensor(b_.tensor_name(TensorId(i))));
    }
  }

  void Run() {
    if (a_.task_count() != b_.task_count()) {
      differences_.Add(fmt::format("The graph has {} tasks", b_.task_count()),
                       fmt::format("{}, as on other ranks", a_.task_count()),
                       Counted(a_.task_count(), "task"),
                       Counted(b_.task_count(), "task"));
    }
    const std::size_t count = std::min(a_.task_count(), b_.task_count());
    std::map<TaskKey, std::vector<TaskId>> found;
    std::vector<TaskId> kinds;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto id = TaskId(i);
      const Task x = a_.task(id);
      const Task y = b_.task(id);
      if (x.type != y.type || x.variant != y.variant) {
        kinds.push_back(id);
        continue;
      }
      const auto add = [&](What what) {
        found[{what, y.type, y.variant, {}, {}, {}}].push_back(id);
      };
      if (x.inputs.size() != y.inputs.size() ||
          x.outputs.size() != y.outputs.size()) {
        add(What::kOperands);
      }
      CompareOperands(id, x, y, false, &found);
      CompareOperands(id, x, y, true, &found);
      if (x.metadata.Bits() != y.metadata.Bits() ||
          x.metadata.task_offset != y.metadata.task_offset) {
        add(What::kMetadata);
      }
      if (!SameEvent(x.trigger, y.trigger) ||
          !SameEvent(x.dependent, y.dependent)) {
        add(What::kEvents);
      }
    }
    if (!kinds.empty()) {
      const Task first = b_.task(kinds.front());
      RankDifference& difference = differences_.Add(
          fmt::format("The tasks have other types or variants, the first {} "
                      "variant {}",
                      b_.TypeName(first.type), first.variant),
          "those of the other ranks", KindText(a_, kinds.front()),
          KindText(b_, kinds.front()));
      difference.count = kinds.size();
      difference.tasks = std::move(kinds);
    }
    for (auto& [key, tasks] : found) Say(key, std::move(tasks));
  }

 private:
  // Differences of tasks, by what differs and where.
  enum class What { kOperands, kTensor, kShape, kOffset, kMetadata, kEvents };
  using TaskKey = std::tuple<What, std::uint32_t, std::uint32_t, Slot, TensorId,
                             std::optional<TensorId>>;

  void CompareOperands(TaskId id, const Task& x, const Task& y, bool output,
                       std::map<TaskKey, std::vector<TaskId>>* found) {
    const Span<Operand> usual = output ? x.outputs : x.inputs;
    const Span<Operand> here = output ? y.outputs : y.inputs;
    for (std::uint32_t i = 0; i < std::min(usual.size(), here.size()); ++i) {
      const Operand& p = usual[i];
      const Operand& q = here[i];
      const auto add = [&](What what, std::optional<TensorId> other) {
        (*found)[{what, y.type, y.variant, Slot{output, i}, q.tensor, other}]
            .push_back(id);
      };
      if (tensors_[Index(q.tensor)] != p.tensor) {
        add(What::kTensor, p.tensor);
        continue;
      }
      if (!Same(p.layout, q.layout)) add(What::kShape, {});
      if (p.offset != q.offset && !MayPut(y.type, Slot{output, i}, q.tensor)) {
        add(What::kOffset, {});
      }
    }
  }

  bool MayPut(std::uint32_t type, Slot slot, TensorId tensor) const {
    const TaskSemantics* semantics = odd_.analyses.semantics().Find(type);
    return semantics == nullptr ? IsSymmetric(b_, tensor)
                                : semantics->remote.has(slot);
  }

  // Layouts are interned: most pairs are met many times.
  bool Same(LayoutId a, LayoutId b) {
    if (Index(b) >= layouts_.size()) layouts_.resize(Index(b) + 1, kUnknown);
    if (layouts_[Index(b)] == Index(a)) return true;
    if (a_.layout(a) != b_.layout(b)) return false;
    layouts_[Index(b)] = Index(a);
    return true;
  }

  void Say(const TaskKey& key, std::vector<TaskId> tasks) {
    const auto& [what, type, variant, slot, tensor, other] = key;
    RankDifference& difference = AddTasks(key, tasks.front());
    if (what == What::kTensor || what == What::kShape ||
        what == What::kOffset) {
      difference.tensor = std::string(b_.tensor_name(tensor));
    }
    difference.task_type = b_.TypeName(type);
    difference.count = tasks.size();
    difference.tasks = std::move(tasks);
  }

  // A difference of tasks, of which this is the first.
  RankDifference& AddTasks(const TaskKey& key, TaskId first) {
    const auto& [what, type, variant, slot, tensor, other] = key;
    const std::string place = SlotOfKind(odd_, type, variant, slot);
    const Task usual = a_.task(first);
    const Task here = b_.task(first);
    const auto shape = [&slot = slot](const View& view, const Task& task) {
      return Printed(view.layout(OperandIn(task, slot)->layout));
    };
    const auto offset = [&slot = slot](const Task& task) {
      return fmt::format("byte {}", OperandIn(task, slot)->offset);
    };
    switch (what) {
      case What::kOperands:
        return differences_.Add("has another number of operands",
                                "that of the other ranks", CountsText(usual),
                                CountsText(here));
      case What::kTensor:
        return differences_.Add(
            fmt::format("is in {}", place),
            fmt::format("{}, as on other ranks", a_.tensor_name(*other)),
            std::string(a_.tensor_name(*other)),
            std::string(b_.tensor_name(tensor)));
      case What::kShape:
        return differences_.Add(fmt::format("has another shape in {}", place),
                                "that of the other ranks", shape(a_, usual),
                                shape(b_, here));
      case What::kOffset:
        return differences_.Add(
            fmt::format("is read or written at other offsets in {}", place),
            "those of the other ranks", offset(usual), offset(here));
      case What::kMetadata:
        return differences_.Add("has other metadata", "that of the other ranks",
                                Printed(usual.metadata),
                                Printed(here.metadata));
      case What::kEvents:
        break;
    }
    return differences_.Add("waits for or triggers other events",
                            "those of the other ranks", TaskEventsText(usual),
                            TaskEventsText(here));
  }

  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);

  const RankContext& odd_;
  const View& a_;
  const View& b_;
  RankDifferences& differences_;
  std::vector<std::optional<TensorId>> tensors_;  // of the odd rank
  std::vector<std::size_t> layouts_;              // likewise, known as equal
};

}  // namespace

void CompareTasks(const RankContext& usual, const RankContext& odd,
                  RankDifferences* differences) {
  TaskComparison(usual, odd, *differences).Run();
}

PutDistance PutDistanceOf(const RankContext& a, const RankContext& b) {
  PutDistance distance;
  const std::size_t count = std::min(a.view.task_count(), b.view.task_count());
  for (std::uint32_t i = 0; i < count; ++i) {
    const Task x = a.view.task(TaskId(i));
    const Task y = b.view.task(TaskId(i));
    const TaskSemantics* semantics = b.analyses.semantics().Find(y.type);
    if (semantics == nullptr || semantics->remote.empty()) continue;
    for (std::uint32_t s = 0; s < std::min(x.outputs.size(), y.outputs.size());
         ++s) {
      if (!semantics->remote.output(s)) continue;
      const std::int64_t bytes = y.outputs[s].offset - x.outputs[s].offset;
      if (distance.puts && distance.bytes != bytes) {
        distance.bytes.reset();
        return distance;
      }
      distance.puts = true;
      distance.bytes = bytes;
    }
  }
  return distance;
}

}  // namespace graph_coverage
