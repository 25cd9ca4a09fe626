// SPDX-License-Identifier: Apache-2.0
//
// The scanner of kernel sources: reads any text or says what is wrong with it,
// points only at lines that there are, and is blind to comments and spaces
// behind the end.
#include <algorithm>
#include <optional>

#include "audit/artifacts/kernel_source_reader.h"
#include "fuzz/target.h"
#include "graph_coverage/error.h"

namespace graph_coverage::fuzz {
namespace {

std::optional<KernelSource> Read(std::string_view text, Place* error) {
  try {
    return ReadKernelSource(text, "kernel.cu");
  } catch (const InputError& fault) {
    *error = fault.place();
    return std::nullopt;
  }
}

void CheckLine(std::uint64_t line, std::uint64_t lines) {
  if (line < 1 || line > lines) Broken("a line that is not there");
}

void CheckLines(const KernelSource& source, std::uint64_t lines) {
  for (const Declaration& declaration : source.declarations) {
    CheckLine(declaration.line, lines);
    for (const Copy& copy : declaration.copies) CheckLine(copy.line, lines);
  }
  for (const Branch& branch : source.branches) {
    CheckLine(branch.line, lines);
    if (!std::is_sorted(branch.inputs.begin(), branch.inputs.end()) ||
        !std::is_sorted(branch.outputs.begin(), branch.outputs.end())) {
      Broken("slots out of order");
    }
  }
}

void Check(std::string_view text) {
  const auto lines = static_cast<std::uint64_t>(
      1 + std::count(text.begin(), text.end(), '\n'));
  Place error;
  const std::optional<KernelSource> source = Read(text, &error);
  if (!source) {
    if (error.line > lines || error.byte > text.size()) {
      Broken("an error at a place that is not there");
    }
    return;
  }
  CheckLines(*source, lines);

  Place other;
  const auto again = Read(std::string(text) + "\n// end {\n \t", &other);
  if (!again) Broken("a comment behind the end is refused");
  if (again->declarations.size() != source->declarations.size() ||
      again->branches.size() != source->branches.size()) {
    Broken("a comment behind the end changes what is read");
  }
}

}  // namespace
}  // namespace graph_coverage::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  graph_coverage::fuzz::Check(graph_coverage::fuzz::TextOf(data, size));
  return 0;
}
