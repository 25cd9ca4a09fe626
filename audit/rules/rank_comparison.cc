// SPDX-License-Identifier: Apache-2.0
#include "audit/rules/rank_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "audit/model/one_line.h"
#include "audit/rules/branch_code.h"
#include "audit/rules/task_comparison.h"

namespace graph_coverage {
namespace {

bool SameCopy(const Copy& a, const Copy& b) {
  return a.source == b.source && a.target_offset == b.target_offset &&
         a.target_pitch == b.target_pitch && a.source_pitch == b.source_pitch &&
         a.width == b.width && a.height == b.height;
}

bool SameCopies(const std::vector<Copy>& a, const std::vector<Copy>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), SameCopy);
}

// The first of the copies that is not as among the others; their number where
// there is none.
std::string CopiesText(const std::vector<Copy>& copies,
                       const std::vector<Copy>& others) {
  for (std::size_t i = 0; i < std::min(copies.size(), others.size()); ++i) {
    if (!SameCopy(copies[i], others[i])) return Printed(copies[i]);
  }
  return Counted(copies.size(), "copy", "copies");
}

class Comparison {
 public:
  Comparison(const RankContext& usual, const RankContext& odd)
      : usual_(usual), odd_(odd), a_(usual.view), b_(odd.view) {}

  std::vector<RankDifference> Run() {
    CompareDeclarations();
    CompareBranches();
    CompareTasks(usual_, odd_, &differences_);
    CompareEvents();
    return differences_.Take();
  }

 private:
  void CompareDeclarations() {
    std::set<std::string_view> here;
    for (std::size_t i = 0; i < b_.declaration_count(); ++i) {
      const Declaration& declaration = b_.declaration_at(i);
      here.insert(declaration.name);
      const auto other = a_.FindTensor(declaration.name);
      const Declaration* usual = other ? a_.declaration(*other) : nullptr;
      RankDifference* difference = nullptr;
      if (usual == nullptr) {
        difference = &differences_.Add("is declared",
                                       "no such tensor, as on other ranks",
                                       "no declaration", "a declaration");
      } else if (usual->kind != declaration.kind) {
        difference = &differences_.Add(
            fmt::format("is {}", ToString(declaration.kind)),
            fmt::format("{}, as on other ranks", ToString(usual->kind)),
            ToString(usual->kind), ToString(declaration.kind));
      } else if (usual->bytes != declaration.bytes) {
        difference = &differences_.Add(
            fmt::format("has {} bytes", declaration.bytes.value_or(0)),
            fmt::format("{}, as on other ranks", usual->bytes.value_or(0)),
            Counted(usual->bytes.value_or(0), "byte"),
            Counted(declaration.bytes.value_or(0), "byte"));
      } else if (!SameCopies(usual->copies, declaration.copies)) {
        difference = &differences_.Add(
            "is filled by other copies", "those of the other ranks",
            CopiesText(usual->copies, declaration.copies),
            CopiesText(declaration.copies, usual->copies));
      } else {
        continue;
      }
      difference->tensor = declaration.name;
      difference->line = declaration.line;
      if (usual != nullptr) difference->usual_line = usual->line;
    }
    for (std::size_t i = 0; i < a_.declaration_count(); ++i) {
      const std::string& name = a_.declaration_at(i).name;
      if (here.count(name) > 0) continue;
      RankDifference& difference = differences_.Add(
          "is not declared", "a declaration, as on other ranks",
          "a declaration", "none");
      difference.tensor = name;
      difference.usual_line = a_.declaration_at(i).line;
    }
  }

  using BranchKey = std::pair<std::string_view, std::uint32_t>;
  static std::map<BranchKey, const Branch*> BranchesOf(const View& view) {
    std::map<BranchKey, const Branch*> branches;
    for (std::size_t i = 0; i < view.branch_count(); ++i) {
      const Branch& branch = view.branch(i);
      branches.emplace(BranchKey{branch.type, branch.variant}, &branch);
    }
    return branches;
  }

  void CompareBranches() {
    const auto usual = BranchesOf(a_);
    const auto here = BranchesOf(b_);
    for (const auto& [key, branch] : here) {
      const auto other = usual.find(key);
      if (other == usual.end()) {
        RankDifference& difference = differences_.Add(
            fmt::format("has a branch for variant {}", key.second),
            "no such branch, as on other ranks", "no such branch", "a branch");
        difference.task_type = branch->type;
        difference.line = branch->line;
      } else if (!MayBothRun(
                     {*other->second, a_.rank()}, {*branch, b_.rank()},
                     odd_.analyses.semantics().FindName(branch->type))) {
        RankDifference& difference = differences_.Add(
            fmt::format("runs other code in the branch of variant {}",
                        key.second),
            "the code of the other ranks", OwnCode(*other->second, *branch),
            OwnCode(*branch, *other->second));
        difference.task_type = branch->type;
        difference.line = branch->line;
        difference.usual_line = other->second->line;
      }
    }
    for (const auto& [key, branch] : usual) {
      if (here.count(key) > 0) continue;
      RankDifference& difference = differences_.Add(
          fmt::format("has no branch for variant {}", key.second),
          "the branch, as on other ranks", "a branch", "none");
      difference.task_type = branch->type;
      difference.usual_line = branch->line;
    }
  }

  void CompareEvents() {
    if (a_.event_count() != b_.event_count()) {
      differences_.Add(fmt::format("The graph has {} events", b_.event_count()),
                       fmt::format("{}, as on other ranks", a_.event_count()),
                       Counted(a_.event_count(), "event"),
                       Counted(b_.event_count(), "event"));
    }
    std::size_t differ = 0;
    std::size_t first = 0;
    const std::size_t count = std::min(a_.event_count(), b_.event_count());
    for (std::size_t i = 0; i < count; ++i) {
      const Event x = a_.event(i);
      const Event y = b_.event(i);
      if (x.type == y.type && x.num_triggers == y.num_triggers &&
          x.first_task == y.first_task && x.last_task == y.last_task) {
        continue;
      }
      if (differ++ == 0) first = i;
    }
    if (differ == 0) return;
    differences_
        .Add(fmt::format("The events have other types, triggers or ranges, the "
                         "first event {}",
                         first),
             "those of the other ranks", Printed(a_.event(first)),
             Printed(b_.event(first)))
        .count = differ;
  }

  const RankContext& usual_;
  const RankContext& odd_;
  const View& a_;
  const View& b_;
  RankDifferences differences_;
};

}  // namespace

std::vector<RankDifference> DifferencesOf(const RankContext& usual,
                                          const RankContext& odd) {
  return Comparison(usual, odd).Run();
}

}  // namespace graph_coverage
