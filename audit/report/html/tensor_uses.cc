// SPDX-License-Identifier: Apache-2.0
#include "audit/report/html/tensor_uses.h"

#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "audit/analysis/families.h"
#include "audit/analysis/layers.h"
#include "audit/analysis/runs.h"

namespace graph_coverage {
namespace {

using UseKey = std::tuple<std::uint32_t, std::uint32_t, bool, std::uint32_t>;

UseKey KeyOf(const Task& task, const Reference& reference) {
  return {task.type, task.variant, reference.output, reference.slot};
}

// Collects the uses of one (layer, type, variant, slot).
class UseBuilder {
 public:
  void Add(const Task& task, std::uint32_t id) {
    ++use_.count;
    auto& first = use_.tasks.first;
    if (use_.count == 1 || id > last_ + 1) {
      use_.tasks.Add({id, id});
    } else if (use_.tasks.count <= first.size()) {
      first.back().second = id;
    }
    last_ = id;
    if (!task.dependent.none()) waits_.insert(task.dependent.index());
    if (!task.trigger.none()) triggers_.insert(task.trigger.index());
  }

  Use Build() {
    for (const std::uint32_t event : waits_) use_.waits.Add(event);
    for (const std::uint32_t event : triggers_) use_.triggers.Add(event);
    return std::move(use_);
  }

 private:
  Use use_;
  std::uint32_t last_ = 0;
  std::set<std::uint32_t> waits_, triggers_;
};

class UseFinder {
 public:
  explicit UseFinder(const View& view)
      : view_(view),
        families_(view),
        runs_(view),
        layers_(view, families_, runs_) {}

  TensorUses Of(std::size_t declaration) {
    const TensorId tensor = view_.declared_tensor(declaration);
    TensorUses found;
    found.line = view_.declaration_at(declaration).line;
    if (const auto section = layers_.of_tensor(tensor)) {
      found.own_layer = NameOf(*section);
    }
    std::vector<std::map<UseKey, UseBuilder>> builders;
    for (const Reference& reference : view_.references(tensor)) {
      const auto layer =
          found.own_layer ? found.own_layer : LayerOf(reference.task);
      std::size_t at = 0;
      while (at < found.layers.size() && found.layers[at].layer != layer) ++at;
      if (at == found.layers.size()) {
        found.layers.push_back({layer, {}});
        builders.emplace_back();
      }
      const Task task = view_.task(reference.task);
      builders[at][KeyOf(task, reference)].Add(
          task, static_cast<std::uint32_t>(reference.task));
    }
    for (std::size_t i = 0; i < builders.size(); ++i) {
      for (auto& [key, builder] : builders[i]) {
        found.layers[i].uses.push_back(Complete(key, builder.Build()));
      }
    }
    return found;
  }

 private:
  std::string NameOf(const Section& section) const {
    return std::string(layers_.axes()[section.axis]) +
           std::to_string(section.layer);
  }

  std::optional<std::string> LayerOf(TaskId task) const {
    const auto run = runs_.of_task(task);
    const auto section = run ? layers_.of_run(*run) : std::nullopt;
    if (!section) return std::nullopt;
    return NameOf(*section);
  }

  Use Complete(const UseKey& key, Use use) const {
    const auto& [type, variant, output, slot] = key;
    use.type = view_.TypeName(type);
    use.variant = variant;
    use.output = output;
    use.slot = slot;
    for (const Branch* branch : view_.BranchesOf(type, variant)) {
      use.lines.push_back(branch->line);
    }
    return use;
  }

  const View& view_;
  const Families families_;
  const Runs runs_;
  const Layers layers_;
};

}  // namespace

std::vector<TensorUses> UsesOf(const View& view) {
  UseFinder finder(view);
  std::vector<TensorUses> uses;
  uses.reserve(view.declaration_count());
  for (std::size_t i = 0; i < view.declaration_count(); ++i) {
    uses.push_back(finder.Of(i));
  }
  return uses;
}

}  // namespace graph_coverage
