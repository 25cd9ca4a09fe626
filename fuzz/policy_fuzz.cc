// SPDX-License-Identifier: Apache-2.0
//
// The reader of policy files: gives a policy, or an error at a place that is in
// the text.
#include "fuzz/target.h"
#include "graph_coverage/error.h"
#include "graph_coverage/policy_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view text = graph_coverage::fuzz::TextOf(data, size);
  try {
    graph_coverage::ParsePolicy(text, "policy.json");
  } catch (const graph_coverage::InputError& error) {
    if (error.place().byte > text.size()) {
      graph_coverage::fuzz::Broken("an error at a place that is not there");
    }
  }
  return 0;
}
