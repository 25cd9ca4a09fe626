// SPDX-License-Identifier: Apache-2.0
//
// Rules about which tensor is in a slot, by its name: attention-slot,
// scale-missing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/rules/sibling_rules.h"
#include "audit/rules/task_faults.h"

namespace graph_coverage {
namespace {

// The tensors of attention, by the words that their names have.
struct Role {
  std::uint32_t slot;
  std::string_view name;
  std::vector<std::string_view> words;  // next to each other
};

const std::vector<Role>& AttentionRoles() {
  static const std::vector<Role> roles = {
      {1, "k_cache", {"k", "cache"}},
      {1, "k_cache", {"key", "cache"}},
      {2, "v_cache", {"v", "cache"}},
      {2, "v_cache", {"value", "cache"}},
      {3, "q_norm", {"q", "norm"}},
      {4, "k_norm", {"k", "norm"}},
      {5, "cos", {"cos"}},
      {6, "sin", {"sin"}},
  };
  return roles;
}

constexpr std::uint32_t kFirstRoleSlot = 1;
constexpr std::uint32_t kLastRoleSlot = 6;

std::vector<std::string_view> WordsOf(std::string_view name) {
  std::vector<std::string_view> words;
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('_', start), name.size());
    words.push_back(name.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

// The one role that a name has; null where it has none or several.
const Role* RoleOf(std::string_view name) {
  const std::vector<std::string_view> words = WordsOf(name);
  const Role* found = nullptr;
  for (const Role& role : AttentionRoles()) {
    if (std::search(words.begin(), words.end(), role.words.begin(),
                    role.words.end()) == words.end()) {
      continue;
    }
    if (found != nullptr && found->slot != role.slot) return nullptr;
    found = &role;
  }
  return found;
}

std::string_view RoleIn(std::uint32_t slot) {
  for (const Role& role : AttentionRoles()) {
    if (role.slot == slot) return role.name;
  }
  return "";
}

// "Layers 0-16, 18-35: in5 = cos_position_embedding"; empty for none.
std::string Siblings(const RankContext& rank, const Kind& kind,
                     std::uint32_t slot) {
  std::vector<std::uint32_t> healthy;
  std::string name;
  for (const std::uint32_t run : kind.runs) {
    const Task task = rank.analyses.runs().task(run);
    if (slot >= task.inputs.size()) continue;
    const TensorId tensor = task.inputs[slot].tensor;
    const Role* role = RoleOf(rank.view.tensor_name(tensor));
    if (role == nullptr || role->slot != slot) continue;
    healthy.push_back(run);
    if (name.empty()) name = rank.analyses.families().of(tensor).family;
  }
  if (healthy.empty()) return "";
  return Sentence(fmt::format("{}: in{} = {}",
                              LayersText(LayersOf(rank, healthy)), slot, name));
}

// For each tensor the attached one that scales it, or that it scales.
struct Partners {
  std::vector<std::optional<TensorId>> scale;
  std::vector<std::optional<TensorId>> scaled;
};

Partners PartnersOf(const RankContext& rank) {
  const View& view = rank.view;
  Partners partners;
  partners.scale.resize(view.tensor_count());
  partners.scaled.resize(view.tensor_count());
  for (std::uint32_t i = 0; i < view.tensor_count(); ++i) {
    const auto tensor = TensorId(i);
    if (!rank.analyses.layers().is_weight(tensor)) continue;
    const auto scale =
        view.FindTensor(std::string(view.tensor_name(tensor)) + "_scale");
    if (!scale || !rank.analyses.layers().is_weight(*scale)) continue;
    partners.scale[i] = *scale;
    partners.scaled[Index(*scale)] = tensor;
  }
  return partners;
}

bool Uses(const Task& task, TensorId tensor) {
  return std::any_of(
      task.inputs.begin(), task.inputs.end(),
      [tensor](const Operand& operand) { return operand.tensor == tensor; });
}

}  // namespace

void JudgeAttentionSlot(const RankContext& rank, Judgement& judgement) {
  const Runs& runs = rank.analyses.runs();
  for (const Kind& kind : runs.kinds()) {
    const TaskSemantics* semantics = rank.analyses.semantics().Find(kind.type);
    if (semantics == nullptr || semantics->switched.empty()) continue;
    Faults faults;
    for (const std::uint32_t run : kind.runs) {
      const Task task = runs.task(run);
      for (std::uint32_t slot = kFirstRoleSlot;
           slot <= kLastRoleSlot && slot < task.inputs.size(); ++slot) {
        const TensorId tensor = task.inputs[slot].tensor;
        if (rank.view.IsNull(tensor)) continue;
        const Role* role = RoleOf(rank.view.tensor_name(tensor));
        if (role == nullptr) {
          judgement.CouldNotJudge("the tensor's name tells no role",
                                  runs[run].count);
          continue;
        }
        judgement.Judged(runs[run].count);
        if (role->slot == slot) continue;
        faults[{kind.type, kind.variant, {false, slot}, tensor}].push_back(run);
      }
    }
    for (const auto& [key, odd] : faults) {
      Finding& finding = AddTaskFinding(rank, key, odd, judgement);
      finding.found =
          fmt::format("is in {}, the slot of {}",
                      SlotOfKind(rank, kind.type, kind.variant, key.slot),
                      RoleIn(key.slot.index));
      finding.expected = fmt::format("a {} there", RoleIn(key.slot.index));
      finding.siblings = Siblings(rank, kind, key.slot.index);
      finding.advice = "Pass each tensor in the slot of its role";
    }
  }
}

void JudgeScaleMissing(const RankContext& rank, Judgement& judgement) {
  const Runs& runs = rank.analyses.runs();
  const Partners partners = PartnersOf(rank);
  for (const Kind& kind : runs.kinds()) {
    Faults faults;
    for (const std::uint32_t run : kind.runs) {
      const Task task = runs.task(run);
      for (std::uint32_t i = 0; i < task.inputs.size(); ++i) {
        const TensorId tensor = task.inputs[i].tensor;
        for (const auto& partner :
             {partners.scale[Index(tensor)], partners.scaled[Index(tensor)]}) {
          if (!partner) continue;
          judgement.Judged(runs[run].count);
          if (Uses(task, *partner)) continue;
          faults[{kind.type, kind.variant, {false, i}, tensor}].push_back(run);
        }
      }
    }
    for (const auto& [key, odd] : faults) {
      Finding& finding = AddTaskFinding(rank, key, odd, judgement);
      const bool scaled = partners.scale[Index(*key.tensor)].has_value();
      finding.found =
          fmt::format("is in {} without {}",
                      SlotOfKind(rank, kind.type, kind.variant, key.slot),
                      scaled ? "its scale, which is attached, too"
                             : "the tensor that it scales");
      finding.expected = "both in one task";
      finding.advice = "Pass the tensor and its own scale together";
    }
  }
}

}  // namespace graph_coverage
