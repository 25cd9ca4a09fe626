// SPDX-License-Identifier: Apache-2.0
//
// The oracle: a second, naive judge of artifacts. It reads the JSON as a DOM
// and the source line by line, knows nothing of the core, and answers three
// questions: which tensors lost all readers, which task lost which edge, and
// whether an edit changed anything.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace oracle {

// The texts of one rank's two files.
struct Artifacts {
  std::string source;
  std::string graph;
};

// Declared tensors that a task reads: by name, by another name of the same
// memory, or through a copy into a tensor that is read.
std::set<std::string> Consumed(const Artifacts& rank);

// Declared attached and shuffled tensors that nobody writes and that are no
// buffers of the runtime, but that nobody consumes either.
std::set<std::string> Missing(const Artifacts& rank);

// Declared tensors that were consumed before and are not any more.
std::set<std::string> LostAllReaders(const Artifacts& before,
                                     const Artifacts& after);

// Task id, "inputs" or "outputs", tensor.
using Edge = std::tuple<std::size_t, std::string, std::string>;
// Edges that a task has no more, once for each time that it named the tensor.
// Only for edits that leave the number of tasks as it is.
std::vector<Edge> LostEdges(const Artifacts& before, const Artifacts& after);

// Whether the two say different things: white space, and keys of the graph
// that no version has, say nothing.
bool Changed(const Artifacts& before, const Artifacts& after);

}  // namespace oracle
