// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/model/type_binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "audit/model/task_type_header.h"
#include "audit/model/task_type_tables.h"
#include "audit/model/type_alignment.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {
namespace {

using Names = std::map<std::uint32_t, std::vector<std::string>>;

// "3 types", "1 type".
std::string Count(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// The names of a header by number. Where enumerators share a number, as
// markers do, the one that the chain uses counts.
Names NamesOfHeader(const std::map<std::string, std::uint32_t>& numbers,
                    const std::vector<NameUse>& chain) {
  Names names;
  for (const NameUse& use : chain) {
    const auto found = numbers.find(use.name);
    if (found == numbers.end()) continue;
    std::vector<std::string>& known = names[found->second];
    if (known.empty()) known.push_back(use.name);
  }
  for (const auto& [name, number] : numbers) {
    if (names[number].empty()) names[number].push_back(name);
  }
  return names;
}

std::string MissingTypes(const Names& names,
                         const std::vector<TypeUse>& types) {
  std::string missing;
  for (const TypeUse& use : types) {
    if (names.count(use.type) != 0) continue;
    missing += (missing.empty() ? "" : ", ") + std::to_string(use.type);
  }
  return missing;
}

// A built-in table that knows all names of the chain, along which its numbers
// ascend, and all types of the graph.
struct TableFit {
  std::string_view version;
  Names names;
  std::size_t misfits = 0;  // types without a branch, or that do not fit it
};

std::optional<TableFit> FitTable(const TaskTypeTable& table,
                                 const std::vector<TypeUse>& types,
                                 const std::vector<NameUse>& chain) {
  std::map<std::uint32_t, const NameUse*> branches;
  for (const NameUse& use : chain) {
    const auto found = table.numbers.find(use.name);
    if (found == table.numbers.end()) return std::nullopt;
    if (!branches.empty() && found->second <= branches.rbegin()->first) {
      return std::nullopt;
    }
    branches.emplace(found->second, &use);
  }
  TableFit fit{table.version, {}, 0};
  for (const auto& [name, number] : table.numbers) {
    fit.names[number].emplace_back(name);
  }
  for (const TypeUse& use : types) {
    if (fit.names.count(use.type) == 0) return std::nullopt;
    const auto branch = branches.find(use.type);
    fit.misfits += branch == branches.end() || !Fits(use, *branch->second);
  }
  return fit;
}

std::optional<TableFit> BestTable(const std::vector<TypeUse>& types,
                                  const std::vector<NameUse>& chain) {
  std::optional<TableFit> best;
  for (const TaskTypeTable& table : TaskTypeTables()) {
    std::optional<TableFit> fit = FitTable(table, types, chain);
    if (fit && (!best || fit->misfits < best->misfits)) best = std::move(fit);
  }
  return best;
}

std::string Explain(const Alignment& alignment,
                    const std::vector<TypeUse>& types,
                    const std::vector<NameUse>& chain) {
  std::string text = fmt::format(
      "types are named by the order of the dispatch chain, variants and "
      "operand "
      "counts: {}, {}",
      Count(types.size(), "type"), Count(chain.size(), "branch name"));
  if (!alignment.unique) {
    const auto several = std::count_if(
        alignment.names.begin(), alignment.names.end(),
        [](const std::vector<std::size_t>& names) { return names.size() > 1; });
    return text + fmt::format(
                      "; several ways fit, {} may have more than one "
                      "name",
                      Count(static_cast<std::size_t>(several), "type"));
  }
  text += "; one way fits";
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (alignment.names[i].empty()) {
      return text + fmt::format(", but type {} has no branch", types[i].type);
    }
    const NameUse& name = chain[alignment.names[i].front()];
    if (!Fits(types[i], name)) {
      return text + fmt::format(", but the tasks of type {} do not fit {}",
                                types[i].type, name.name);
    }
  }
  return text;
}

}  // namespace

const std::vector<std::string>& TypeBinding::Names(std::uint32_t type) const {
  static const std::vector<std::string> none;
  static const std::vector<std::string> terminate = {"TASK_TERMINATE"};
  static const std::vector<std::string> begin = {"TASK_BEGIN_TASK_GRAPH"};
  if (type == kTerminateType) return terminate;
  if (type == kBeginType) return begin;
  const auto found = names_.find(type);
  return found == names_.end() ? none : found->second;
}

std::string TypeBinding::Name(std::uint32_t type) const {
  const std::vector<std::string>& names = Names(type);
  return names.size() == 1 ? names.front() : Unnamed(type);
}

std::string TypeBinding::Unnamed(std::uint32_t type) {
  return fmt::format("type {}", type);
}

TypeBinding TypeBinding::Bind(const TaskGraph& graph,
                              const KernelSource& source,
                              const std::string& header,
                              const std::string& header_file) {
  const std::vector<TypeUse> types = TypesOf(graph);
  const std::vector<NameUse> chain = NamesOf(source.branches);
  TypeBinding binding;
  if (!header.empty()) {
    binding.method_ = Method::kHeader;
    binding.names_ =
        NamesOfHeader(ReadTaskTypeHeader(header, header_file), chain);
    binding.explanation_ = "types are named by " + header_file;
    const std::string missing = MissingTypes(binding.names_, types);
    if (!missing.empty()) {
      binding.explanation_ += ", which has no type " + missing;
    }
    return binding;
  }
  return BindWithoutHeader(types, chain, source.has_dispatch);
}

TypeBinding TypeBinding::Bind(const View& view) {
  return BindWithoutHeader(TypesOf(view), NamesOf(view), view.has_dispatch());
}

TypeBinding TypeBinding::BindWithoutHeader(const std::vector<TypeUse>& types,
                                           const std::vector<NameUse>& chain,
                                           bool has_dispatch) {
  TypeBinding binding;
  if (!has_dispatch) {
    binding.explanation_ = "types have no names: there is no dispatch chain";
    return binding;
  }
  std::optional<TableFit> table = BestTable(types, chain);
  const std::optional<Alignment> order = AlignByOrder(types, chain);
  // A fork may have all names of a table and other numbers: then the order
  // fits better.
  const bool order_is_better =
      table && order && order->unique &&
      order->misfits + order->nameless < table->misfits;
  if (table && !order_is_better) {
    binding.method_ = Method::kTable;
    binding.names_ = std::move(table->names);
    binding.explanation_ = fmt::format(
        "types are named by the built-in table of {}, which has all of them",
        table->version);
    return binding;
  }
  if (!order) {
    binding.explanation_ = fmt::format(
        "types have no names: no built-in table has all types and branch "
        "names, "
        "and {} do not fit {} in order",
        Count(types.size(), "type"), Count(chain.size(), "branch name"));
    return binding;
  }
  binding.method_ = order->unique ? Method::kOrder : Method::kAmbiguous;
  binding.explanation_ = Explain(*order, types, chain);
  for (std::size_t i = 0; i < types.size(); ++i) {
    for (const std::size_t name : order->names[i]) {
      binding.names_[types[i].type].push_back(chain[name].name);
    }
  }
  return binding;
}

}  // namespace graph_coverage
