// SPDX-License-Identifier: Apache-2.0
//
// Reads a kernel source (.cu) of any version of the generator.
#pragma once

#include <string>
#include <string_view>

#include "graph_coverage/model/kernel_source.h"

namespace graph_coverage {

// Reads the declarations of _init_persistent_kernel and the dispatch chain of
// _execute_task; a source without that function has no dispatch (F0, F1). The
// rest of the text is only checked to be C++ with brackets that match.
//
// `file` is the name used in errors. Throws InputError where the text is no
// such source: see cxx_tokens.h, cxx_brackets.h, declaration_reader.h and
// dispatch_reader.h, or where it declares no tensor.
KernelSource ReadKernelSource(std::string_view text, const std::string& file);

}  // namespace graph_coverage
