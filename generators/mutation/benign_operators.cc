// SPDX-License-Identifier: Apache-2.0
//
// Operators that change nothing an audit should mind.
#include <algorithm>
#include <cctype>
#include <map>
#include <string>

#include "generators/mutation/operators.h"

namespace graph_coverage {
namespace {

void ChangeNothing(const RankIndex&, const Mutation&, Overlay&) {}

// Operators whose tasks may come in reverse: all wait for one event and none
// is a first task, so no range and no list changes.
std::vector<Site> Reversible(const RankIndex& index) {
  const View& view = index.view();
  std::vector<Site> sites;
  if (!view.format().dependent_event) return sites;
  for (const TaskRun& run : index.runs()) {
    if (run.end - run.begin < 2) continue;
    bool alike = true;
    const EventId dependent = view.task(TaskId(run.begin)).dependent;
    for (std::uint32_t task = run.begin; task < run.end; ++task) {
      alike &= view.task(TaskId(task)).dependent == dependent;
    }
    for (const TaskId first : view.first_tasks()) {
      alike &= Index(first) < run.begin || Index(first) >= run.end;
    }
    if (alike) sites.push_back({run.begin});
  }
  return sites;
}

void Renumber(const RankIndex& index, const Mutation& mutation,
              Overlay& overlay) {
  const TaskRun run = index.run_of(TaskOf(index, mutation));
  Overlay own;
  for (std::uint32_t task = run.begin; task < run.end; ++task) {
    overlay.tasks[TaskId(run.begin + run.end - 1 - task)] =
        EditTask(index, task, own);
  }
}

// Aliases stay where they are, behind what they are aliases of.
void ReorderDeclarations(const RankIndex& index, const Mutation&,
                         Overlay& overlay) {
  std::vector<std::size_t> movable;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < index.view().declaration_count(); ++i) {
    order.push_back(i);
    if (index.view().declaration_at(i).kind != TensorKind::kAlias) {
      movable.push_back(i);
    }
  }
  for (std::size_t k = 0; k < movable.size(); ++k) {
    order[movable[k]] = movable[movable.size() - 1 - k];
  }
  overlay.declaration_order = std::move(order);
}

// "layer_" of "layer_17_q_norm"; empty where the name has no such prefix.
std::string PrefixOf(std::string_view name) {
  const std::size_t digit = name.find_first_of("0123456789");
  if (digit == std::string_view::npos) return "";
  return std::string(name.substr(0, digit));
}

constexpr std::string_view kNewPrefix = "block_";

// The prefixes that come with layer numbers and are not taken; a is the first
// tensor that has it.
std::vector<Site> Prefixes(const RankIndex& index) {
  const View& view = index.view();
  std::map<std::string, std::uint32_t> first;
  for (std::uint32_t i = 0; i < view.tensor_count(); ++i) {
    const std::string prefix = PrefixOf(view.tensor_name(TensorId(i)));
    if (prefix == kNewPrefix) return {};
    if (index.families().of(TensorId(i)).layer) first.emplace(prefix, i);
  }
  std::vector<Site> sites;
  for (const auto& [prefix, tensor] : first) sites.push_back({tensor});
  return sites;
}

void FillPrefix(const RankIndex& index, const Site& site, std::uint32_t,
                Mutation& mutation) {
  mutation.to = kNewPrefix;
  mutation.subject = PrefixOf(index.view().tensor_name(TensorId(site.a)));
}

void RenamePrefix(const RankIndex& index, const Mutation& mutation,
                  Overlay& overlay) {
  const View& view = index.view();
  const auto rename = [&mutation](std::string* name) {
    if (name->empty() || PrefixOf(*name) != mutation.subject) return false;
    name->replace(0, mutation.subject.size(), mutation.to);
    return true;
  };
  for (std::size_t i = 0; i < view.tensor_count(); ++i) {
    std::string name(view.tensor_name(TensorId(i)));
    if (rename(&name)) overlay.renamed[TensorId(i)] = name;
  }
  if (overlay.renamed.empty()) Refuse(mutation, "no tensor has that prefix");
  for (std::size_t i = 0; i < view.declaration_count(); ++i) {
    Declaration declaration = view.declaration_at(i);
    bool changed = rename(&declaration.name);
    changed |= rename(&declaration.alias_of);
    for (Copy& copy : declaration.copies) changed |= rename(&copy.source);
    if (changed) overlay.declarations[i] = declaration;
  }
}

void AddKeys(const RankIndex&, const Mutation&, Overlay& overlay) {
  overlay.added_keys = {"event.note", "graph.note", "operand.note",
                        "task.note"};
}

}  // namespace

std::vector<OperatorRow> BenignOperators() {
  return {
      {{"control", "change nothing", Edits::kNothing, ""},
       OneSite,
       FillNothing,
       ChangeNothing},
      {{"renumber", "reverse the tasks of an operator", Edits::kTasks, ""},
       Reversible,
       FillTask,
       Renumber},
      {{"reorder-declarations", "reverse the declarations", Edits::kSource, ""},
       OneSite,
       FillNothing,
       ReorderDeclarations},
      {{"rename-layers", "give the tensors of layers another prefix",
        Edits::kSource, ""},
       Prefixes,
       FillPrefix,
       RenamePrefix},
      {{"reformat", "write the task graph without white space", Edits::kNothing,
        ""},
       OneSite,
       FillNothing,
       ChangeNothing},
      {{"unknown-keys", "add keys that no version has", Edits::kTasks, ""},
       OneSite,
       FillNothing,
       AddKeys},
  };
}

}  // namespace graph_coverage
