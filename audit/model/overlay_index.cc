// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/internal/overlay_index.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

namespace graph_coverage {
namespace {

constexpr std::string_view kNoTensorName = "nullptr";

Task TaskOf(const TaskEdit& edit) {
  Task task = edit.task;
  task.inputs = edit.inputs;
  task.outputs = edit.outputs;
  return task;
}

bool SameUse(const Task& a, const Task& b) {
  return a.type == b.type && a.variant == b.variant &&
         a.inputs.size() == b.inputs.size() &&
         a.outputs.size() == b.outputs.size();
}

// Calls visit(tensor, reference) for each operand, inputs first.
template <typename Visit>
void EachReference(TaskId id, const Task& task, const Visit& visit) {
  for (const bool output : {false, true}) {
    const Span<Operand> operands = output ? task.outputs : task.inputs;
    for (std::size_t slot = 0; slot < operands.size(); ++slot) {
      visit(operands[slot].tensor,
            Reference{id, static_cast<std::uint16_t>(slot), output});
    }
  }
}

}  // namespace

OverlayIndex::OverlayIndex(const Rank& rank, const Overlay& overlay)
    : rank_(rank),
      graph_(rank.graph()),
      overlay_(overlay),
      format_(rank.graph().format()) {
  format_.unknown_keys.insert(format_.unknown_keys.end(),
                              overlay.added_keys.begin(),
                              overlay.added_keys.end());
  std::sort(format_.unknown_keys.begin(), format_.unknown_keys.end());
  IndexTensors();
  IndexDeclarations();
  IndexBranches();
  IndexFirstTasks();
  IndexReferences();
}

void OverlayIndex::IndexTensors() {
  for (const auto& [tensor, name] : overlay_.renamed) {
    new_names_.emplace(name, tensor);
  }
  std::size_t next = rank_.tensor_count();
  for (const std::string& name : overlay_.added_tensors) {
    new_names_.emplace(name, TensorId(next++));
  }
  null_tensor_ = rank_.null_tensor();
  if (const auto added = new_names_.find(kNoTensorName);
      added != new_names_.end()) {
    null_tensor_ = added->second;
  }
}

void OverlayIndex::IndexDeclarations() {
  const std::size_t count = rank_.source().declarations.size();
  if (overlay_.declaration_order) {
    declarations_ = *overlay_.declaration_order;
  } else {
    declarations_.resize(count);
    std::iota(declarations_.begin(), declarations_.end(), std::size_t{0});
  }
  declared_.resize(count);
  for (const std::size_t at : declarations_) declared_[at] = true;
}

void OverlayIndex::IndexBranches() {
  const std::vector<Branch>& branches = rank_.source().branches;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (std::binary_search(overlay_.dropped_branches.begin(),
                           overlay_.dropped_branches.end(), i)) {
      continue;
    }
    const auto changed = overlay_.branches.find(i);
    branches_.push_back(changed == overlay_.branches.end() ? &branches[i]
                                                           : &changed->second);
  }
  may_rebind_ |=
      !overlay_.branches.empty() || !overlay_.dropped_branches.empty();
}

void OverlayIndex::IndexFirstTasks() {
  const Span<TaskId> first = overlay_.first_tasks
                                 ? Span<TaskId>(*overlay_.first_tasks)
                                 : graph_.first_tasks();
  for (const TaskId id : first) {
    if (std::binary_search(overlay_.dropped.begin(), overlay_.dropped.end(),
                           id)) {
      continue;
    }
    first_tasks_.push_back(TaskId(NewId(Index(id))));
  }
}

void OverlayIndex::IndexReferences() {
  std::vector<TaskId> edited = overlay_.dropped;
  for (const auto& [id, edit] : overlay_.tasks) edited.push_back(id);
  std::sort(edited.begin(), edited.end());

  std::set<TensorId> touched;
  const auto touch = [&touched](TensorId tensor, Reference) {
    touched.insert(tensor);
  };
  operand_count_ = graph_.operand_count();
  may_rebind_ |= !overlay_.dropped.empty();
  for (const TaskId id : edited) {
    const Task task = graph_.task(id);
    operand_count_ -= task.inputs.size() + task.outputs.size();
    EachReference(id, task, touch);
  }
  // Where tasks move up, so do all references to them.
  if (!overlay_.dropped.empty()) {
    for (std::size_t i = 0; i < rank_.tensor_count(); ++i) {
      const Span<Reference> all = rank_.references(TensorId(i));
      if (!all.empty() && overlay_.dropped.front() < all[all.size() - 1].task) {
        touched.insert(TensorId(i));
      }
    }
  }
  for (const TensorId tensor : touched) {
    std::vector<Reference>& kept = references_[Index(tensor)];
    for (Reference reference : rank_.references(tensor)) {
      if (std::binary_search(edited.begin(), edited.end(), reference.task)) {
        continue;
      }
      reference.task = TaskId(NewId(Index(reference.task)));
      kept.push_back(reference);
    }
  }
  for (const auto& [id, edit] : overlay_.tasks) {
    const Task task = TaskOf(edit);
    operand_count_ += task.inputs.size() + task.outputs.size();
    may_rebind_ |= !SameUse(task, graph_.task(id));
    EachReference(TaskId(NewId(Index(id))), task,
                  [this](TensorId tensor, Reference reference) {
                    auto at = references_.find(Index(tensor));
                    if (at == references_.end()) {
                      at = references_
                               .emplace(Index(tensor), std::vector<Reference>())
                               .first;
                      if (Index(tensor) < rank_.tensor_count()) {
                        const auto all = rank_.references(tensor);
                        at->second.assign(all.begin(), all.end());
                      }
                    }
                    at->second.push_back(reference);
                  });
  }
  for (auto& [tensor, references] : references_) {
    std::stable_sort(
        references.begin(), references.end(),
        [](const Reference& a, const Reference& b) { return a.task < b.task; });
  }
}

std::uint64_t OverlayIndex::NewId(std::uint64_t id) const {
  const auto before = std::lower_bound(
      overlay_.dropped.begin(), overlay_.dropped.end(), id,
      [](TaskId dropped, std::uint64_t i) { return Index(dropped) < i; });
  return id - static_cast<std::uint64_t>(
                  std::distance(overlay_.dropped.begin(), before));
}

TaskId OverlayIndex::OldId(TaskId id) const {
  // dropped[k] - k is the new id of what follows the k-th dropped task.
  std::size_t low = 0;
  std::size_t high = overlay_.dropped.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (Index(overlay_.dropped[middle]) - middle <= Index(id)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return TaskId(Index(id) + low);
}

Task OverlayIndex::task(TaskId id) const {
  const TaskId old = OldId(id);
  const auto edit = overlay_.tasks.find(old);
  return edit == overlay_.tasks.end() ? graph_.task(old) : TaskOf(edit->second);
}

Event OverlayIndex::event(std::size_t index) const {
  if (index >= graph_.event_count()) {
    return overlay_.added_events[index - graph_.event_count()];
  }
  const auto changed = overlay_.events.find(index);
  Event event =
      changed == overlay_.events.end() ? graph_.event(index) : changed->second;
  event.first_task = NewId(event.first_task);
  event.last_task = NewId(event.last_task);
  return event;
}

Layout OverlayIndex::layout(LayoutId id) const {
  if (Index(id) < graph_.layout_count()) return graph_.layout(id);
  const AddedLayout& added =
      overlay_.added_layouts[Index(id) - graph_.layout_count()];
  return {added.data_type, added.has_offset, added.dims, added.strides};
}

std::string_view OverlayIndex::tensor_name(TensorId id) const {
  if (Index(id) >= rank_.tensor_count()) {
    return overlay_.added_tensors[Index(id) - rank_.tensor_count()];
  }
  const auto renamed = overlay_.renamed.find(id);
  return renamed == overlay_.renamed.end() ? rank_.tensor_name(id)
                                           : renamed->second;
}

std::optional<TensorId> OverlayIndex::FindTensor(std::string_view name) const {
  std::optional<TensorId> found;
  if (const auto at = new_names_.find(name); at != new_names_.end()) {
    found = at->second;
  } else {
    found = rank_.FindTensor(name);
    if (found && overlay_.renamed.count(*found) != 0) return std::nullopt;
  }
  // What nothing names any more is in neither file.
  if (found && references(*found).empty() && declaration(*found) == nullptr) {
    return std::nullopt;
  }
  return found;
}

const Declaration* OverlayIndex::declaration(TensorId id) const {
  if (Index(id) >= rank_.tensor_count()) return nullptr;
  const std::optional<std::size_t> at = rank_.declaration_index(id);
  if (!at || !declared_[*at]) return nullptr;
  const auto changed = overlay_.declarations.find(*at);
  return changed == overlay_.declarations.end()
             ? &rank_.source().declarations[*at]
             : &changed->second;
}

const Declaration& OverlayIndex::declaration_at(std::size_t i) const {
  const std::size_t at = declarations_[i];
  const auto changed = overlay_.declarations.find(at);
  return changed == overlay_.declarations.end()
             ? rank_.source().declarations[at]
             : changed->second;
}

Span<Reference> OverlayIndex::references(TensorId id) const {
  const auto own = references_.find(Index(id));
  if (own != references_.end()) return own->second;
  if (Index(id) >= rank_.tensor_count()) return {};
  return rank_.references(id);
}

}  // namespace graph_coverage
