// SPDX-License-Identifier: Apache-2.0
#include "audit/rules/rank_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

#include "audit/analysis/accesses.h"
#include "audit/model/one_line.h"
#include "audit/rules/branch_code.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

constexpr std::size_t kNoRank = static_cast<std::size_t>(-1);

bool SameLayout(const Layout& a, const Layout& b) {
  return a.data_type == b.data_type && a.has_offset == b.has_offset &&
         a.dims == b.dims && a.strides == b.strides;
}

bool SameEvent(EventId a, EventId b) {
  if (a.none() || b.none()) return a == b;
  return a.index() == b.index() && a.nvshmem() == b.nvshmem();
}

bool SameCopies(const std::vector<Copy>& a, const std::vector<Copy>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const Copy& x, const Copy& y) {
        return x.source == y.source && x.target_offset == y.target_offset &&
               x.target_pitch == y.target_pitch &&
               x.source_pitch == y.source_pitch && x.width == y.width &&
               x.height == y.height;
      });
}

template <typename T>
std::string Printed(const T& value) {
  std::ostringstream text;
  PrintTo(value, &text);
  return text.str();
}

// The first of the copies that is not as among the others; their number where
// there is none.
std::string CopiesText(const std::vector<Copy>& copies,
                       const std::vector<Copy>& others) {
  for (std::size_t i = 0; i < std::min(copies.size(), others.size()); ++i) {
    if (!SameCopies({copies[i]}, {others[i]})) return Printed(copies[i]);
  }
  return Counted(copies.size(), "copy", "copies");
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

class Comparison {
 public:
  Comparison(const RankContext& usual, const RankContext& odd)
      : odd_(odd), a_(usual.view), b_(odd.view) {
    tensors_.reserve(b_.tensor_count());
    for (std::uint32_t i = 0; i < b_.tensor_count(); ++i) {
      tensors_.push_back(a_.FindTensor(b_.tensor_name(TensorId(i))));
    }
  }

  std::vector<RankDifference> Run() {
    CompareDeclarations();
    CompareBranches();
    CompareTasks();
    CompareEvents();
    return std::move(differences_);
  }

 private:
  RankDifference& Add(std::string found, std::string expected,
                      std::string usual_has, std::string odd_has) {
    RankDifference& difference = differences_.emplace_back();
    difference.found = std::move(found);
    difference.expected = std::move(expected);
    difference.usual_has = std::move(usual_has);
    difference.odd_has = std::move(odd_has);
    return difference;
  }

  void CompareDeclarations() {
    std::set<std::string_view> here;
    for (std::size_t i = 0; i < b_.declaration_count(); ++i) {
      const Declaration& declaration = b_.declaration_at(i);
      here.insert(declaration.name);
      const auto other = a_.FindTensor(declaration.name);
      const Declaration* usual = other ? a_.declaration(*other) : nullptr;
      RankDifference* difference = nullptr;
      if (usual == nullptr) {
        difference = &Add("is declared", "no such tensor, as on other ranks",
                          "no declaration", "a declaration");
      } else if (usual->kind != declaration.kind) {
        difference =
            &Add(fmt::format("is {}", ToString(declaration.kind)),
                 fmt::format("{}, as on other ranks", ToString(usual->kind)),
                 ToString(usual->kind), ToString(declaration.kind));
      } else if (usual->bytes != declaration.bytes) {
        difference =
            &Add(fmt::format("has {} bytes", declaration.bytes.value_or(0)),
                 fmt::format("{}, as on other ranks", usual->bytes.value_or(0)),
                 Counted(usual->bytes.value_or(0), "byte"),
                 Counted(declaration.bytes.value_or(0), "byte"));
      } else if (!SameCopies(usual->copies, declaration.copies)) {
        difference =
            &Add("is filled by other copies", "those of the other ranks",
                 CopiesText(usual->copies, declaration.copies),
                 CopiesText(declaration.copies, usual->copies));
      } else {
        continue;
      }
      difference->tensor = declaration.name;
      difference->line = declaration.line;
      if (usual != nullptr) difference->usual_line = usual->line;
    }
    for (std::size_t i = 0; i < a_.declaration_count(); ++i) {
      const std::string& name = a_.declaration_at(i).name;
      if (here.count(name) > 0) continue;
      RankDifference& difference =
          Add("is not declared", "a declaration, as on other ranks",
              "a declaration", "none");
      difference.tensor = name;
      difference.usual_line = a_.declaration_at(i).line;
    }
  }

  using BranchKey = std::pair<std::string_view, std::uint32_t>;
  static std::map<BranchKey, const Branch*> BranchesOf(const View& view) {
    std::map<BranchKey, const Branch*> branches;
    for (std::size_t i = 0; i < view.branch_count(); ++i) {
      const Branch& branch = view.branch(i);
      branches.emplace(BranchKey{branch.type, branch.variant}, &branch);
    }
    return branches;
  }

  void CompareBranches() {
    const auto usual = BranchesOf(a_);
    const auto here = BranchesOf(b_);
    for (const auto& [key, branch] : here) {
      const auto other = usual.find(key);
      if (other == usual.end()) {
        RankDifference& difference = Add(
            fmt::format("has a branch for variant {}", key.second),
            "no such branch, as on other ranks", "no such branch", "a branch");
        difference.task_type = branch->type;
        difference.line = branch->line;
      } else if (!MayBothRun(
                     {*other->second, a_.rank()}, {*branch, b_.rank()},
                     odd_.analyses.semantics().FindName(branch->type))) {
        RankDifference& difference =
            Add(fmt::format("runs other code in the branch of variant {}",
                            key.second),
                "the code of the other ranks", OwnCode(*other->second, *branch),
                OwnCode(*branch, *other->second));
        difference.task_type = branch->type;
        difference.line = branch->line;
        difference.usual_line = other->second->line;
      }
    }
    for (const auto& [key, branch] : usual) {
      if (here.count(key) > 0) continue;
      RankDifference& difference =
          Add(fmt::format("has no branch for variant {}", key.second),
              "the branch, as on other ranks", "a branch", "none");
      difference.task_type = branch->type;
      difference.usual_line = branch->line;
    }
  }

  // Differences of tasks, by what differs and where.
  enum class What { kOperands, kTensor, kShape, kOffset, kMetadata, kEvents };
  using TaskKey = std::tuple<What, std::uint32_t, std::uint32_t, Slot, TensorId,
                             std::optional<TensorId>>;

  void CompareTasks() {
    if (a_.task_count() != b_.task_count()) {
      Add(fmt::format("The graph has {} tasks", b_.task_count()),
          fmt::format("{}, as on other ranks", a_.task_count()),
          Counted(a_.task_count(), "task"), Counted(b_.task_count(), "task"));
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
      RankDifference& difference = Add(
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
    if (Index(b) >= layouts_.size()) layouts_.resize(Index(b) + 1, kNoRank);
    if (layouts_[Index(b)] == Index(a)) return true;
    if (!SameLayout(a_.layout(a), b_.layout(b))) return false;
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
        return Add("has another number of operands", "that of the other ranks",
                   CountsText(usual), CountsText(here));
      case What::kTensor:
        return Add(fmt::format("is in {}", place),
                   fmt::format("{}, as on other ranks", a_.tensor_name(*other)),
                   std::string(a_.tensor_name(*other)),
                   std::string(b_.tensor_name(tensor)));
      case What::kShape:
        return Add(fmt::format("has another shape in {}", place),
                   "that of the other ranks", shape(a_, usual),
                   shape(b_, here));
      case What::kOffset:
        return Add(
            fmt::format("is read or written at other offsets in {}", place),
            "those of the other ranks", offset(usual), offset(here));
      case What::kMetadata:
        return Add("has other metadata", "that of the other ranks",
                   Printed(usual.metadata), Printed(here.metadata));
      case What::kEvents:
        break;
    }
    return Add("waits for or triggers other events", "those of the other ranks",
               TaskEventsText(usual), TaskEventsText(here));
  }

  void CompareEvents() {
    if (a_.event_count() != b_.event_count()) {
      Add(fmt::format("The graph has {} events", b_.event_count()),
          fmt::format("{}, as on other ranks", a_.event_count()),
          Counted(a_.event_count(), "event"),
          Counted(b_.event_count(), "event"));
    }
    std::size_t differ = 0;
    std::size_t first = 0;
    const std::size_t count = std::min(a_.event_count(), b_.event_count());
    for (std::size_t i = 0; i < count; ++i) {
      const Event x = a_.event(i);
      const Event y = b_.event(i);
      if (x.type == y.type && x.num_triggers == y.num_triggers &&
          x.first_task == y.first_task && x.last_task == y.last_task) {
        continue;
      }
      if (differ++ == 0) first = i;
    }
    if (differ == 0) return;
    Add(fmt::format("The events have other types, triggers or ranges, the "
                    "first event {}",
                    first),
        "those of the other ranks", Printed(a_.event(first)),
        Printed(b_.event(first)))
        .count = differ;
  }

  const RankContext& odd_;
  const View& a_;
  const View& b_;
  std::vector<std::optional<TensorId>> tensors_;  // of the odd rank
  std::vector<std::size_t> layouts_;              // likewise, known as equal
  std::vector<RankDifference> differences_;
};

}  // namespace

std::vector<RankDifference> DifferencesOf(const RankContext& usual,
                                          const RankContext& odd) {
  return Comparison(usual, odd).Run();
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
