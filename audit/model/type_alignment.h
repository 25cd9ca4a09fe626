// SPDX-License-Identifier: Apache-2.0
//
// Which name of the dispatch chain each task type of a graph has, where only
// their order is known: types and names both ascend, and a type fits a name
// whose branches have its variants and dereference operands that it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph_coverage/model/kernel_source.h"
#include "graph_coverage/model/task_graph.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

// The tasks of one type, a variant each.
struct TypeUse {
  struct Operands {
    std::size_t inputs = 0;  // the most that a task has
    std::size_t outputs = 0;
  };
  std::uint32_t type = 0;
  std::map<std::uint32_t, Operands> variants;
};

// The branches of one name, a variant each; the first of equal ones.
struct NameUse {
  std::string name;
  std::map<std::uint32_t, const Branch*> variants;
};

// The types of the graph in ascending order, without those of tasks 0 and 1.
std::vector<TypeUse> TypesOf(const TaskGraph& graph);
std::vector<TypeUse> TypesOf(const View& view);
// The names of the chain in its order. They point into `branches`, or to those
// of the view.
std::vector<NameUse> NamesOf(const std::vector<Branch>& branches);
std::vector<NameUse> NamesOf(const View& view);

// Whether all variants of the type have a branch of that name, none of which
// dereferences an operand beyond the type's or leaves out more than one.
bool Fits(const TypeUse& type, const NameUse& name);

struct Alignment {
  // By type: the names (positions in the chain) it has in some best way.
  std::vector<std::vector<std::size_t>> names;
  // Types that have no name, and types that do not fit theirs, in each of the
  // best ways.
  std::size_t nameless = 0;
  std::size_t misfits = 0;
  bool unique = false;  // there is one best way
};

// All ways to give the types names in ascending order, each name at most once,
// with as few nameless types as can be, then as few misfits. Nothing where the
// two counts add up to more than one, or where there is too much to compare.
std::optional<Alignment> AlignByOrder(const std::vector<TypeUse>& types,
                                      const std::vector<NameUse>& names);

}  // namespace graph_coverage
