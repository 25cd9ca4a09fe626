// SPDX-License-Identifier: Apache-2.0
//
// The two artifacts of a view, as text.
#pragma once

#include <string>

#include "graph_coverage/model/view.h"

namespace graph_coverage {

// The task graph in the version that it was read in; compact: without white
// space. Keys of no version are written once each, as null, where the first
// object of their kind stands.
std::string GraphText(const View& view, bool compact);

// A kernel source that declares the view's tensors and has its branches.
std::string SourceText(const View& view);

}  // namespace graph_coverage
