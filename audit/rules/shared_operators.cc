// SPDX-License-Identifier: Apache-2.0
#include "audit/rules/shared_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "audit/rules/layer_kinds.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

constexpr std::size_t kPeers = 2;  // that a verdict takes, at least

using Key = std::vector<std::uint32_t>;

// An operator of a layer, by their positions in Operators and LayerForms.
struct Member {
  std::uint32_t layer = 0;
  std::uint32_t op = 0;
};

class SharedOperators {
 public:
  explicit SharedOperators(const RankContext& rank)
      : rank_(rank), forms_(rank.analyses.layer_forms()) {
    for (const LayerClass& layer_class : forms_.classes()) {
      if (layer_class.layers.size() > kPeers) continue;
      alone_.insert(layer_class.layers.begin(), layer_class.layers.end());
    }
  }

  std::vector<Finding> Odd() {
    if (alone_.empty()) return {};
    std::map<Key, std::vector<Member>> shared;
    for (std::uint32_t layer = 0; layer < forms_.all().size(); ++layer) {
      for (const auto& [key, op] : OnlyOnes(forms_.all()[layer])) {
        shared[key].push_back({layer, op});
      }
    }
    for (const auto& [key, members] : shared) {
      if (members.size() <= kPeers) continue;
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (alone_.count(members[i].layer) > 0) Compare(members, i);
      }
    }
    std::vector<Finding> findings;
    for (auto& [layer, found] : found_) {
      // One that is unlike in many operators is of another size on purpose.
      if (found.size() > 1) continue;
      findings.push_back(std::move(found.front()));
    }
    return findings;
  }

 private:
  // The operators of a layer that it has once, by what tells them apart: the
  // weights of the layer, or where they read none, all tensors.
  std::map<Key, std::uint32_t> OnlyOnes(const LayerForm& form) const {
    std::map<Key, std::uint32_t> once;
    std::set<Key> twice;
    for (const std::uint32_t op : form.operators) {
      Key key = KeyOf(form, op);
      if (!once.try_emplace(key, op).second) twice.insert(std::move(key));
    }
    for (const Key& key : twice) once.erase(key);
    return once;
  }

  Key KeyOf(const LayerForm& form, std::uint32_t op) const {
    const Layers& layers = rank_.analyses.layers();
    const Task task = rank_.analyses.operators().task(op);
    // Layers that the policy says are of a kind are not held against others.
    const auto kind = static_cast<std::uint32_t>(KindOf(rank_, form.section));
    Key key = {kind, form.section.axis, task.type, task.variant};
    const std::size_t without_weights = key.size();
    for (const Operand& operand : task.inputs) {
      if (layers.is_weight(operand.tensor)) {
        key.push_back(layers.family(operand.tensor));
      }
    }
    if (key.size() > without_weights) return key;
    for (const Span<Operand> operands : {task.inputs, task.outputs}) {
      for (const Operand& operand : operands) {
        key.push_back(layers.family(operand.tensor));
      }
    }
    return key;
  }

  void Compare(const std::vector<Member>& members, std::size_t odd) {
    const Operators& operators = rank_.analyses.operators();
    std::set<std::uint32_t> counts;
    std::vector<std::uint32_t> peers;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i == odd) continue;
      counts.insert(operators[members[i].op].task_count);
      peers.push_back(forms_.all()[members[i].layer].section.layer);
    }
    const Member& member = members[odd];
    const std::uint32_t count = operators[member.op].task_count;
    if (counts.size() == 1 && *counts.begin() != count) {
      const std::string usual = fmt::format("{} tasks", *counts.begin());
      Add(member, fmt::format("has {} tasks", count), usual, peers, usual);
      return;
    }
    struct Oddity {
      std::optional<std::uint32_t> (SharedOperators::*slot)(
          const Member&) const;
      const char* found;
      const char* expected;
      const char* theirs;
    };
    static constexpr Oddity kOddities[] = {
        {&SharedOperators::OldSlot, "was written before the last layer",
         "a result of its own layer or of the one before",
         "read no older results"},
        {&SharedOperators::InPlaceSlot, "it overwrites",
         "another tensor than the output", "read another tensor"}};
    for (const Oddity& oddity : kOddities) {
      const auto slot = (this->*oddity.slot)(member);
      if (!slot) continue;
      bool shared = false;
      for (std::size_t i = 0; i < members.size(); ++i) {
        shared |= i != odd && (this->*oddity.slot)(members[i]).has_value();
      }
      if (shared) continue;
      const Task task = operators.task(member.op);
      Add(member,
          fmt::format("has in{} = {}, which {}", *slot,
                      rank_.view.tensor_name(task.inputs[*slot].tensor),
                      oddity.found),
          oddity.expected, peers, oddity.theirs);
      return;
    }
  }

  // The first slot of an operator that reads a result which is older than the
  // layer before. Of the first layer every result is.
  std::optional<std::uint32_t> OldSlot(const Member& member) const {
    const Operators& operators = rank_.analyses.operators();
    const std::uint32_t before = FirstOfTheLayerBefore(member.layer);
    const auto& sources = operators[member.op].sources;
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
      if (!sources[i].empty() && sources[i].back() < before) return i;
    }
    return std::nullopt;
  }

  // The first slot whose tensor the operator writes, too.
  std::optional<std::uint32_t> InPlaceSlot(const Member& member) const {
    const Task task = rank_.analyses.operators().task(member.op);
    for (std::uint32_t i = 0; i < task.inputs.size(); ++i) {
      for (const Operand& output : task.outputs) {
        if (task.inputs[i].tensor == output.tensor) return i;
      }
    }
    return std::nullopt;
  }

  std::uint32_t FirstOfTheLayerBefore(std::uint32_t layer) const {
    if (layer == 0) return 0;
    const LayerForm& before = forms_.all()[layer - 1];
    return before.section.axis == forms_.all()[layer].section.axis &&
                   !before.operators.empty()
               ? before.operators.front()
               : 0;
  }

  void Add(const Member& member, std::string found, std::string expected,
           const std::vector<std::uint32_t>& peers, const std::string& theirs) {
    const Task task = rank_.analyses.operators().task(member.op);
    Finding& finding = found_[member.layer].emplace_back();
    finding.task_type = rank_.view.TypeName(task.type);
    finding.tasks = rank_.analyses.operators().tasks(member.op);
    finding.layers = {forms_.all()[member.layer].section.layer};
    finding.count = 1;
    for (const Branch* branch :
         rank_.view.BranchesOf(task.type, task.variant)) {
      finding.places.push_back({rank_.view.source_file(), branch->line, 0, 0});
    }
    finding.found = std::move(found);
    finding.expected = std::move(expected);
    finding.siblings =
        fmt::format("{}: {}", Sentence(LayersText(peers)), theirs);
    finding.advice =
        "Wire the operator as in the other layers, or confirm in the policy "
        "that the layer is of another kind";
  }

  const RankContext& rank_;
  const LayerForms& forms_;
  std::set<std::uint32_t> alone_;  // layers of classes without peers
  std::map<std::uint32_t, std::vector<Finding>> found_;  // by layer
};

}  // namespace

std::vector<Finding> OddSharedOperators(const RankContext& rank) {
  return SharedOperators(rank).Odd();
}

}  // namespace graph_coverage
