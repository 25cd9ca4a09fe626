// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/kernel_source_reader.h"

#include <optional>
#include <utility>

#include "audit/artifacts/cxx_brackets.h"
#include "audit/artifacts/cxx_tokens.h"
#include "audit/artifacts/declaration_reader.h"
#include "audit/artifacts/dispatch_reader.h"
#include "graph_coverage/error.h"

namespace graph_coverage {
namespace {

// A source without dispatch is of a version that has none, or not whole.
void CheckHasNoDispatch(const CxxTokens& tokens) {
  bool attaches_by_name = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].Is("task_type") && tokens[i + 1].Is("==")) {
      tokens.Fail(i, "a function _execute_task around the dispatch chain");
    }
    attaches_by_name |= tokens[i].Is("model_tensors") && tokens[i + 1].Is(".");
  }
  if (attaches_by_name) {
    throw InputError::Of(tokens.file(),
                         "no function _execute_task, though tensors are "
                         "attached by name: is the file whole?");
  }
}

}  // namespace

KernelSource ReadKernelSource(std::string_view text, const std::string& file) {
  const CxxTokens tokens(text, file);
  const CxxBrackets brackets(tokens);
  KernelSource source;
  source.file = file;

  const std::optional<CxxRange> init =
      brackets.FunctionBody("_init_persistent_kernel");
  if (!init) {
    throw InputError::Of(file,
                         "no function _init_persistent_kernel: is this a "
                         "kernel source that the generator wrote, as a whole?");
  }
  Declarations declarations = ReadDeclarations(brackets, *init);
  if (declarations.tensors.empty()) {
    throw InputError::Of(file,
                         "_init_persistent_kernel declares no tensor: expected "
                         "lines like all_tensors[\"NAME\"] = NAME;");
  }
  source.declarations = std::move(declarations.tensors);
  source.num_gpus = declarations.num_gpus;

  if (const auto chain = brackets.FunctionBody("_execute_task")) {
    source.has_dispatch = true;
    source.branches = ReadDispatch(brackets, *chain);
  } else {
    CheckHasNoDispatch(tokens);
  }
  return source;
}

}  // namespace graph_coverage
