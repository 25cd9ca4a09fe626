// SPDX-License-Identifier: Apache-2.0
//
// The bundled worked example: GLM-5.1 on two ranks, 78 layers, before and
// after the wiring of its rope tables was mended.
//
// Before, `rope_cos` and `rope_sin` are attached and no task reads them; the
// megakernel is consistent in all else. After, each layer reads both twice:
// where q is rotated (task type 296) and in the cache gather (278).
#pragma once

#include <string>

#include "graph_coverage/gendir.h"
#include "graph_coverage/synthetic/program.h"

namespace graph_coverage::synthetic {

Program GlmProgram(bool mended);

// In memory, named "before" or "after".
Gendir GlmExample(bool mended);

// Writes both gendirs: `directory`/before and `directory`/after. Throws
// std::runtime_error where a file cannot be written, naming it.
void WriteGlmExample(const std::string& directory);

}  // namespace graph_coverage::synthetic
