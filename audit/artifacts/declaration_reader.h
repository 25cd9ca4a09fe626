// SPDX-License-Identifier: Apache-2.0
//
// Reads the tensors that a kernel source declares in _init_persistent_kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "audit/artifacts/cxx_brackets.h"
#include "graph_coverage/model/kernel_source.h"

namespace graph_coverage {

struct Declarations {
  std::vector<Declaration> tensors;  // in the order of registration
  std::optional<std::uint32_t> num_gpus;
};

// Reads the statements of `body`. A tensor is a variable that is attached or
// allocated and then registered: `all_tensors["NAME"] = variable;`. NAME is the
// tensor's name. A variable registered again under another name gives an alias;
// two variables with one raw address stay two attached tensors. Statements
// that have nothing to do with tensors are skipped, whatever they are.
//
// Throws InputError where a statement about tensors cannot be read, a name is
// registered twice, a variable is registered that is no tensor, an attached or
// shuffled tensor is never registered, a copy goes to what is not allocated,
// and for tasks written as C++ statements instead of JSON.
Declarations ReadDeclarations(const CxxBrackets& text, CxxRange body);

}  // namespace graph_coverage
