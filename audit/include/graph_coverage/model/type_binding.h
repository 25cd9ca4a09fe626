// SPDX-License-Identifier: Apache-2.0
//
// Which task type a number of the task graph is. The numbers drift between
// versions and forks of the generator; the dispatch chain has the names.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "graph_coverage/model/kernel_source.h"
#include "graph_coverage/model/task_graph.h"

namespace graph_coverage {

class View;
struct NameUse;
struct TypeUse;

class TypeBinding {
 public:
  enum class Method {
    kHeader,     // a runtime_header.h that the user gave
    kTable,      // a built-in table of a generator version
    kOrder,      // by order, variants and operand counts: one way fits
    kAmbiguous,  // the same, several ways fit: Names() may hold several
    kNone,       // no dispatch chain, or no way fits
  };

  Method method() const { return method_; }
  // One line for the report: which way was used, and why.
  const std::string& explanation() const { return explanation_; }

  // The names the number may stand for; empty where none is known, several
  // under kAmbiguous.
  const std::vector<std::string>& Names(std::uint32_t type) const;
  // The one name, or "type 296" where there is not exactly one. Tasks 0 and 1
  // have the names TASK_TERMINATE and TASK_BEGIN_TASK_GRAPH.
  std::string Name(std::uint32_t type) const;
  // What Name gives for a type that has no name.
  static std::string Unnamed(std::uint32_t type);

  // Binds the types of `graph` to the names in `source`. `header` is the text
  // of a runtime_header.h, empty for none; `header_file` is its name in errors.
  // Throws InputError where a header is given that has no task type enum.
  static TypeBinding Bind(const TaskGraph& graph, const KernelSource& source,
                          const std::string& header = {},
                          const std::string& header_file = {});
  // The same, without a header, for a rank under a mutation.
  static TypeBinding Bind(const View& view);

 private:
  // By a built-in table, else by the order of the chain.
  static TypeBinding BindWithoutHeader(const std::vector<TypeUse>& types,
                                       const std::vector<NameUse>& chain,
                                       bool has_dispatch);

  Method method_ = Method::kNone;
  std::string explanation_;
  std::map<std::uint32_t, std::vector<std::string>> names_;
};

// GoogleTest prints these types with one line each.
void PrintTo(TypeBinding::Method method, std::ostream* out);
void PrintTo(const TypeBinding& binding, std::ostream* out);

}  // namespace graph_coverage
