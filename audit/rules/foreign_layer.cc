// SPDX-License-Identifier: Apache-2.0
//
// Rule about operands of another layer: foreign-layer.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "audit/rules/sibling_rules.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

// An operand that names a layer, in a run that computes one.
struct Use {
  std::uint32_t run = 0;
  Slot slot;
  TensorId tensor{};
  std::int64_t distance = 0;  // its layer less the run's
};

template <typename Visit>
void EachUse(const RankContext& rank, const Visit& visit) {
  const Layers& layers = rank.analyses.layers();
  const Runs& runs = rank.analyses.runs();
  for (std::uint32_t run = 0; run < runs.size(); ++run) {
    const auto section = layers.of_run(run);
    if (!section) continue;
    const Task task = runs.task(run);
    const auto each = [&](Span<Operand> operands, bool output) {
      for (std::uint32_t i = 0; i < operands.size(); ++i) {
        const auto own = layers.of_tensor(operands[i].tensor);
        if (!own || own->axis != section->axis) continue;
        visit(task, Use{run,
                        {output, i},
                        operands[i].tensor,
                        static_cast<std::int64_t>(own->layer) -
                            static_cast<std::int64_t>(section->layer)});
      }
    };
    each(task.inputs, false);
    each(task.outputs, true);
  }
}

// By axis: the last run that a weight places. What follows belongs to no
// layer, though it may name the last one's results.
std::map<std::uint32_t, std::uint32_t> LastWeighted(const RankContext& rank) {
  std::map<std::uint32_t, std::uint32_t> last;
  EachUse(rank, [&](const Task&, const Use& use) {
    if (use.distance == 0 && rank.analyses.layers().is_weight(use.tensor)) {
      last[rank.analyses.layers().of_tensor(use.tensor)->axis] = use.run;
    }
  });
  return last;
}

std::string Distance(std::int64_t distance) {
  if (distance == 0) return "its own layer";
  const std::int64_t layers = distance < 0 ? -distance : distance;
  return layers == 1
             ? fmt::format("the layer {}", distance < 0 ? "before" : "after")
             : fmt::format("the layer {} {}", layers,
                           distance < 0 ? "before" : "after");
}

void Report(const RankContext& rank, const Faults& faults,
            const std::string& expected, Judgement& judgement) {
  for (const auto& [key, runs] : faults) {
    Finding& finding = AddTaskFinding(rank, key, runs, judgement);
    finding.found =
        fmt::format("is of another layer than the task, in {}",
                    SlotOfKind(rank, key.type, key.variant, key.slot));
    finding.expected = expected;
    finding.advice = "Pass the tensor of the task's own layer";
  }
}

}  // namespace

void JudgeForeignLayer(const RankContext& rank, Judgement& judgement) {
  const Layers& layers = rank.analyses.layers();
  Faults weights;
  // Scratch: the distances that occur, by what should be at one distance.
  using Place = std::tuple<std::uint32_t, std::uint32_t, Slot, std::uint32_t>;
  std::map<Place, std::map<std::int64_t, std::vector<Use>>> scratch;
  const auto last = LastWeighted(rank);
  EachUse(rank, [&](const Task& task, const Use& use) {
    judgement.Judged(rank.analyses.runs()[use.run].count);
    if (layers.is_weight(use.tensor)) {
      if (use.distance != 0) {
        weights[{task.type, task.variant, use.slot, use.tensor}].push_back(
            use.run);
      }
      return;
    }
    const auto end = last.find(layers.of_tensor(use.tensor)->axis);
    if (end != last.end() && use.run > end->second) return;
    scratch[{task.type, task.variant, use.slot, layers.family(use.tensor)}]
           [use.distance]
               .push_back(use);
  });
  Report(rank, weights, "weights of the task's own layer", judgement);
  for (const auto& [place, by_distance] : scratch) {
    const auto usual =
        std::max_element(by_distance.begin(), by_distance.end(),
                         [](const auto& a, const auto& b) {
                           return a.second.size() < b.second.size();
                         });
    std::size_t all = 0;
    for (const auto& [distance, uses] : by_distance) all += uses.size();
    if (all < 3 || 2 * usual->second.size() <= all) continue;
    Faults faults;
    for (const auto& [distance, uses] : by_distance) {
      if (distance == usual->first) continue;
      for (const Use& use : uses) {
        faults[{std::get<0>(place), std::get<1>(place), use.slot, use.tensor}]
            .push_back(use.run);
      }
    }
    Report(
        rank, faults,
        fmt::format("the tensor of {}, as elsewhere", Distance(usual->first)),
        judgement);
  }
}

}  // namespace graph_coverage
