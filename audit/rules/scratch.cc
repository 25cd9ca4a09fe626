// SPDX-License-Identifier: Apache-2.0
//
// Rules about tensors that are written, or not used at all: write-only,
// dead-scratch.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "audit/analysis/accesses.h"
#include "audit/rules/lost_results.h"
#include "audit/rules/wiring_rules.h"

namespace graph_coverage {
namespace {

// Whether some branch really writes an output slot that names the tensor.
// Where the branch is not known, the slot is taken as written.
bool IsDereferenced(const View& view, TensorId tensor) {
  for (const Reference& reference : view.references(tensor)) {
    if (!reference.output) continue;
    const Task task = view.task(reference.task);
    const auto branches = view.BranchesOf(task.type, task.variant);
    if (branches.empty()) return true;
    for (const Branch* branch : branches) {
      if (branch->DereferencesOutput(reference.slot)) return true;
    }
  }
  return false;
}

}  // namespace

void JudgeWriteOnly(const RankContext& rank, Judgement& judgement) {
  const Wiring& wiring = rank.analyses.wiring();
  for (std::size_t i = 0; i < rank.view.declaration_count(); ++i) {
    const Declaration& declaration = rank.view.declaration_at(i);
    const TensorId tensor = rank.view.declared_tensor(i);
    const Usage& usage = wiring.usage(tensor);
    if (usage.output_refs == 0) continue;
    judgement.Judged();
    if (wiring.consumed(tensor)) continue;
    const bool scratch = IsOwnMemory(declaration.kind);
    if (scratch && !IsDereferenced(rank.view, tensor)) continue;
    Finding& finding = judgement.Add();
    finding.tensor = declaration.name;
    finding.places.push_back({rank.view.source_file(), declaration.line, 0, 0});
    finding.found = fmt::format("is {} and written, and no task reads it",
                                ToString(declaration.kind));
    if (scratch) {
      finding.expected = "a task that reads what is written";
      finding.advice = "Wire its reader, or drop the operator that writes it";
    } else {
      finding.severity = Severity::kNote;
      finding.advice = "Nothing to do if the program reads it afterwards";
    }
  }
  JudgeLostResults(rank, judgement);
}

void JudgeDeadScratch(const RankContext& rank, Judgement& judgement) {
  const Wiring& wiring = rank.analyses.wiring();
  for (std::size_t i = 0; i < rank.view.declaration_count(); ++i) {
    const Declaration& declaration = rank.view.declaration_at(i);
    if (!IsOwnMemory(declaration.kind)) continue;
    judgement.Judged();
    const TensorId tensor = rank.view.declared_tensor(i);
    if (wiring.consumed(tensor) || wiring.written(tensor)) continue;
    Finding& finding = judgement.Add();
    finding.tensor = declaration.name;
    finding.places.push_back({rank.view.source_file(), declaration.line, 0, 0});
    finding.found = "is allocated, and no task reads or writes it";
    finding.advice = "Stop allocating it, if it is not for a later feature";
  }
}

}  // namespace graph_coverage
