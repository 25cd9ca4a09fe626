// SPDX-License-Identifier: Apache-2.0
#include "generators/campaign/equivalence.h"

#include <algorithm>
#include <vector>

#include "graph_coverage/model/view.h"

namespace graph_coverage {
namespace {

// Whether all slots that some branch of the task may dereference hold the same
// in both lists.
template <typename Dereferences>
bool SameWhereUsed(const std::vector<const Branch*>& branches,
                   Span<Operand> was, Span<Operand> is,
                   const Dereferences& dereferences) {
  const std::size_t most = std::max(was.size(), is.size());
  for (std::uint32_t slot = 0; slot < most; ++slot) {
    const bool used = std::any_of(
        branches.begin(), branches.end(),
        [&](const Branch* branch) { return dereferences(*branch, slot); });
    if (!used) continue;
    if (slot >= was.size() || slot >= is.size() || was[slot] != is[slot]) {
      return false;
    }
  }
  return true;
}

bool DoesTheSame(const View& view, const Task& was, const TaskEdit& edit) {
  const Task& is = edit.task;
  if (was.type != is.type || was.variant != is.variant ||
      was.trigger != is.trigger || was.dependent != is.dependent ||
      was.metadata.Bits() != is.metadata.Bits()) {
    return false;
  }
  const std::vector<const Branch*> branches =
      view.BranchesOf(was.type, was.variant);
  if (branches.empty()) return false;
  return SameWhereUsed(branches, was.inputs, edit.inputs,
                       [](const Branch& branch, std::uint32_t slot) {
                         return branch.DereferencesInput(slot);
                       }) &&
         SameWhereUsed(branches, was.outputs, edit.outputs,
                       [](const Branch& branch, std::uint32_t slot) {
                         return branch.DereferencesOutput(slot);
                       });
}

// Whether some task may run the branch.
bool IsRun(const View& view, const Branch& branch) {
  for (std::size_t i = 0; i < view.task_count(); ++i) {
    const Task task = view.task(TaskId(i));
    const std::vector<std::string>& names = view.types().Names(task.type);
    if (task.variant == branch.variant &&
        std::find(names.begin(), names.end(), branch.type) != names.end()) {
      return true;
    }
  }
  return false;
}

// Whether argument `i` belongs to a feature that the call switches off: two
// literals stand before the two operands of the first feature and then the two
// of the second.
bool IsSwitchedOff(const std::vector<Argument>& arguments, std::size_t i) {
  for (std::size_t first = i; first + 4 > i && first >= 2; --first) {
    const Argument& literal = arguments[first - 2];
    if (literal.kind != Argument::Kind::kBoolean ||
        arguments[first - 1].kind != Argument::Kind::kBoolean ||
        literal.call != arguments[i].call) {
      continue;
    }
    return arguments[first - 2 + (i - first) / 2].value == 0;
  }
  return false;
}

// Whether the two differ, and only in arguments that are switched off.
bool DiffersWhereSwitchedOff(const Branch& was, const Branch& is) {
  if (was.arguments.size() != is.arguments.size()) return false;
  bool differs = false;
  for (std::size_t i = 0; i < was.arguments.size(); ++i) {
    if (was.arguments[i].kind == is.arguments[i].kind &&
        was.arguments[i].value == is.arguments[i].value) {
      continue;
    }
    if (!IsSwitchedOff(was.arguments, i)) return false;
    differs = true;
  }
  return differs;
}

}  // namespace

std::string WhyEquivalent(const Rank& rank, const Overlay& overlay) {
  const bool elsewhere = !overlay.dropped.empty() || !overlay.events.empty() ||
                         !overlay.added_events.empty() || overlay.first_tasks ||
                         !overlay.renamed.empty() ||
                         !overlay.declarations.empty();
  if (elsewhere) return "";
  const View view(rank);
  if (!overlay.tasks.empty()) {
    const bool same = std::all_of(
        overlay.tasks.begin(), overlay.tasks.end(), [&](const auto& entry) {
          return DoesTheSame(view, rank.graph().task(entry.first),
                             entry.second);
        });
    return same ? "the branch dereferences none of the operands that differ"
                : "";
  }
  if (!overlay.branches.empty() || !overlay.dropped_branches.empty()) {
    const std::vector<Branch>& branches = rank.source().branches;
    const bool run =
        std::any_of(overlay.branches.begin(), overlay.branches.end(),
                    [&](const auto& entry) {
                      return IsRun(view, branches[entry.first]);
                    }) ||
        std::any_of(overlay.dropped_branches.begin(),
                    overlay.dropped_branches.end(),
                    [&](std::size_t at) { return IsRun(view, branches[at]); });
    if (!run) return "no task runs the branch";
    const bool off =
        overlay.dropped_branches.empty() &&
        std::all_of(overlay.branches.begin(), overlay.branches.end(),
                    [&](const auto& entry) {
                      return DiffersWhereSwitchedOff(branches[entry.first],
                                                     entry.second);
                    });
    return off ? "the operand is of a feature that the branch switches off"
               : "";
  }
  if (overlay.declaration_order) {
    std::vector<bool> left(rank.source().declarations.size());
    for (const std::size_t at : *overlay.declaration_order) left[at] = true;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!left[i] && !rank.references(rank.declared_tensor(i)).empty()) {
        return "";
      }
    }
    return "no task names the tensor";
  }
  return "";
}

}  // namespace graph_coverage
