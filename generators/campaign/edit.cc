// SPDX-License-Identifier: Apache-2.0
#include "generators/campaign/edit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace graph_coverage {
namespace {

constexpr std::size_t kMostBody = 120;  // bytes of a branch that a line shows

Task TaskOf(const TaskEdit& edit) {
  Task task = edit.task;
  task.inputs = edit.inputs;
  task.outputs = edit.outputs;
  return task;
}

bool IsDropped(const Overlay& overlay, TaskId id) {
  return std::binary_search(overlay.dropped.begin(), overlay.dropped.end(), id);
}

std::string_view NameOf(const Rank& rank, const Overlay& overlay,
                        TensorId tensor) {
  return Index(tensor) < rank.tensor_count()
             ? rank.tensor_name(tensor)
             : overlay.added_tensors[Index(tensor) - rank.tensor_count()];
}

std::string TileText(const Rank& rank, const Overlay& overlay,
                     const Operand& operand) {
  const std::size_t at = Index(operand.layout);
  const std::size_t own = rank.graph().layout_count();
  DataType type = DataType::kUnknown;
  std::vector<std::int64_t> dims;
  if (at < own) {
    const Layout layout = rank.graph().layout(operand.layout);
    type = layout.data_type;
    dims.assign(layout.dims.begin(), layout.dims.end());
  } else {
    type = overlay.added_layouts[at - own].data_type;
    dims = overlay.added_layouts[at - own].dims;
  }
  return fmt::format("{}[{}]+{}", ToString(type), fmt::join(dims, ","),
                     operand.offset);
}

// The names, each with its tile if tiles are what differs.
std::string ListText(const Rank& rank, const Overlay& overlay,
                     Span<Operand> operands, bool with_tiles) {
  std::vector<std::string> names;
  for (const Operand& operand : operands) {
    names.emplace_back(NameOf(rank, overlay, operand.tensor));
    if (with_tiles && names.back() != "nullptr") {
      names.back() += " " + TileText(rank, overlay, operand);
    }
  }
  return fmt::format("({})", fmt::join(names, ", "));
}

bool SameTensors(Span<Operand> a, Span<Operand> b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const Operand& x, const Operand& y) { return x.tensor == y.tensor; });
}

bool Same(Span<Operand> a, Span<Operand> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

std::string EventText(EventId id) {
  return id.none() ? "no event" : fmt::format("event {}", id.index());
}

std::string DeclarationText(const Declaration& declaration) {
  return fmt::format("line {} declares {} ({})", declaration.line,
                     declaration.name, ToString(declaration.kind));
}

// The piece of the body in which it differs from another.
std::string DifferenceText(const std::string& body, const std::string& other) {
  const auto [at, there] =
      std::mismatch(body.begin(), body.end(), other.begin(), other.end());
  const auto position = static_cast<std::size_t>(at - body.begin());
  const std::size_t begin = position - std::min(position, kMostBody / 2);
  return fmt::format("{}{}{}", begin == 0 ? "" : "… ",
                     body.substr(begin, kMostBody),
                     begin + kMostBody < body.size() ? " …" : "");
}

}  // namespace

Edit::Edit(const Rank& rank, const Overlay& overlay)
    : rank_(rank), overlay_(overlay) {
  for (const auto& [id, edit] : overlay.tasks) {
    const auto dropped_before =
        std::lower_bound(overlay.dropped.begin(), overlay.dropped.end(), id) -
        overlay.dropped.begin();
    tasks_.insert(Index(id) - static_cast<std::uint64_t>(dropped_before));
    Touch(rank.graph().task(id));
    Touch(TaskOf(edit));
  }
  std::uint64_t dropped_before = 0;
  for (const TaskId id : overlay.dropped) {
    const Task task = rank.graph().task(id);
    Touch(task);
    gaps_.emplace(Index(id) - dropped_before++, rank.types().Name(task.type));
  }
  for (const auto& [event, edit] : overlay.events) {
    events_.insert(static_cast<std::uint32_t>(event));
  }
  const std::vector<Declaration>& declarations = rank.source().declarations;
  for (const auto& [at, edit] : overlay.declarations) {
    tensors_.insert(declarations[at].name);
    tensors_.insert(edit.name);
  }
  if (overlay.declaration_order) {
    std::vector<bool> left(declarations.size());
    for (const std::size_t at : *overlay.declaration_order) left[at] = true;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!left[i]) tensors_.insert(declarations[i].name);
    }
  }
  const std::vector<Branch>& branches = rank.source().branches;
  for (const auto& [at, edit] : overlay.branches) {
    TouchType(branches[at].type);
  }
  for (const std::size_t at : overlay.dropped_branches) {
    TouchType(branches[at].type);
  }
}

// Where names come from the order of the chain, a type whose branch is gone has
// its number alone.
void Edit::TouchType(const std::string& name) {
  types_.insert(name);
  std::optional<std::uint32_t> seen;  // tasks of a type lie together
  for (std::size_t i = 0; i < rank_.graph().task_count(); ++i) {
    const std::uint32_t type = rank_.graph().task(TaskId(i)).type;
    if (type == seen) continue;
    seen = type;
    if (rank_.types().Name(type) == name) {
      types_.insert(TypeBinding::Unnamed(type));
    }
  }
}

void Edit::Touch(const Task& task) {
  types_.insert(rank_.types().Name(task.type));
  for (const EventId id : {task.trigger, task.dependent}) {
    if (!id.none()) events_.insert(id.index());
  }
  for (const Span<Operand> operands : {task.inputs, task.outputs}) {
    for (const Operand& operand : operands) {
      tensors_.emplace(NameOf(rank_, overlay_, operand.tensor));
    }
  }
}

bool Edit::IsNamedBy(const Finding& finding) const {
  for (const TaskRange& range : finding.tasks) {
    const auto at = tasks_.lower_bound(Index(range.first));
    if (at != tasks_.end() && *at <= Index(range.last)) return true;
    if (IsGapWithin(range, finding.task_type)) return true;
  }
  for (const std::string& name : finding.members) {
    if (tensors_.count(OldName(name)) != 0) return true;
  }
  if (finding.event && events_.count(*finding.event) != 0) return true;
  // Branches have no tasks of their own: their type is the place.
  const bool no_place =
      (finding.tasks.empty() && finding.members.empty() && !finding.event) ||
      (tasks_.empty() && overlay_.dropped.empty());
  return no_place && types_.count(finding.task_type) != 0;
}

// Whether what is left of an operator, that the finding names, had the gap in
// it or at an end.
bool Edit::IsGapWithin(const TaskRange& range, const std::string& type) const {
  return std::any_of(gaps_.begin(), gaps_.end(), [&](const auto& gap) {
    return gap.second == type && Index(range.first) <= gap.first &&
           gap.first <= Index(range.last) + 1;
  });
}

std::uint64_t Edit::OldTask(TaskId task) const {
  std::uint64_t old = Index(task);
  for (const TaskId dropped : overlay_.dropped) {
    if (Index(dropped) > old) break;
    ++old;
  }
  return old;
}

std::string Edit::OldName(const std::string& name) const {
  for (const auto& [tensor, renamed] : overlay_.renamed) {
    if (renamed == name) return std::string(rank_.tensor_name(tensor));
  }
  return name;
}

std::string Edit::Before() const { return Line(false); }
std::string Edit::After() const { return Line(true); }

std::string Edit::Line(bool after) const {
  const std::vector<Branch>& branches = rank_.source().branches;
  const std::vector<Declaration>& declarations = rank_.source().declarations;
  const auto and_more = [](std::size_t count, const char* what) {
    return count < 2 ? "" : fmt::format(", and {} more {}", count - 1, what);
  };
  if (!overlay_.dropped.empty()) {
    return TaskLine(overlay_.dropped.front(), after) +
           and_more(overlay_.dropped.size(), "tasks");
  }
  if (!overlay_.tasks.empty()) {
    return TaskLine(overlay_.tasks.begin()->first, after) +
           and_more(overlay_.tasks.size(), "tasks");
  }
  if (!overlay_.events.empty()) {
    const auto& [at, edit] = *overlay_.events.begin();
    const Event& event = after ? edit : rank_.graph().event(at);
    return fmt::format("event {} demands {} triggers", at, event.num_triggers);
  }
  if (!overlay_.branches.empty()) {
    const auto& [at, edit] = *overlay_.branches.begin();
    return fmt::format("branch of {}, variant {}: {}", branches[at].type,
                       branches[at].variant,
                       after ? DifferenceText(edit.body, branches[at].body)
                             : DifferenceText(branches[at].body, edit.body));
  }
  if (!overlay_.dropped_branches.empty()) {
    const Branch& branch = branches[overlay_.dropped_branches.front()];
    return after ? "no such branch"
                 : fmt::format("line {} has a branch of {}, variant {}",
                               branch.line, branch.type, branch.variant);
  }
  if (!overlay_.declarations.empty()) {
    const auto& [at, edit] = *overlay_.declarations.begin();
    return DeclarationText(after ? edit : declarations[at]) +
           and_more(overlay_.declarations.size(), "declarations");
  }
  if (overlay_.declaration_order) {
    const std::vector<std::size_t>& order = *overlay_.declaration_order;
    if (order.size() == declarations.size()) {
      return after ? "declarations in another order" : "declarations in order";
    }
    std::size_t gone = 0;
    while (gone < order.size() && order[gone] == gone) ++gone;
    return after ? "no such declaration" : DeclarationText(declarations[gone]);
  }
  if (!overlay_.added_keys.empty()) {
    return after ? fmt::format("keys {}", fmt::join(overlay_.added_keys, ", "))
                 : "known keys only";
  }
  return "nothing";
}

// What differs of the task; of a dropped one, what it was.
std::string Edit::TaskLine(TaskId id, bool after) const {
  const Task was = rank_.graph().task(id);
  const bool dropped = IsDropped(overlay_, id);
  if (after && dropped) return fmt::format("no task {}", Index(id));
  const Task is = dropped ? Task() : TaskOf(overlay_.tasks.at(id));
  const Task& task = after ? is : was;
  std::string line =
      fmt::format("task {} {}", Index(id), rank_.types().Name(task.type));
  if (!Same(was.inputs, is.inputs)) {
    line += " reads " + ListText(rank_, overlay_, task.inputs,
                                 SameTensors(was.inputs, is.inputs));
  }
  if (!Same(was.outputs, is.outputs)) {
    line += " writes " + ListText(rank_, overlay_, task.outputs,
                                  SameTensors(was.outputs, is.outputs));
  }
  if (dropped || was.trigger != is.trigger) {
    line += " triggers " + EventText(task.trigger);
  }
  if (dropped || was.dependent != is.dependent) {
    line += " waits for " + EventText(task.dependent);
  }
  return line;
}

}  // namespace graph_coverage
