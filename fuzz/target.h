// SPDX-License-Identifier: Apache-2.0
//
// What a fuzz target is: the function that libFuzzer calls with each input. It
// aborts where the library breaks a promise; sanitizers see the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

namespace graph_coverage::fuzz {

// The input as text.
inline std::string_view TextOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the run: the library did what it must not.
[[noreturn]] inline void Broken(const std::string& promise) {
  std::fprintf(stderr, "broken: %s\n", promise.c_str());
  std::abort();
}

}  // namespace graph_coverage::fuzz
