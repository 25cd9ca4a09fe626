// SPDX-License-Identifier: Apache-2.0
//
// Per kind of task, what its tasks have in common, so that a changed task can
// be held against it. Every answer must be one that the whole audit gives: in
// doubt there is none.
#include "graph_coverage/mutant_judge.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "audit/analysis/analyses.h"
#include "audit/read.h"
#include "audit/rules/branch_of.h"
#include "audit/rules/switches.h"
#include "audit/rules/task_faults.h"
#include "graph_coverage/catalogue.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {
namespace {

constexpr std::string_view kMissingOperand = "missing-operand";
constexpr std::string_view kDisabledFeature = "disabled-feature";
constexpr std::string_view kNullDereferenced = "null-dereferenced";
constexpr std::string_view kOperandShape = "operand-shape";

constexpr auto kNullShape = ShapeId(0xffffffff);

// How many tasks have each form.
template <typename Form>
class Votes {
 public:
  void Add(Form form, std::uint64_t tasks) { tasks_[form] += tasks; }
  // Whether more tasks have the form than any other.
  bool IsUsual(Form form) const { return Leads(form, 0, std::nullopt); }
  // Whether a task that turns from that form into another is surely an odd
  // one: without it, too, more tasks have the form than any other.
  bool IsOdd(Form before, Form after) const {
    return before != after && Leads(before, 1, after);
  }

 private:
  // Whether `form`, less some tasks, leads with one more task of `grown`.
  bool Leads(Form form, std::uint64_t less, std::optional<Form> grown) const {
    const auto own = tasks_.find(form);
    if (own == tasks_.end() || own->second <= less) return false;
    const std::uint64_t left = own->second - less;
    if (grown && tasks_.count(*grown) == 0 && left <= 1) return false;
    return std::all_of(tasks_.begin(), tasks_.end(), [&](const auto& entry) {
      return entry.first == form ||
             entry.second + (entry.first == grown ? 1 : 0) < left;
    });
  }

  std::map<Form, std::uint64_t> tasks_;
};

using Counts = std::pair<std::size_t, std::size_t>;

// The most operands that a task of a kind has, and how many tasks have them.
struct Most {
  std::size_t operands = 0;
  std::uint64_t tasks = 0;

  void Add(std::size_t count, std::uint64_t of_tasks) {
    if (count > operands) *this = {count, 0};
    if (count == operands) tasks += of_tasks;
  }
  // Whether it is the same if one task has `after` in place of `before`.
  bool Stays(std::size_t before, std::size_t after) const {
    return after == before ||
           (after <= operands && (before < operands || tasks > 1));
  }
};

struct KindFacts {
  std::vector<Slot> dereferenced;          // by every branch of the kind
  std::map<std::uint32_t, bool> switched;  // input slots: on or off
  Votes<Counts> counts;
  std::array<std::vector<Votes<ShapeId>>, 2> shapes;  // inputs, outputs
  Most inputs, outputs;
};

Span<Operand> OperandsOf(const Task& task, bool output) {
  return output ? task.outputs : task.inputs;
}

Counts CountsOf(const Task& task) {
  return {task.inputs.size(), task.outputs.size()};
}

}  // namespace

class MutantJudge::Facts {
 public:
  Facts(const Rank& rank, const AuditOptions& options)
      : rank_(rank),
        view_(rank),
        semantics_(ReadSemantics(options)),
        analyses_(view_, semantics_, {}, options.policy.layer_prefixes),
        runs_(analyses_.runs()),
        policy_(options.policy) {
    missing_operand_ = Accuses(kMissingOperand);
    disabled_feature_ = Accuses(kDisabledFeature);
    null_dereferenced_ = Accuses(kNullDereferenced);
    operand_shape_ = Accuses(kOperandShape) && HasVariants(view_);
    kind_of_.resize(runs_.size());
    for (const Kind& kind : runs_.kinds()) Learn(kind);
  }

  std::optional<std::string_view> FirstRule(const Overlay& overlay) const {
    if (overlay.tasks.size() != 1 || !EditsOnlyTasks(overlay)) return {};
    const auto& [id, edit] = *overlay.tasks.begin();
    const Task before = view_.task(id);
    Task after = edit.task;
    after.inputs = edit.inputs;
    after.outputs = edit.outputs;
    const std::optional<std::uint32_t> run = runs_.of_task(id);
    if (!run || before.type != after.type || before.variant != after.variant) {
      return {};
    }
    const KindFacts& kind = kinds_[kind_of_[*run]];
    if (!SameNames(kind, before, after, overlay)) return {};
    return Accuse(kind, before, after, overlay);
  }

 private:
  // Whether the policy lets the rule's findings stand as they are.
  bool Accuses(std::string_view rule) const {
    const std::string id(rule);
    const auto moved = policy_.severities.find(id);
    if (moved != policy_.severities.end() && moved->second == Severity::kNote) {
      return false;
    }
    const bool may_be_waived = std::any_of(
        policy_.waivers.begin(), policy_.waivers.end(),
        [&id](const Waiver& waiver) { return MatchesGlob(waiver.rule, id); });
    return !may_be_waived && !IsOff(policy_, rule);
  }

  void Learn(const Kind& kind) {
    KindFacts facts;
    const BranchSet branches(view_, kind);
    const RankContext context{view_, analyses_, policy_};
    if (!branches.empty()) {
      facts.dereferenced = branches.Dereferenced();
      const TaskSemantics* semantics = analyses_.semantics().Find(kind.type);
      if (semantics != nullptr) {
        for (const auto& [slot, feature] : semantics->switched) {
          const auto on = SwitchOf(context, kind, branches, {false, slot});
          if (on) facts.switched.emplace(slot, *on);
        }
      }
    }
    for (const std::uint32_t run : kind.runs) {
      kind_of_[run] = kinds_.size();
      const Task task = runs_.task(run);
      const std::uint64_t tasks = runs_[run].count;
      facts.counts.Add(CountsOf(task), tasks);
      facts.inputs.Add(task.inputs.size(), tasks);
      facts.outputs.Add(task.outputs.size(), tasks);
      for (const bool output : {false, true}) {
        const Span<Operand> operands = OperandsOf(task, output);
        auto& shapes = facts.shapes[output];
        if (shapes.size() < operands.size()) shapes.resize(operands.size());
        for (std::size_t i = 0; i < operands.size(); ++i) {
          shapes[i].Add(ShapeOf(operands[i]), tasks);
        }
      }
    }
    kinds_.push_back(std::move(facts));
  }

  ShapeId ShapeOf(const Operand& operand) const {
    return view_.IsNull(operand.tensor) ? kNullShape
                                        : runs_.shape(operand.layout);
  }

  static bool EditsOnlyTasks(const Overlay& overlay) {
    return overlay.dropped.empty() && overlay.events.empty() &&
           overlay.added_events.empty() && !overlay.first_tasks &&
           overlay.added_keys.empty() && overlay.renamed.empty() &&
           overlay.declarations.empty() && !overlay.declaration_order &&
           overlay.branches.empty() && overlay.dropped_branches.empty();
  }

  // Whether types keep their names, which may hang on operand counts.
  bool SameNames(const KindFacts& kind, const Task& before, const Task& after,
                 const Overlay& overlay) const {
    if (rank_.types().method() == TypeBinding::Method::kHeader ||
        (kind.inputs.Stays(before.inputs.size(), after.inputs.size()) &&
         kind.outputs.Stays(before.outputs.size(), after.outputs.size()))) {
      return true;
    }
    const View mutant(rank_, overlay);
    return std::all_of(runs_.kinds().begin(), runs_.kinds().end(),
                       [&](const Kind& each) {
                         return mutant.types().Names(each.type) ==
                                view_.types().Names(each.type);
                       });
  }

  bool IsNull(const Operand& operand, const Overlay& overlay) const {
    return view_.IsNull(operand.tensor) ||
           (Index(operand.tensor) >= rank_.tensor_count() &&
            overlay.added_tensors[Index(operand.tensor) -
                                  rank_.tensor_count()] == "nullptr");
  }

  // The rules by which the task is at fault and was not before.
  std::optional<std::string_view> Accuse(const KindFacts& kind,
                                         const Task& before, const Task& after,
                                         const Overlay& overlay) const {
    const auto turns = [&](bool (Facts::*at_fault)(const KindFacts&,
                                                   const Task&, const Overlay&)
                               const) {
      return (this->*at_fault)(kind, after, overlay) &&
             !(this->*at_fault)(kind, before, overlay);
    };
    if (missing_operand_ && turns(&Facts::LacksOperand)) return kMissingOperand;
    if (disabled_feature_ && turns(&Facts::BeliesSwitch)) {
      return kDisabledFeature;
    }
    if (null_dereferenced_ && turns(&Facts::DereferencesNull)) {
      return kNullDereferenced;
    }
    if (operand_shape_ && HasUsualShape(kind, before) &&
        HasOddShape(kind, before, after, overlay)) {
      return kOperandShape;
    }
    return {};
  }

  bool LacksOperand(const KindFacts& kind, const Task& task,
                    const Overlay&) const {
    return std::any_of(
        kind.dereferenced.begin(), kind.dereferenced.end(),
        [&task](Slot slot) { return OperandIn(task, slot) == nullptr; });
  }

  bool BeliesSwitch(const KindFacts& kind, const Task& task,
                    const Overlay& overlay) const {
    return std::any_of(kind.switched.begin(), kind.switched.end(),
                       [&](const auto& entry) {
                         const auto& [slot, on] = entry;
                         return slot < task.inputs.size() &&
                                IsNull(task.inputs[slot], overlay) == on;
                       });
  }

  bool DereferencesNull(const KindFacts& kind, const Task& task,
                        const Overlay& overlay) const {
    return std::any_of(
        kind.dereferenced.begin(), kind.dereferenced.end(), [&](Slot slot) {
          const Operand* operand = OperandIn(task, slot);
          const bool switched = !slot.output && kind.switched.count(slot.index);
          return operand != nullptr && !switched && IsNull(*operand, overlay);
        });
  }

  bool HasUsualShape(const KindFacts& kind, const Task& task) const {
    if (!kind.counts.IsUsual(CountsOf(task))) return false;
    for (const bool output : {false, true}) {
      const Span<Operand> operands = OperandsOf(task, output);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!kind.shapes[output][i].IsUsual(ShapeOf(operands[i]))) return false;
      }
    }
    return true;
  }

  bool HasOddShape(const KindFacts& kind, const Task& before, const Task& after,
                   const Overlay& overlay) const {
    if (kind.counts.IsOdd(CountsOf(before), CountsOf(after))) return true;
    for (const bool output : {false, true}) {
      const Span<Operand> was = OperandsOf(before, output);
      const Span<Operand> is = OperandsOf(after, output);
      for (std::size_t i = 0; i < std::min(was.size(), is.size()); ++i) {
        const bool null = IsNull(is[i], overlay);
        // A layout of the overlay may be like one of the rank.
        if (!null && Index(is[i].layout) >= rank_.graph().layout_count()) {
          continue;
        }
        const ShapeId shape = null ? kNullShape : runs_.shape(is[i].layout);
        if (kind.shapes[output][i].IsOdd(ShapeOf(was[i]), shape)) return true;
      }
    }
    return false;
  }

  const Rank& rank_;
  const View view_;
  const SemanticsTable semantics_;
  Analyses analyses_;  // asked while the facts are learnt, not afterwards
  const Runs& runs_;
  const Policy policy_;
  bool missing_operand_ = false;
  bool disabled_feature_ = false;
  bool null_dereferenced_ = false;
  bool operand_shape_ = false;
  std::vector<KindFacts> kinds_;
  std::vector<std::size_t> kind_of_;  // by run
};

MutantJudge::MutantJudge(const Rank& rank, const AuditOptions& options)
    : facts_(std::make_unique<const Facts>(rank, options)) {}

MutantJudge::~MutantJudge() = default;

std::optional<std::string_view> MutantJudge::FirstRule(
    const Overlay& overlay) const {
  return facts_->FirstRule(overlay);
}

}  // namespace graph_coverage
