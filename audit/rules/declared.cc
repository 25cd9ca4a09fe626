// SPDX-License-Identifier: Apache-2.0
//
// Rules about what must be declared: undeclared-tensor,
// required-tensor-absent, missing-rank.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "audit/rules/wiring_rules.h"

namespace graph_coverage {
namespace {

// Where `tensor` is named: "input slot 5 of TASK_X (8 tasks)".
std::string Users(const View& view, Span<Reference> references) {
  const Reference& first = references[0];
  return fmt::format("{} slot {} of {}", first.output ? "output" : "input",
                     first.slot, view.TypeName(view.task(first.task).type));
}

std::vector<TaskRange> Ranges(Span<Reference> references) {
  std::vector<TaskRange> ranges;
  for (const Reference& reference : references) {
    if (!ranges.empty() &&
        Index(reference.task) <= Index(ranges.back().last) + 1) {
      ranges.back().last = reference.task;
    } else {
      ranges.push_back({reference.task, reference.task});
    }
  }
  return ranges;
}

}  // namespace

void JudgeUndeclaredTensor(const RankContext& rank, Judgement& judgement) {
  const View& view = rank.view;
  for (std::size_t i = 0; i < view.tensor_count(); ++i) {
    const TensorId tensor = TensorId(i);
    const Span<Reference> references = view.references(tensor);
    if (references.empty() || view.IsNull(tensor)) continue;
    judgement.Judged();
    if (view.declaration(tensor) != nullptr) continue;
    Finding& finding = judgement.Add();
    finding.tensor = view.tensor_name(tensor);
    finding.tasks = Ranges(references);
    finding.found = fmt::format(
        "is named in {} and the kernel source does "
        "not declare it",
        Users(view, references));
    finding.expected =
        fmt::format("all_tensors[\"…\"] in {}", view.source_file());
    finding.advice = "Attach it, or name the tensor that was meant";
  }
}

void JudgeRequiredTensorAbsent(const RankContext& rank, Judgement& judgement) {
  for (const std::string& pattern : rank.policy.required) {
    judgement.Judged();
    bool declared = false;
    for (std::size_t i = 0; i < rank.view.declaration_count(); ++i) {
      declared |= MatchesGlob(pattern, rank.view.declaration_at(i).name);
    }
    if (declared) continue;
    Finding& finding = judgement.Add();
    finding.tensor = pattern;
    finding.places.push_back({rank.view.source_file(), 0, 0, 0});
    finding.found = "is required and not declared";
    finding.expected = "a declaration of it in the kernel source";
    finding.advice =
        "Attach it and wire it, or take it off the list of "
        "required tensors";
  }
}

void JudgeMissingRank(const GendirContext& gendir, Judgement& judgement) {
  std::uint32_t world = 0;
  for (const RankContext& rank : gendir.ranks) {
    world = std::max(world, rank.view.num_gpus().value_or(0));
  }
  if (world == 0) {
    judgement.CouldNotJudge("the kernel source does not say num_gpus");
    return;
  }
  judgement.Judged(world);
  std::vector<std::uint32_t> absent;
  for (std::uint32_t rank = 0; rank < world; ++rank) {
    if (!std::binary_search(gendir.available.begin(), gendir.available.end(),
                            RankId(rank))) {
      absent.push_back(rank);
    }
  }
  if (absent.empty()) return;
  Finding& finding = judgement.Add();
  finding.count = absent.size();
  for (const std::uint32_t rank : absent) {
    finding.ranks.push_back(RankId(rank));
  }
  finding.found = fmt::format("{} of {} ranks have no files: {}", absent.size(),
                              world, RangesText(absent));
  finding.expected = "a kernel source and a task graph for each rank";
  finding.advice = "Audit all ranks: a fault of one rank only is seen there";
}

}  // namespace graph_coverage
