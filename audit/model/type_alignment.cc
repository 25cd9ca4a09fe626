// SPDX-License-Identifier: Apache-2.0
#include "audit/model/type_alignment.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace graph_coverage {
namespace {

// More pairs of a type and a name than any generator writes.
constexpr std::size_t kMostPairs = 1'000'000;
// More misfits than any number of types has, safe to add up.
constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max() / 4;

// Operands against the slots that a branch dereferences, ascending.
bool OperandsFit(std::size_t operands, const std::vector<std::uint32_t>& slots,
                 bool any) {
  const std::size_t needed = slots.empty() ? 0 : std::size_t{slots.back()} + 1;
  return needed <= operands && (any || operands - needed <= 1);
}

// The fewest misfits of the first i types among the first j names (or, run
// backwards, of the others), with g types nameless.
class Costs {
 public:
  Costs(std::size_t types, std::size_t names, std::size_t nameless)
      : types_(types + 1),
        names_(names + 1),
        costs_((nameless + 1) * types_ * names_, kNever) {}
  std::uint32_t& At(std::size_t g, std::size_t i, std::size_t j) {
    return costs_[(g * types_ + i) * names_ + j];
  }

 private:
  std::size_t types_, names_;
  std::vector<std::uint32_t> costs_;
};

template <typename Graph>
std::vector<TypeUse> TypesOfTasks(const Graph& graph) {
  std::map<std::uint32_t, TypeUse> types;
  std::uint32_t type = kTerminateType;
  std::uint32_t variant = 0;
  TypeUse::Operands* operands = nullptr;  // of the type and variant before
  for (std::size_t i = 0; i < graph.task_count(); ++i) {
    const Task task = graph.task(TaskId(i));
    if (task.type == kTerminateType || task.type == kBeginType) continue;
    if (operands == nullptr || task.type != type || task.variant != variant) {
      type = task.type;
      variant = task.variant;
      types[type].type = type;
      operands = &types[type].variants[variant];
    }
    operands->inputs = std::max(operands->inputs, task.inputs.size());
    operands->outputs = std::max(operands->outputs, task.outputs.size());
  }
  std::vector<TypeUse> ascending;
  for (auto& [number, use] : types) ascending.push_back(std::move(use));
  return ascending;
}

// branch_at(0) to branch_at(count - 1).
template <typename BranchAt>
std::vector<NameUse> NamesOfBranches(std::size_t count,
                                     const BranchAt& branch_at) {
  std::vector<NameUse> names;
  std::unordered_map<std::string, std::size_t> positions;
  for (std::size_t i = 0; i < count; ++i) {
    const Branch& branch = branch_at(i);
    const auto [at, added] = positions.emplace(branch.type, names.size());
    if (added) names.push_back({branch.type, {}});
    names[at->second].variants.emplace(branch.variant, &branch);
  }
  return names;
}

}  // namespace

std::vector<TypeUse> TypesOf(const TaskGraph& graph) {
  return TypesOfTasks(graph);
}

std::vector<TypeUse> TypesOf(const View& view) { return TypesOfTasks(view); }

std::vector<NameUse> NamesOf(const std::vector<Branch>& branches) {
  return NamesOfBranches(branches.size(), [&](std::size_t i) -> const Branch& {
    return branches[i];
  });
}

std::vector<NameUse> NamesOf(const View& view) {
  return NamesOfBranches(
      view.branch_count(),
      [&](std::size_t i) -> const Branch& { return view.branch(i); });
}

bool Fits(const TypeUse& type, const NameUse& name) {
  return std::all_of(type.variants.begin(), type.variants.end(),
                     [&name](const auto& entry) {
                       const auto found = name.variants.find(entry.first);
                       if (found == name.variants.end()) return false;
                       const Branch& branch = *found->second;
                       return OperandsFit(entry.second.inputs, branch.inputs,
                                          branch.any_input) &&
                              OperandsFit(entry.second.outputs, branch.outputs,
                                          branch.any_output);
                     });
}

std::optional<Alignment> AlignByOrder(const std::vector<TypeUse>& types,
                                      const std::vector<NameUse>& names) {
  const std::size_t t = types.size();
  const std::size_t n = names.size();
  const std::size_t nameless = t > n ? t - n : 0;
  if (nameless > 1 || (n > 0 && t > kMostPairs / n)) return std::nullopt;

  std::vector<std::uint32_t> misfit(t * n);
  for (std::size_t i = 0; i < t; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      misfit[i * n + j] = Fits(types[i], names[j]) ? 0 : 1;
    }
  }

  Costs before(t, n, nameless);
  Costs after(t, n, nameless);
  for (std::size_t g = 0; g <= nameless; ++g) {
    for (std::size_t i = 0; i <= t; ++i) {
      for (std::size_t j = 0; j <= n; ++j) {
        std::uint32_t cost = g == 0 && i == 0 ? 0 : kNever;
        if (j > 0) cost = std::min(cost, before.At(g, i, j - 1));
        if (i > 0 && j > 0) {
          cost = std::min(
              cost, before.At(g, i - 1, j - 1) + misfit[(i - 1) * n + j - 1]);
        }
        if (i > 0 && g > 0) cost = std::min(cost, before.At(g - 1, i - 1, j));
        before.At(g, i, j) = cost;
      }
    }
    for (std::size_t i = t + 1; i-- > 0;) {
      for (std::size_t j = n + 1; j-- > 0;) {
        std::uint32_t cost = g == 0 && i == t ? 0 : kNever;
        if (j < n) cost = std::min(cost, after.At(g, i, j + 1));
        if (i < t && j < n) {
          cost = std::min(cost, after.At(g, i + 1, j + 1) + misfit[i * n + j]);
        }
        if (i < t && g > 0) cost = std::min(cost, after.At(g - 1, i + 1, j));
        after.At(g, i, j) = cost;
      }
    }
  }

  Alignment best;
  best.nameless = nameless;
  best.misfits = before.At(nameless, t, n);
  if (best.misfits + best.nameless > 1) return std::nullopt;
  best.names.resize(t);
  best.unique = true;
  for (std::size_t i = 0; i < t; ++i) {
    bool may_lack = false;
    for (std::size_t j = 0; j <= n; ++j) {
      for (std::size_t g = 0; j < n && g <= nameless; ++g) {
        if (before.At(g, i, j) + misfit[i * n + j] +
                after.At(nameless - g, i + 1, j + 1) ==
            best.misfits) {
          best.names[i].push_back(j);
          break;
        }
      }
      may_lack |= nameless == 1 &&
                  before.At(0, i, j) + after.At(0, i + 1, j) == best.misfits;
    }
    best.unique &= best.names[i].size() + (may_lack ? 1 : 0) == 1;
  }
  return best;
}

}  // namespace graph_coverage
