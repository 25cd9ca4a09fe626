// SPDX-License-Identifier: Apache-2.0
//
// The reader of contracts: what it accepts is written back as a contract that
// says the same.
#include <optional>

#include "fuzz/target.h"
#include "graph_coverage/contract.h"
#include "graph_coverage/error.h"

namespace graph_coverage::fuzz {
namespace {

std::optional<Contract> Parse(std::string_view text) {
  try {
    return ParseContract(text, "contract.json");
  } catch (const InputError& error) {
    if (error.place().byte > text.size()) {
      Broken("an error at a place that is not there");
    }
    return std::nullopt;
  }
}

void Check(std::string_view text) {
  const std::optional<Contract> contract = Parse(text);
  if (!contract) return;
  const std::string written = WriteContract(*contract);
  const std::optional<Contract> again = Parse(written);
  if (!again) Broken("a contract that was written is refused: " + written);
  if (WriteContract(*again) != written) {
    Broken("a contract changes when it is written again: " + written);
  }
  if (!Differences(*contract, *again).empty()) {
    Broken("a contract differs from itself");
  }
}

}  // namespace
}  // namespace graph_coverage::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  graph_coverage::fuzz::Check(graph_coverage::fuzz::TextOf(data, size));
  return 0;
}
